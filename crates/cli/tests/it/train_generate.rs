//! `outflank train generate` and `train records`: labels, and independence of threads, kills and full disks.

use std::collections::HashSet;
use std::fs;

use crate::common::program::{OutputChecks, cli_in, kill, refuse_in, run_in, spawn_in};
use outflank::eval::DISC;
use outflank::{Board, Engine, Game, Limits};
use outflank_random::SplitMix64;
use outflank_testing::command::{Folder, run, run_until, wait_until};
use outflank_testing::data::{database, game, transcript};
use outflank_testing::reference::exact_score;
use outflank_train::record::{Damage, Reader, Record, Source};

/// Folder with `games.txt`, a file of random games, and the positions of the games.
fn folder_with_games(count: u64) -> (Folder, HashSet<Board>) {
    let games: Vec<Game> = (0..count).map(game).collect();
    let folder = Folder::new();
    let text: String = games.iter().map(|game| transcript(game) + "\n").collect();
    folder.file("games.txt", text);
    let turns = games.iter().flat_map(Game::turns);
    (folder, turns.map(|(board, _)| board).collect())
}

/// Runs `outflank train generate OUT OPTIONS` in `folder`, and returns the records.
fn generate(folder: &Folder, out: &str, options: &str) -> Vec<Record> {
    run_in(folder, &format!("train generate {out} {options}"), 0);
    read(folder, out)
}

fn read(folder: &Folder, name: &str) -> Vec<Record> {
    let mut reader = Reader::open(&folder.path(name), Damage::Refuse).unwrap();
    let blocks = reader.by_ref().map(|block| block.unwrap().records);
    let records: Vec<Record> = blocks.flatten().collect();
    assert!(reader.left_out().is_empty());
    records
}

#[test]
fn labels_are_exact_and_follow_the_options() {
    let (folder, boards) = folder_with_games(40);
    let options = "--from games.txt --empties 6..8,10 --exact 10 --line 4 --per-game 5 --deviations 2 --block 7";
    let records = generate(&folder, "out", options);
    let games: HashSet<u32> = records.iter().map(|record| record.game).collect();
    assert!((36..=42).contains(&games.len()), "{}", games.len());
    let mut rng = SplitMix64::new(4);
    let (mut of_games, mut by_empties) = (0, [0; 61]);
    for record in &records {
        let board = record.board;
        assert_eq!(record.source, Source::Exact);
        assert_ne!(board.mobility(), 0, "{board}");
        by_empties[board.empty_count() as usize] += 1;
        of_games += usize::from(boards.contains(&board));
        if board.empty_count() <= 7 || rng.index(20) == 0 {
            let score = exact_score(&board.to_string());
            assert_eq!(i32::from(record.value), score * DISC, "{board}");
        }
    }
    let taken = (0..=60).filter(|&empties| by_empties[empties] > 0);
    assert!(taken.eq(4..=10), "{by_empties:?}");
    // Best lines make most of the records. Of the others, one in three is a position of the game.
    let share = of_games * 100 / records.len();
    assert!((5..50).contains(&share), "{share} % are of games");
    assert!(by_empties[10] >= 30, "{by_empties:?}");
}

#[test]
fn other_positions_are_labelled_by_searches_or_results() {
    let (folder, boards) = folder_with_games(8);
    let options = "--from games.txt --empties 6,30..40 --exact 8 --depth 3 --per-game 6 --block 8";
    let records = generate(&folder, "searched", options);
    let count_of = |source: Source| {
        let of_source = records.iter().filter(|record| record.source == source);
        of_source.count()
    };
    let [exact, searched] = [Source::Exact, Source::Search { depth: 3 }].map(count_of);
    assert!(exact > 0 && searched > 30);
    assert_eq!(exact + searched, records.len());

    // Selective searches to the end of the game.
    let options = "--from games.txt --empties 14 --exact 8 --depth 60 --selectivity 99";
    let records = generate(&folder, "selective", options);
    let mut engine = Engine::builder().hash_mib(4).build().unwrap();
    let right = records.iter().filter(|record| {
        assert_eq!(record.source, Source::Search { depth: 14 });
        let solution = engine.search(record.board, &Limits::EXACT).unwrap();
        i32::from(record.value) == solution.score * DISC
    });
    assert!(right.count() * 10 >= records.len() * 9 && records.len() > 30);

    let options = "--from games.txt --empties 9..30 --exact 8 --above game --block 8";
    let records = generate(&folder, "played", options);
    assert!(records.len() > 50);
    for record in &records {
        assert_eq!(record.source, Source::Game);
        assert!(boards.contains(&record.board), "{}", record.board);
    }
    // Labels of a game differ in their sign only.
    for game in records.chunk_by(|a, b| a.game == b.game) {
        let all: HashSet<i16> = game.iter().map(|record| record.value.abs()).collect();
        assert_eq!(all.len(), 1, "{all:?}");
    }
}

#[test]
fn games_of_files_continue_by_self_play() {
    let (folder, boards) = folder_with_games(30);
    let options = "--from games.txt --go-on 26..30 --empties 18..32 --deviations 0 --exact 0 --depth 1 \
                   --per-game 9 --play-depth 1 --block 5";
    let records = generate(&folder, "out", options);
    let mut by_empties = [[0; 2]; 61];
    for record in &records {
        let of_game = boards.contains(&record.board);
        by_empties[record.board.empty_count() as usize][usize::from(of_game)] += 1;
    }
    let sum = |of_game: usize| -> usize { by_empties.iter().map(|counts| counts[of_game]).sum() };
    // No position precedes the moves of self-play, and those with 30 empty squares belong to the games.
    assert_eq!(by_empties[31..], [[0; 2]; 30]);
    assert_eq!(by_empties[30][0], 0);
    assert!(by_empties[26..=30].iter().any(|counts| counts[1] > 0));
    assert!(sum(0) > 100 && sum(1) < sum(0) / 3, "{by_empties:?}");

    // A continuation has the number of its game, so that both are held out together.
    let options = "--from games.txt --empties 20..50 --exact 0 --depth 1 --per-game 1";
    let of_games = generate(&folder, "games", options);
    let of_games: HashSet<u32> = of_games.iter().map(|record| record.game).collect();
    assert!(records.iter().all(|record| of_games.contains(&record.game)));
}

#[test]
fn records_do_not_depend_on_threads() {
    let (folder, _) = folder_with_games(20);
    for options in [
        "--from games.txt --games 60 --empties 7..11 --exact 11 --line 5",
        "--from games.txt --empties 8..30 --exact 9 --depth 4",
        "--from self --games 12 --empties 8..40 --exact 10 --depth 3 --play-depth 3",
        "--from games.txt --go-on 30..40 --empties 9..40 --exact 10 --depth 3 --play-depth 3",
    ] {
        let [one, three] = [1, 3].map(|threads| {
            let options = format!("{options} --block 3 --threads {threads}");
            let records = generate(&folder, "out", &options);
            assert!(records.len() > 50, "{options}");
            let bytes = fs::read(folder.path("out")).unwrap();
            fs::remove_file(folder.path("out")).unwrap();
            bytes
        });
        assert_eq!(one, three, "{options}");
    }
}

/// A killed and continued run makes the file of an uninterrupted one.
#[test]
fn killed_run_continues() {
    let (folder, _) = folder_with_games(20);
    let options = "--from games.txt --games 400 --empties 10..12 --exact 12 --per-game 6 --block 4 --threads 2";
    generate(&folder, "whole", options);
    let read = |name: &str| fs::read(folder.path(name)).unwrap_or_default();
    let whole = read("whole");

    let line = format!("train generate killed {options}");
    let child = spawn_in(&folder, &line);
    wait_until(|| read("killed").len() >= 5_000);
    kill(child);
    let left = read("killed");
    assert!(left.len() < whole.len(), "it was killed in the middle");
    // Simulates a kill in the middle of a block.
    folder.file("killed", &left[..left.len() - 5]);

    let other = line.replace("--per-game 6", "--per-game 5 --seed 9");
    let difference = "seed is 1 there and 9 here; positions of a game is 6 there and 5 here";
    refuse_in(&folder, &other, 1, difference);

    let run = run_in(&folder, &line, 0);
    run.stderr_has("bytes behind the last whole block cut off");
    run.stdout_has("goes on behind");
    assert!(read("killed") == whole, "the files differ");
    // More games append more blocks.
    run_in(&folder, &line.replace("400", "404"), 0).stdout_has("of 4 games");
    assert!(read("killed").starts_with(&whole));
}

#[test]
fn interrupted_run_keeps_whole_blocks() {
    let folder = Folder::new();
    let line = "train generate out --from self --empties 8..10 --exact 10 --play-depth 1 --block 2";
    let is_written = || fs::metadata(folder.path("out")).is_ok_and(|file| file.len() > 1000);
    run_until(&mut cli_in(&folder, line), is_written).expect(130);
    assert!(!read(&folder, "out").is_empty());
}

#[test]
fn illegal_games_are_skipped_and_reported() {
    let folder = Folder::new();
    let good: &[u8] = &[56, 64, 43, 34, 23, 32];
    folder.file("old.wtb", database(2001, &[good, &[56, 56], good, &[11]]));
    folder.file("late.wtb", database(2018, &[good]));
    folder.file("games.txt", "f5d6c3\nf5f5\nf5 d6 c\n");
    folder.file("illegal.txt", "a1\n");
    let options = "--exact 3 --depth 1 --deviations 0 --block 1";
    let line =
        format!("train generate a --from old.wtb late.wtb --until 2017 --empties 54..58 {options}");
    let run = run_in(&folder, &line, 0);
    for expected in [
        "old.wtb: game 2: move 2, F5, is not legal",
        "old.wtb: game 4: move 1, A1, is not legal",
        "2 games skipped",
        "2 games, and 1 of later years than 2017 left out",
    ] {
        run.stderr_has(expected);
    }
    run.stdout_has("of 2 games");

    let line = format!("train generate b --from games.txt --empties 58..59 {options}");
    let run = run_in(&folder, &line, 0);
    run.stderr_has("games.txt:2: move 2, F5, is not legal");
    run.stderr_has("games.txt:3:7: expected a move");

    let run = run_in(&folder, "train generate c --from illegal.txt", 2);
    run.stderr_has("no game that could be used");
    assert!(!folder.path("c").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported() {
    let (folder, _) = folder_with_games(2);
    let line = "train generate /dev/full --from games.txt --empties 5 --exact 5";
    refuse_in(&folder, line, 1, "run the same command again");
}

/// Games on standard input give the same records as a file.
#[test]
fn games_are_read_from_standard_input() {
    let (folder, _) = folder_with_games(4);
    let options = "--empties 6..8 --exact 8";
    generate(&folder, "file", &format!("--from games.txt {options}"));
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    let mut piped = cli_in(&folder, &format!("train generate piped --from - {options}"));
    run(&mut piped, &read("games.txt")).expect(0);
    assert!(read("file") == read("piped"));
}

#[test]
fn record_files_are_listed_with_their_damage() {
    let (folder, _) = folder_with_games(10);
    let options = "--from games.txt --empties 6,20 --exact 8 --depth 2 --per-game 4 --block 5";
    let records = generate(&folder, "whole", options);
    let list = |options: &str, status| run_in(&folder, &format!("train records {options}"), status);

    let json = list("--json whole", 0).json();
    let [file] = &json[..] else {
        panic!("one object a file")
    };
    assert_eq!(file["positions"], records.len());
    assert_eq!(file["blocks"], 2);
    assert_eq!(file["settings"]["exact up to"], "8");
    let is_exact = |record: &&Record| record.source == Source::Exact;
    let exact = records.iter().filter(is_exact).count();
    assert_eq!(file["empties"][0]["empties"], 6);
    assert_eq!(file["empties"][0]["exact"], exact);
    assert_eq!(file["depths"]["2"], records.len() - exact);

    let table = list("whole", 0);
    table
        .stdout_has("  searched to 2: ")
        .stdout_has("  seed = 1\n");

    let obf = list("--obf whole", 0).stdout;
    for (line, record) in obf.lines().zip(&records) {
        let start = format!("{} X; --:{:+};", record.board, record.discs());
        assert!(line.starts_with(&start), "{line}");
        assert_eq!(line.contains("% "), record.source != Source::Exact);
    }
    assert_eq!(obf.lines().count(), records.len());

    let mut bytes = fs::read(folder.path("whole")).unwrap();
    folder.file("cut", &bytes[..bytes.len() - 3]);
    let run = list("--json cut", 0);
    assert_eq!(run.json()[0]["left_out"][0]["tail"], true);
    run.stderr_has("behind the last whole block left out");

    let mut windows = bytes.windows(4);
    let first_block = windows.position(|window| window == b"\xbablk").unwrap();
    bytes[first_block + 40] ^= 1;
    folder.file("damaged", &bytes);
    list("damaged", 1).stderr_has(format!("damaged from byte {first_block}"));
    let skipped = list("--json --skip-damage damaged", 1);
    assert_eq!(skipped.json()[0]["blocks"], 1);
    skipped.stderr_has("damaged: ");
}
