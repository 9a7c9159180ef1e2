//! Command lines that cannot work: the exit status, a message that helps, and unchanged files.
#![cfg(unix)] // for the messages of the system and its devices

use std::fs;

use outflank::eval::{Model, Networks};
use outflank::{Board, Isa};
use outflank_checker::registry::entries;
use outflank_testing::command::Folder;
use outflank_testing::data::{database, root};
use outflank_testing::models::random_network;
use rusqlite::Connection;

use crate::common::dialogue::problem;
use crate::common::inputs::{folder_with_book, game_record, inputs, record_file};
use crate::common::program::{OutputChecks, refuse_all, refuse_in, run_in};

/// The folder of [`inputs`] with files that some commands refuse.
fn bad_inputs() -> Folder {
    let folder = inputs();
    folder.file("empty", "");
    folder.file("text", "--XO X; A1:+2;\n");
    folder.file("bad.obf", "X\n");
    folder.file("one.obf", format!("{} X; --:+2;\n", Board::START));
    folder.file("vacant.obf", format!("{} X; --:+2;\n", "-".repeat(64)));
    folder.file("a.obf.xz", b"\xfd7zXZ\0\0\x04");
    folder.file("comment.txt", "# no game\n");
    folder.file("illegal.txt", "a1\n");
    folder.file("games.ggf", "(;GM[Othello]B[F5];)\n");
    folder.file("cut.wtb", &database(2000, &[&[56]])[..80]);
    record_file(&folder, "one.records", &[game_record(Board::START)]);
    let records = fs::read(folder.path("in.records")).expect("it is there");
    folder.file("cut.records", &records[..10]);
    let network = random_network(3);
    let networks = Networks::of_phases(network.clone(), 20, network.clone());
    folder.file(
        "network.weights",
        Model::networks(network, String::new()).write(),
    );
    folder.file(
        "networks.weights",
        Model::networks(networks, String::new()).write(),
    );
    fs::create_dir(folder.path("sub")).expect("a folder can be made");
    folder
}

#[test]
fn impossible_trainings_are_refused() {
    let table = "
        2 train demo . => is not empty: name a new folder
        1 train demo text => cannot make the folder
        2 train demo new --isa v9 => v9
        1 train duel in.weights absent => cannot read absent: No such file
        1 train duel text in.weights => expected weights, but it looks like text
        2 train duel in.weights => required arguments were not provided
        2 train duel - - --plies 2 --games 100 => 100 games need 50 openings, and there are 3 after 2 plies
        1 train fit absent --out out => absent: No such file
        1 train fit in.weights --out out => it has weights
        1 train fit a.obf.xz --out out => it is compressed by xz: unpack it first
        1 train fit empty --out out => empty: neither games nor positions in it
        1 train fit cut.wtb --out out => cut.wtb: not WTHOR: expected 84 bytes
        1 train fit cut.records --out out => ends within its header
        1 train fit bad.obf --out out => expected records, positions (OBF) or games
        1 train fit in.records --out out --start /dev/null => it is empty
        1 train fit in.records --out out --exclude /absent => /absent: No such file
        2 train fit in.records --out out --knots 4,4 => in ascending order
        2 train fit in.records --out out --knots 0,61 => in ascending order
        2 train fit in.records --out out --windows 0-3 => expected lengths from 1 to 9
        1 train fit in.records --out no/such/folder => make its folder first
        2 train fit in.records --out out --start network.weights => a network; expected linear weights
        2 train fit in.records --out out --network --knots 0 => cannot be used with
        2 train fit in.records --out out --epochs 2 => required arguments were not provided
        2 train fit in.records --out out --svg out => required arguments were not provided
        1 train generate out --from absent.wtb => absent.wtb: No such file
        1 train generate out --from empty => neither games nor positions in it
        1 train generate out --from comment.txt => neither games nor positions in it
        1 train generate out --from - => neither games nor positions in it
        1 train generate out --from cut.wtb => cut.wtb: not WTHOR: expected 84 bytes
        1 train generate out --from in.txt --until 2017 => does not say when its games were played
        2 train generate out --from in.txt --empties 9..8 => expected numbers of empty squares
        2 train generate out --from in.txt --per-game 60000 => too much for a block
        1 train generate out --from in.txt --empties 20 --weights text => expected weights, but
        2 train generate out --from in.txt --go-on 18..20 --empties 24 => begin with at most 20 empty squares
        2 train generate out --from self --opening-plies 10 => expected at most 9 plies
        2 train generate out --from self --go-on 30 => --go-on needs files of games
        2 train generate out --from self --empties 56 => begin with at most 52 empty squares
        2 train generate out => --from
        1 train probcut one.records --weights in.weights --out out => 1 position is too few for an error model
        1 train probcut in.weights --weights in.weights --out out => expected training records, but
        1 train probcut /dev/null --weights in.weights --out out => /dev/null: expected training records, but it is empty
        1 train probcut absent --weights in.weights --out out => absent: cannot be read
        1 train probcut in.records --weights text --out out => expected weights, but it looks like text
        1 train probcut in.records --weights in.weights --out no/such/folder => make its folder first
        2 train probcut in.records --weights in.weights => required arguments were not provided
        1 train score one.obf --weights absent => absent: No such file
        1 train score one.obf --weights one.obf => expected weights, but it looks like text
        1 train score one.obf --svg /no/such => cannot write /no/such
        2 train stages one.obf --out out --start in.weights => linear weights; expected a network
        2 train stages one.obf --out out --start networks.weights --empties 21..60 => positions of 20 and 60 empty squares have different networks
        1 train stages one.obf --out out --empties 54..59 => no position has 54 to 59 empty squares
        2 train stages one.obf --out out --empties 0..3 => from 1 to 60, such as 54..60
        2 train stages one.obf --out out --empties 58 => from 1 to 60, such as 54..60
    ";
    let folder = bad_inputs();
    refuse_all(&folder, table);
    // The fault of the file is a line of its own.
    let run = run_in(&folder, "train stages vacant.obf --out out", 1);
    run.stderr_has("there is no position to learn from");
    assert!(!folder.path("out").exists());
}

#[test]
fn impossible_conversions_are_refused() {
    let table = "
        1 weights info . => outflank: cannot read .: Is a directory
        1 weights info absent => outflank: cannot read absent: No such file
        1 weights info /dev/zero => outflank: cannot read /dev/zero: larger than 16 MiB
        2 weights export network.weights out => network.weights: a network; expected linear weights
        2 weights join in.weights network.weights out => in.weights: linear weights; expected a network
        1 weights join network.weights absent out => cannot read absent
        2 weights join network.weights network.weights out --above 60 => 60
        1 weights import in.dat . => outflank: cannot write .: Is a directory (os error 21); name a file in it
        1 weights import in.dat no/such => No such file or directory (os error 2); make its folder first, or write elsewhere
        2 convert - --to ggf --every => --every, --empties and --move choose positions, so they need --to obf
        2 convert - --to wthor --empties 9 => --every, --empties and --move choose positions, so they need --to obf
        2 convert - --to obf --empties 9 --every => cannot be used with
        2 convert - --to obf --move 9 --every => cannot be used with
        2 convert - --to sgf => [possible values: obf, ggf, wthor, transcript]
        2 convert - => --to <FORMAT>
        2 convert --to obf => <IN>...
        1 convert in.txt --to ggf --out /nowhere/a.ggf => cannot write /nowhere/a.ggf
        2 perft => required arguments were not provided
        2 perft -1 => unexpected argument '-1'
        2 perft 3 --isa v9 => v9
    ";
    refuse_all(&bad_inputs(), table);
}

/// No machine has memory for hash tables of 16 TB.
#[test]
fn impossible_searches_are_refused() {
    let table = "
        2 solve in.txt --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit in memory
        2 analyze in.txt --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit in memory
        2 play --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit in memory
        2 gtp --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit in memory
        2 nboard --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit in memory
        2 bench --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit in memory
        2 book learn new.book --time 1 --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit
        2 book correct new.book --time 1 --hash 16000000 => outflank: a hash table of 16000000 MiB does not fit
        1 solve in.txt --weights text => text: expected weights
        2 solve in.txt --level 9 --depth 3 => cannot be used with
        2 solve in.txt --nodes 1.5 => expected a whole number from 0 to
        1 bench --weights text => text: expected weights
        2 bench --selectivity 90 => expected 73, 87, 95, 98, 99 or 100
        2 bench --selectivity x => expected 73, 87, 95, 98, 99 or 100
    ";
    refuse_all(&bad_inputs(), table);
}

#[test]
fn unusable_problems_and_games_are_refused() {
    let folder = bad_inputs();
    folder.file("one.txt", "f5d6");
    folder.file("two.txt", "f5d6\nf5f6\n");
    folder.file("wrong.txt", "f5f5");
    let position = problem("ffo-1-19", 0);
    folder.file("two.obf", format!("{position}\n{} X;\n", Board::START));
    let table = "
        2 nonsense => error: unrecognized subcommand 'nonsense'
        2 solve => error: the following required arguments were not provided:
        2 solve - --nonsense => error: unexpected argument '--nonsense' found
        2 solve - --isa v9 => outflank: unknown instruction-set level 'v9'
        2 solve - --isa= => outflank: unknown instruction-set level ''
        2 solve - --hash many => value 'many' for '--hash <MiB>': expected a whole number from 1 to 16777216
        2 solve - --hash -1 => value '-1' for '--hash <MiB>': expected a whole number from 1 to 16777216
        2 solve - --hash 16777216 => outflank: a hash table of 16777216 MiB does not fit in memory
        2 solve - --window 3 => error: 2 values required for '--window <LOW> <HIGH>' but 1 was provided
        2 solve - --window 5 5 => outflank: a window has -64 <= LOW < HIGH <= 64, unlike 5 and 5
        2 solve - --wld --window -1 1 => error: the argument '--wld' cannot be used with '--window <LOW> <HIGH>'
        2 solve - --jobs 0 => value '0' for '--jobs <N>': expected a whole number from 1 to 512
        2 solve - --jobs 513 => value '513' for '--jobs <N>': expected a whole number from 1 to 512
        2 solve - --jobs 2 --threads 2 => --jobs searches each position on one thread: leave out --threads
        2 solve - --jobs 5 --hash 4 => a table has at least 1 MiB, and --hash 4 is to be divided among 5 --jobs
        2 solve - --empties 61 => value '61' for '--empties <N>': expected a whole number from 0 to 60
        2 solve - --move 0 => value '0' for '--move <N>': expected a whole number from 1 to 61
        2 solve - --move 5 --empties 5 => error: the argument '--move <N>' cannot be used with '--empties <N>'
        2 analyze two.txt --svg a.svg => --svg draws one game, and the files have 2 games: choose one with --game
        2 analyze one.obf --svg a.svg => --svg shows a game, and one.obf:1 is a position without moves
        2 analyze two.obf --svg a.svg => --svg shows a game, and the files have 2 positions without moves
        2 analyze one.txt one.obf --svg a.svg => the files have 1 game and 1 position: choose one with --game
        1 analyze one.txt --depth 1 --svg no/a.svg => outflank: cannot write no/a.svg: No such file
        2 analyze one.obf --html a.html => --html shows a game, and one.obf:1 is a position without moves
        1 analyze absent => outflank: absent: No such file
        1 analyze --from transcript empty => outflank: empty: neither games nor positions in it
        2 analyze one.txt --game 0 => value '0' for '--game <N>': expected a whole number from 1 to
        2 analyze one.txt --game 3 => outflank: there is no game 3: the files have 1
        2 analyze one.txt --threads 0 => value '0' for '--threads <N>': expected a whole number from 1 to 512
        2 analyze one.txt --from 0 => value '0' for '--from <MOVE|FORMAT>': expected a move from 1 to 60, or a format: obf
        2 analyze one.txt --from 61 => value '61' for '--from <MOVE|FORMAT>': expected a move from 1 to 60, or a format: obf
        2 analyze one.txt --from x => value 'x' for '--from <MOVE|FORMAT>': expected a move from 1 to 60, or a format: obf
        2 analyze one.txt --last 0 => value '0' for '--last <N>': expected a whole number from 1 to 60
        2 analyze one.txt --last x => value 'x' for '--last <N>': expected a whole number from 1 to 60
        1 play --start absent => outflank: absent: No such file
        1 play --start empty => outflank: empty: neither games nor positions in it
        1 play --start wrong.txt => outflank: wrong.txt:1: move 2, F5, is not legal
        2 play --side green => value 'green' for '--side <SIDE>'
        2 play --time soon => value 'soon' for '--time <SECONDS>': expected a number from 0 to 1000000000
        2 play --time inf => value 'inf' for '--time <SECONDS>': expected a number from 0 to 1000000000
        2 play --time nan => value 'nan' for '--time <SECONDS>': expected a number from 0 to 1000000000
        2 play --time -1 => value '-1' for '--time <SECONDS>': expected a number from 0 to 1000000000
        2 play --threads 0 => value '0' for '--threads <N>': expected a whole number from 1 to 512
    ";
    refuse_all(&folder, table);
    run_in(&folder, "", 2).stderr_has("Usage: outflank <COMMAND>");
}

#[test]
fn faulty_benchmark_peers_are_reported() {
    let folder = Folder::new();
    folder.file("one.obf", problem("ffo-1-19", 0));
    let table = r#"
        1 bench --file one.obf --peer 'no-such-program {file}' => cannot run 'no-such-program'
        1 bench --file one.obf --peer "sh -c 'echo {file} is bad >&2; exit 3'" => is bad
        1 bench --file one.obf --peer 'echo {file}' --peer-time took => no time follows 'took'
        2 bench --file one.obf --peer echo => {file}
        2 bench --file one.obf --peer "echo '{file}" => --peer
        2 bench --file one.obf --peer 'echo {file}' --ours solve => --ours
        1 bench --file one.obf --peer 'echo {file}' --ours 'solve --level x {file}' => ended with
        2 bench --file one.obf --peer 'echo {file}' --rounds 0 => --rounds
        2 bench --file one.obf --peer 'echo {file}' --depth 3 => --depth
        1 bench --file no-such-file --peer 'echo {file}' => no-such-file
        2 bench --rounds 3 => --peer
    "#;
    refuse_all(&folder, table);
}

#[test]
fn unusable_books_are_refused() {
    let folder = folder_with_book();
    let whole = fs::read(folder.path("my.book")).expect("a book");
    folder.file("text.book", "f5d6c3");
    folder.file("cut.book", &whole[..whole.len() - 10]);
    let mut newer = whole.clone();
    newer[63] = 9;
    folder.file("newer.book", newer);
    let mut rotten = whole;
    rotten[4096..].fill(0xAB);
    folder.file("rotten.book", rotten);
    folder.file("cut.dat", b"XADEKOOB\x04\x05");
    let weights = root().join("data/weights/outflank.weights");
    let weights = format!("book info {}", weights.display());
    let of_weights = "it has weights, which `outflank weights info` shows";
    refuse_in(&folder, &weights, 1, of_weights);
    let table = "
        1 book info text.book => expected an opening book, but it looks like text
        1 book info new.book => new.book: No such file
        1 book check cut.book => cut.book: cut off:
        1 book show newer.book => a book of version 9; this outflank reads versions 1 to 2: update outflank
        1 book learn --time 1 text.book => expected an opening book
        1 book correct --time 1 new.book => new.book: No such file
        1 book import new.book cut.dat => cut.dat: cut off after 0 of 0 positions
        1 book import new.book my.book => it is an opening book, which `outflank book info` shows
        1 book import new.book none.dat => none.dat: No such file
        1 book info cut.dat => it is an opening book of Edax's, which `outflank book import` reads
        1 book merge new.book text.book => expected an opening book
        1 book merge new.book rotten.book => rotten.book: damaged:
        2 book merge my.book my.book => BOOK would be written over OTHER; name another file
        2 book show my.book f5f5 => move 2, F5, is not legal
        1 book show my.book xx => no opening is called \"xx\"; `outflank openings list` shows all
        2 book learn built-in --time 1 => the built-in book cannot be changed
        2 book correct built-in => the built-in book cannot be changed
        2 book merge built-in my.book => the built-in book cannot be changed
        1 book import built-in my.book => it is an opening book
        1 gtp --book text.book => expected an opening book, but it looks like text
        1 nboard --book text.book => expected an opening book, but it looks like text
        1 play --book text.book => expected an opening book, but it looks like text
        1 gtp --book new.book => new.book: No such file
        1 nboard --book new.book => new.book: No such file
        1 play --book new.book => new.book: No such file
        2 gtp --book none --tolerance 1 => the moves of a book, and there is none: give one with --book
        2 play --book none --game-tolerance 1 => the moves of a book, and there is none: give one with --book
        2 match a b --tolerance 1 => the moves of a book, and there is none: give one with --book
    ";
    refuse_all(&folder, table);
}

/// The endless query is a view, which readers would run, or a trigger, which writers would run.
#[test]
fn books_with_endless_queries_are_refused() {
    let folder = folder_with_book();
    let endless =
        "with recursive n(i) as (select 1 union all select i + 1 from n) select i, i from n";
    let view = "drop table position; create view position(board, data) as ";
    let trigger = "create trigger position after insert on position begin insert into setting ";
    for (name, begin, end) in [("view", view, ""), ("trigger", trigger, "; end")] {
        let bad = folder.path(&format!("{name}.book"));
        fs::copy(folder.path("my.book"), &bad).expect("a copy");
        let connection = Connection::open(&bad).expect("a database");
        let statement = format!("{begin}{endless}{end}");
        connection.execute_batch(&statement).expect(name);
        drop(connection);
        for line in [
            "book info BAD",
            "book check BAD",
            "book show BAD",
            "book learn BAD --time 1",
            "book correct BAD --time 1",
            "book merge my.book BAD",
            "book merge BAD my.book",
            "book export BAD --out new.dat",
            "gtp --book BAD",
            "nboard --book BAD",
            "play --book BAD",
        ] {
            let line = line.replace("BAD", &format!("{name}.book"));
            let expected = format!("unexpected {name} \"position\"\n");
            refuse_in(&folder, &line, 1, &expected);
        }
    }
}

#[test]
fn match_files_are_checked_before_engines_start() {
    let folder = bad_inputs();
    folder.file("engine", "touch started\n");
    let table = "
        1 match 'sh engine' 'sh engine' --log no/folder => cannot use the log no/folder:
        1 match 'sh engine' 'sh engine' --log sub => cannot use the log sub: Is a directory
        2 match 'sh engine' 'sh engine' --log text => text is no log of a match
        1 match 'sh engine' 'sh engine' --ggf no/folder => cannot write no/folder:
        1 match 'sh engine' 'sh engine' --ggf sub => cannot write sub: Is a directory
        2 match 'sh engine' 'sh engine' --ggf games.ggf => is there already: name another file, or replace it with --force
        2 match 'sh engine' 'sh engine' --ggf text => is there already: name another file, or replace it with --force
    ";
    refuse_all(&folder, table);
}

#[test]
fn unknown_kernels_levels_and_cores_are_refused() {
    let folder = Folder::new();
    let names = "
        2 kernels COMMAND --kernel flop => outflank: no kernel matches 'flop' (possible: board_hash,
        2 kernels COMMAND --kernel z* => outflank: no kernel matches 'z*' (possible: board_hash,
        2 kernels COMMAND --kernel flip.x? => outflank: flip has no algorithm that matches 'x?' (possible:
        2 kernels COMMAND --isa v9 => outflank: unknown instruction-set level 'v9' (possible here: portable
        2 kernels COMMAND --cpu 99999 => outflank: there is no core 99999 (possible:
    ";
    for command in ["check", "bench"] {
        refuse_all(&folder, &names.replace("COMMAND", command));
    }
    // A picture that cannot be written is reported before hours of measuring.
    let table = "
        2 kernels list flop => outflank: no kernel matches 'flop'
        1 kernels bench --kernel transpose --repeats 100000 --svg no/a.svg => outflank: cannot write no/a.svg:
    ";
    refuse_all(&folder, table);
    let missing = Isa::ALL.iter().find(|isa| isa.token().is_err());
    let missing = missing.expect("no CPU has all levels of all architectures");
    let line = format!("kernels check --isa {missing}");
    let message = format!("outflank: this CPU lacks the instruction-set level {missing} (possible");
    refuse_in(&folder, &line, 2, &message);

    // An algorithm that exists only above the portable level.
    let is_portable = |name: (&str, &str)| {
        entries().any(|other| (other.kernel, other.algorithm) == name && other.isa == Isa::Portable)
    };
    let found = entries().find(|entry| {
        entry.isa == Isa::V2
            && entry.isa.token().is_ok()
            && !is_portable((entry.kernel, entry.algorithm))
    });
    if let Some(entry) = found {
        let name = format!("{}.{}", entry.kernel, entry.algorithm);
        let line = format!("kernels check --kernel {name} --isa portable");
        let message = format!("outflank: {name} does not exist at portable (possible: v2");
        refuse_in(&folder, &line, 2, &message);
    }
}
