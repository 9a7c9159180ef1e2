//! `outflank train generate` and `train records`: labels, and independence of threads, kills and full disks.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::program::{outflank, run_in};
use outflank::eval::DISC;
use outflank::{Board, Engine, Limits, Square};
use outflank_random::SplitMix64;
use outflank_testing::command::{Folder, Run, run, run_until};
use outflank_testing::data::{database, random_game};
use outflank_testing::reference::exact_score;
use outflank_train::record::{Damage, Reader, Record, Source};

/// Moves of random games, one game a line, and the set of their positions.
fn random_games(seed: u64, count: usize) -> (String, HashSet<Board>) {
    let mut rng = SplitMix64::new(seed);
    let (mut text, mut boards) = (String::new(), HashSet::new());
    for _ in 0..count {
        let game = random_game(&mut rng);
        for pair in game.windows(2) {
            let placed = pair[0].empties() & !pair[1].empties();
            text.extend(Square::all_in(placed).map(|square| square.to_string()));
        }
        text.push('\n');
        boards.extend(game);
    }
    (text, boards)
}

/// `outflank train generate OUT`, with options as in `--from games.txt --games 4`.
fn generate(out: &Path, options: &str) -> Command {
    let mut command = outflank();
    command.args(["train", "generate"]).arg(out);
    command.args(options.split_whitespace());
    command
}

fn run_ok(command: &mut Command) -> Run {
    run(command, b"").expect(0)
}

fn records(path: &Path) -> Vec<Record> {
    let mut reader = Reader::open(path, Damage::Refuse).unwrap();
    let blocks = reader.by_ref().map(|block| block.unwrap().records);
    let records: Vec<Record> = blocks.flatten().collect();
    assert!(reader.left_out().is_empty());
    records
}

/// Folder with a file of games.
fn folder_with_games(count: usize) -> (Folder, PathBuf, HashSet<Board>) {
    let folder = Folder::new();
    let (text, boards) = random_games(3, count);
    let games = folder.file("games.txt", text);
    (folder, games, boards)
}

#[test]
fn labels_are_exact_and_follow_the_options() {
    let (folder, games, boards) = folder_with_games(40);
    let out = folder.path("out.records");
    let from = games.display();
    let options = format!(
        "--from {from} --empties 6..8,10 --exact 10 --line 4 --per-game 5 --deviations 2 --block 7"
    );
    run_ok(&mut generate(&out, &options));
    let records = records(&out);
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
    let taken: Vec<usize> = (0..=60)
        .filter(|&empties| by_empties[empties] > 0)
        .collect();
    assert_eq!(taken, [4, 5, 6, 7, 8, 9, 10]);
    // Best lines make most of the records. Of the others, one in three is a position of the game.
    let share = of_games * 100 / records.len();
    assert!(
        (5..50).contains(&share),
        "{share} % of the records are of games"
    );
    assert!(by_empties[10] >= 30, "{by_empties:?}");
}

#[test]
fn other_positions_are_labelled_by_searches_or_results() {
    let (folder, games, boards) = folder_with_games(8);
    let from = games.display();
    let searched = folder.path("searched.records");
    let options =
        format!("--from {from} --empties 6,30..40 --exact 8 --depth 3 --per-game 6 --block 8");
    run_ok(&mut generate(&searched, &options));
    let records = records(&searched);
    let count_of = |source: Source| {
        records
            .iter()
            .filter(|record| record.source == source)
            .count()
    };
    assert!(count_of(Source::Exact) > 0 && count_of(Source::Search { depth: 3 }) > 30);
    assert_eq!(
        count_of(Source::Exact) + count_of(Source::Search { depth: 3 }),
        records.len()
    );

    // Selective searches to the end of the game.
    let selective = folder.path("selective.records");
    let options = format!("--from {from} --empties 14 --exact 8 --depth 60 --selectivity 99");
    run_ok(&mut generate(&selective, &options));
    let records = self::records(&selective);
    let mut engine = Engine::builder().hash_mib(4).build().unwrap();
    let right = records.iter().filter(|record| {
        assert_eq!(record.source, Source::Search { depth: 14 });
        let solution = engine.search(record.board, &Limits::EXACT).unwrap();
        i32::from(record.value) == solution.score * DISC
    });
    assert!(right.count() * 10 >= records.len() * 9 && records.len() > 30);

    let played = folder.path("played.records");
    let options = format!("--from {from} --empties 9..30 --exact 8 --above game --block 8");
    run_ok(&mut generate(&played, &options));
    let records = self::records(&played);
    assert!(records.len() > 50);
    for record in &records {
        assert_eq!(record.source, Source::Game);
        assert!(
            boards.contains(&record.board),
            "positions come from the games"
        );
    }
    // Labels of a game differ in their sign only.
    for game in records.chunk_by(|a, b| a.game == b.game) {
        let all: HashSet<i16> = game.iter().map(|record| record.value.abs()).collect();
        assert_eq!(all.len(), 1, "{all:?}");
    }
}

#[test]
fn left_games_continue_by_self_play() {
    let (folder, games, boards) = folder_with_games(30);
    let from = games.display();
    let out = folder.path("out.records");
    let options = format!(
        "--from {from} --go-on 26..30 --empties 18..32 --deviations 0 --exact 0 --depth 1 --per-game 9 \
         --play-depth 1 --block 5"
    );
    run_ok(&mut generate(&out, &options));
    let records = records(&out);
    let mut by_empties = [[0; 2]; 61];
    for record in &records {
        let of_game = boards.contains(&record.board);
        by_empties[record.board.empty_count() as usize][usize::from(of_game)] += 1;
    }
    let sum = |of_game: usize| {
        by_empties
            .map(|counts| counts[of_game])
            .iter()
            .sum::<usize>()
    };
    assert_eq!(
        by_empties[31..],
        [[0; 2]; 30],
        "no position precedes the moves of self-play"
    );
    assert_eq!(
        by_empties[30][0], 0,
        "positions with 30 empty squares belong to the games"
    );
    assert!(by_empties[26..=30].iter().any(|counts| counts[1] > 0));
    assert!(sum(0) > 100 && sum(1) < sum(0) / 3, "{by_empties:?}");

    // A continuation has the number of its game, so that both are held out together.
    let out = folder.path("games.records");
    let options = format!("--from {from} --empties 20..50 --exact 0 --depth 1 --per-game 1");
    run_ok(&mut generate(&out, &options));
    let of_games: HashSet<u32> = self::records(&out)
        .iter()
        .map(|record| record.game)
        .collect();
    assert!(records.iter().all(|record| of_games.contains(&record.game)));
}

#[test]
fn records_do_not_depend_on_threads() {
    let (folder, games, _) = folder_with_games(20);
    let from = games.display();
    for (name, options) in [
        (
            "lines",
            format!("--from {from} --games 60 --empties 7..11 --exact 11 --line 5 --block 3"),
        ),
        (
            "searches",
            format!("--from {from} --empties 8..30 --exact 9 --depth 4 --block 3"),
        ),
        (
            "self",
            "--from self --games 12 --empties 8..40 --exact 10 --depth 3 --play-depth 3 --block 3"
                .to_owned(),
        ),
        (
            "gone-on",
            format!(
                "--from {from} --go-on 30..40 --empties 9..40 --exact 10 --depth 3 --play-depth 3 --block 3"
            ),
        ),
    ] {
        let files = [1, 3].map(|threads| {
            let out = folder.path(&format!("{name}-{threads}.records"));
            run_ok(&mut generate(
                &out,
                &format!("{options} --threads {threads}"),
            ));
            out
        });
        let [one, three] = files.each_ref().map(|file| fs::read(file).unwrap());
        assert_eq!(one, three, "{name}");
        assert!(records(&files[0]).len() > 50, "{name}");
    }
}

/// A killed and continued run makes the file of an uninterrupted one.
#[cfg(unix)]
#[test]
fn killed_run_continues() {
    let (folder, games, _) = folder_with_games(20);
    let options = format!(
        "--from {} --games 400 --empties 10..12 --exact 12 --per-game 6 --block 4 --threads 2",
        games.display()
    );
    let whole = folder.path("whole.records");
    run_ok(&mut generate(&whole, &options));
    let whole = fs::read(whole).unwrap();

    let killed = folder.path("killed.records");
    let mut child = generate(&killed, &options)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while fs::metadata(&killed).map_or(0, |file| file.len()) < 5_000 {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = fs::read(&killed).unwrap();
    assert!(left.len() < whole.len(), "it was killed in the middle");
    // Simulates a kill in the middle of a block.
    fs::write(&killed, &left[..left.len() - 5]).unwrap();

    let other = options.replace("--per-game 6", "--per-game 5 --seed 9");
    let refused = run(&mut generate(&killed, &other), b"").expect(1);
    let difference = "seed is 1 there and 9 here; positions of a game is 6 there and 5 here";
    assert!(refused.stderr.contains(difference), "{}", refused.stderr);

    let run = run_ok(&mut generate(&killed, &options));
    assert!(
        run.stderr
            .contains("bytes behind the last whole block cut off")
    );
    assert!(run.stdout.contains("goes on behind"), "{}", run.stdout);
    assert!(fs::read(&killed).unwrap() == whole, "the files differ");
    // More games append more blocks.
    let run = run_ok(&mut generate(&killed, &options.replace("400", "404")));
    assert!(run.stdout.contains("of 4 games"), "{}", run.stdout);
    assert!(fs::read(&killed).unwrap().starts_with(&whole));
}

#[cfg(unix)]
#[test]
fn interrupted_run_keeps_whole_blocks() {
    let (folder, _, _) = folder_with_games(1);
    let out = folder.path("out.records");
    let options = "--from self --empties 8..10 --exact 10 --play-depth 1 --block 2";
    let is_written = || fs::metadata(&out).map_or(0, |file| file.len()) > 1000;
    run_until(&mut generate(&out, options), is_written).expect(130);
    assert!(!records(&out).is_empty());
}

#[test]
fn illegal_games_are_skipped_and_reported() {
    let folder = Folder::new();
    let good: &[u8] = &[56, 64, 43, 34, 23, 32];
    let old = folder.file("old.wtb", database(2001, &[good, &[56, 56], good, &[11]]));
    let late = folder.file("late.wtb", database(2018, &[good]));
    let out = folder.path("out.records");
    let options = format!(
        "--from {} {} --until 2017 --empties 54..58 --exact 3 --depth 1 --deviations 0 --block 1",
        old.display(),
        late.display()
    );
    let run = run_ok(&mut generate(&out, &options));
    for expected in [
        "old.wtb: game 2: move 2, F5, is not legal",
        "old.wtb: game 4: move 1, A1, is not legal",
        "2 games skipped",
        "2 games, and 1 of later years than 2017 left out",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
    assert!(run.stdout.contains("of 2 games"), "{}", run.stdout);

    let texts = folder.file("games.txt", "f5d6c3\nf5f5\nf5 d6 c\n");
    let out = folder.path("texts.records");
    let options = format!(
        "--from {} --empties 58..59 --exact 3 --depth 1 --block 1",
        texts.display()
    );
    let messages = run_ok(&mut generate(&out, &options)).stderr;
    assert!(
        messages.contains("games.txt:2: move 2, F5, is not legal"),
        "{messages}"
    );
    assert!(
        messages.contains("games.txt:3:7: expected a move"),
        "{messages}"
    );
}

#[test]
fn invalid_plans_are_refused() {
    let (folder, _, _) = folder_with_games(2);
    folder.file("empty", "");
    folder.file("cut.wtb", &database(2000, &[&[56]])[..80]);
    folder.file("comment.txt", "# no game\n");
    folder.file("illegal.txt", "a1\n");
    let nothing = "neither games nor positions in it";
    let go_on = "--from self --go-on 30";
    for (options, status, expected) in [
        ("--from absent.wtb", 1, "absent.wtb: No such file"),
        ("--from empty", 1, nothing),
        ("--from comment.txt", 1, nothing),
        ("--from -", 1, nothing),
        ("--from illegal.txt", 2, "no game that could be used"),
        ("--from cut.wtb", 1, "cut.wtb: not WTHOR: expected 84 bytes"),
        (
            "--from games.txt --until 2017",
            1,
            "does not say when its games were played",
        ),
        (
            "--from games.txt --empties 9..8",
            2,
            "expected numbers of empty squares",
        ),
        (
            "--from games.txt --per-game 0",
            2,
            "expected a whole number from 1 to 4294967295",
        ),
        (
            "--from games.txt --per-game 60000",
            2,
            "too much for a block",
        ),
        (
            "--from games.txt --empties 20 --weights games.txt",
            1,
            "expected weights, but ",
        ),
        (
            "--from self --opening-plies 10",
            2,
            "expected at most 9 plies",
        ),
        (go_on, 2, "--go-on needs files of games"),
        (
            "--from games.txt --go-on 18..20 --empties 24",
            2,
            "begin with at most 20 empty squares",
        ),
        (
            "--from self --empties 56",
            2,
            "begin with at most 52 empty squares",
        ),
        ("", 2, "--from"),
    ] {
        let run = run_in(
            &folder,
            &format!("train generate out.records {options}"),
            status,
        );
        assert!(run.stderr.contains(expected), "{options}: {}", run.stderr);
        assert!(!folder.path("out.records").exists(), "{options}");
    }
    #[cfg(target_os = "linux")]
    {
        let line = "train generate /dev/full --from games.txt --empties 5 --exact 5";
        let run = run_in(&folder, line, 1);
        assert!(
            run.stderr.contains("run the same command again"),
            "{run:#?}"
        );
    }
}

/// Games on standard input give the same records as a file.
#[test]
fn games_are_read_from_standard_input() {
    let (folder, games, _) = folder_with_games(4);
    let options = "--empties 6..8 --exact 8";
    run_ok(&mut generate(
        &folder.path("file"),
        &format!("--from {} {options}", games.display()),
    ));
    let mut piped = generate(&folder.path("piped"), &format!("--from - {options}"));
    run(&mut piped, &fs::read(games).unwrap()).expect(0);
    let [file, piped] = ["file", "piped"].map(|name| fs::read(folder.path(name)).unwrap());
    assert!(file == piped);
}

#[test]
fn record_files_are_listed_with_their_damage() {
    let (folder, games, _) = folder_with_games(10);
    let out = folder.path("out.records");
    let options = format!(
        "--from {} --empties 6,20 --exact 8 --depth 2 --per-game 4 --block 5",
        games.display()
    );
    run_ok(&mut generate(&out, &options));
    let records = records(&out);
    let list = |options: &str, status| run_in(&folder, &format!("train records {options}"), status);

    let json = list("--json out.records", 0).json();
    let [file] = &json[..] else {
        panic!("one object a file")
    };
    assert_eq!(file["positions"], records.len());
    assert_eq!(file["blocks"], 2);
    assert_eq!(file["settings"]["exact up to"], "8");
    let exact = records
        .iter()
        .filter(|record| record.source == Source::Exact)
        .count();
    assert_eq!(file["empties"][0]["empties"], 6);
    assert_eq!(file["empties"][0]["exact"], exact);
    assert_eq!(file["depths"]["2"], records.len() - exact);

    let table = list("out.records", 0).stdout;
    assert!(
        table.contains("  searched to 2: ") && table.contains("  seed = 1\n"),
        "{table}"
    );

    let obf = list("--obf out.records", 0).stdout;
    for (line, record) in obf.lines().zip(&records) {
        let start = format!("{} X; --:{:+};", record.board, record.discs());
        assert!(line.starts_with(&start), "{line}");
        assert_eq!(line.contains("% "), record.source != Source::Exact);
    }
    assert_eq!(obf.lines().count(), records.len());

    let mut bytes = fs::read(&out).unwrap();
    let length = bytes.len();
    bytes.truncate(length - 3);
    folder.file("cut.records", &bytes);
    let run = list("--json cut.records", 0);
    assert_eq!(run.json()[0]["left_out"][0]["tail"], true);
    assert!(
        run.stderr.contains("behind the last whole block left out"),
        "{}",
        run.stderr
    );

    let mut bytes = fs::read(&out).unwrap();
    let first_block = bytes
        .windows(4)
        .position(|window| window == b"\xbablk")
        .unwrap();
    bytes[first_block + 40] ^= 1;
    folder.file("damaged.records", &bytes);
    let refused = list("damaged.records", 1);
    assert!(
        refused
            .stderr
            .contains(&format!("damaged from byte {first_block}")),
        "{}",
        refused.stderr
    );
    let skipped = list("--json --skip-damage damaged.records", 1);
    assert_eq!(skipped.json()[0]["blocks"], 1);
    assert!(skipped.stderr.contains("damaged: "), "{}", skipped.stderr);
}
