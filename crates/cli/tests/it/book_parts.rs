//! Parts of books, lines of best play, the certainty of values, values set by hand, and games that are learnt while they are played.

use std::fs;

use outflank::{Game, Side};
use outflank_book::Book;
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::transcript;

use crate::common::program::{OutputChecks, cli_in, refuse_all, run_in};

/// A folder with a book of some 60 positions, `a.book`.
fn folder() -> Folder {
    let folder = Folder::new();
    run_in(
        &folder,
        "book learn a.book --positions 60 --level 2 --jobs 1 --hash 1",
        0,
    );
    folder
}

fn len(folder: &Folder, book: &str) -> u64 {
    Book::open(&folder.path(book)).unwrap().len().unwrap()
}

#[test]
fn parts_are_books_with_the_same_values() {
    let folder = folder();
    for line in [
        "book extract a.book f5d6 --out part.book",
        "book prune a.book --in-sum 6 --per-move 4 --out small.book",
        "book prune a.book --in-sum 0 --out best.book",
        "book prune a.book --in-sum 10000 --out all.book",
    ] {
        run_in(&folder, line, 0).stdout_has("position");
    }
    for book in ["part.book", "small.book", "best.book", "all.book"] {
        run_in(&folder, &format!("book check {book}"), 0);
    }
    let value = |book: &str| {
        run_in(&folder, &format!("book show {book} f5d6 --json"), 0)
            .json()
            .remove(0)["value"]
            .clone()
    };
    assert_eq!(value("part.book"), value("a.book"));
    let [all, small, best] = ["all.book", "small.book", "best.book"].map(|book| len(&folder, book));
    assert_eq!(all, len(&folder, "a.book"));
    assert!(best < small && small < all, "{best} {small} {all}");
    // A part has parts, too.
    run_in(
        &folder,
        "book prune part.book f5d6 --in-sum 0 --out less.book",
        0,
    );
    run_in(&folder, "book lines part.book f5d6", 0);
    run_in(&folder, "book extract a.book '' --out whole.book", 0);
    assert_eq!(len(&folder, "whole.book"), len(&folder, "a.book"));
    let part = Book::open(&folder.path("part.book")).unwrap();
    assert_eq!(part.setting("level").unwrap(), Some(2));
    refuse_all(
        &folder,
        "2 book extract a.book f5d6 --out part.book => part.book is there already
         1 book extract a.book f5d6c3d3c4f4f6f3e6e7 --out new.book => a.book: the book lacks the position after f5d6c3
         1 book extract a.book nothing --out new.book => nothing
         2 book extract a.book f5d6 --out a.book => a.book
         2 book prune a.book --in-sum 1 --out built-in => the built-in book cannot be changed
         2 book prune a.book --out new.book => --in-sum
         1 book lines a.book f5d6c3d3c4f4f6f3e6e7 => the book lacks the position after",
    );
}

#[test]
fn values_are_set_and_removed_by_hand() {
    let folder = folder();
    let shown = |moves: &str| {
        let line = format!("book show a.book {moves} --json");
        run_in(&folder, &line, 0).json().remove(0)
    };
    let before = fs::read(folder.path("a.book")).unwrap();
    let old = [shown("''"), shown("f5")];
    run_in(&folder, "book set a.book f5 -9 --reason lost", 0)
        .stdout_has("the position after f5 was worth ")
        .stdout_has("and is worth -9 by hand: lost; ");
    assert_eq!(shown("''")["value"], 9);
    assert_eq!(
        (&shown("f5")["value"], &shown("f5")["reason"]),
        (&(-9).into(), &"lost".into())
    );
    assert_eq!(shown("f5")["moves"], old[1]["moves"]);
    run_in(&folder, "book show a.book f5", 0).stdout_has("value -9 by hand: lost\n");
    run_in(&folder, "book show a.book --certainty", 0)
        .stdout_has("book, by hand: lost; by hand after 1 ply; to rise 1, to fall 1");
    run_in(&folder, "book info a.book", 0)
        .stdout_has(" -9 ")
        .stdout_has("  lost");
    let growth = "book learn a.book --positions 5 --level 2 --jobs 1 --hash 1";
    run_in(&folder, growth, 0);
    run_in(&folder, "book set a.book f5 8 --reason better", 0)
        .stdout_has("was worth -9 by hand: lost and is worth +8 by hand: better; ");
    run_in(&folder, "book merge other.book a.book", 0);
    run_in(&folder, "book check a.book other.book", 0);
    assert_eq!(
        run_in(&folder, "book info other.book --json", 0).json()[0]["by_hand"][0]["reason"],
        "better"
    );
    run_in(&folder, "book export a.book --out edax.dat", 0)
        .stdout_has("1 with a value set by hand, whose reason is dropped");
    run_in(&folder, "book unset a.book f5", 0).stdout_has("by its moves; ");
    assert_eq!(shown("f5")["reason"], serde_json::Value::Null);
    // Nothing else is lost: without growth in between, both values are those from before.
    let path = folder.path("a.book");
    fs::write(&path, before).unwrap();
    run_in(&folder, "book set a.book '' 1 --reason x", 0).stdout_has("the start of the game");
    run_in(&folder, "book unset a.book ''", 0);
    assert_eq!([shown("''"), shown("f5")], old);
    refuse_all(
        &folder,
        "1 book unset a.book f5 => a.book: the position after f5 has no value set by hand
         1 book set a.book f5d6c3d3c4f4f6f3e6e7 1 --reason x => a.book: the book lacks the position after f5d6c3
         1 book set absent.book f5 1 --reason x => absent.book
         2 book set a.book f5 65 --reason x => expected a whole number from -64 to 64
         2 book set a.book f5 1 => --reason
         2 book set a.book f5 1 --reason '' => --reason: the reason of a value: expected a line of 1 to 1000 bytes
         2 book set a.book f5f5 1 --reason x => move 2, F5, is not legal
         2 book set built-in f5 1 --reason x => the built-in book cannot be changed",
    );
}

#[test]
fn deviations_are_answered_within_the_limits() {
    let folder = folder();
    let before = len(&folder, "a.book");
    let options = "--in-sum 2 --empties 54 --level 2 --jobs 1 --hash 1";
    run_in(&folder, &format!("book deviate a.book {options}"), 0).stdout_has("added");
    let after = len(&folder, "a.book");
    assert!(after > before);
    // Nothing is left to do.
    run_in(&folder, &format!("book deviate a.book {options}"), 0)
        .stdout_has(" 0 added, 0 searches");
    run_in(&folder, "book check a.book", 0);
    run_in(&folder, "book extract a.book f5d6 --out part.book", 0);
    refuse_all(
        &folder,
        "1 book deviate absent.book --in-sum 1 => absent.book
         1 book deviate part.book --in-sum 1 => part.book: the book lacks the start of the game
         2 book deviate a.book --in-sum 1 --below f5d6 --empties 58 => the position of --below has 58 empty squares",
    );
}

#[test]
fn lines_are_counted_listed_and_drawn() {
    let folder = folder();
    let row = run_in(
        &folder,
        "book lines a.book --json --list 1000 --plies 60",
        0,
    )
    .json()
    .remove(0);
    assert_eq!(row["all"], row["lines"].as_array().unwrap().len());
    let moves = row["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4, "the first moves are symmetric");
    assert_eq!(row["black"], moves[0]["black"]);
    assert_eq!(row["white"], moves[0]["white"]);
    let run = run_in(
        &folder,
        "book lines a.book f5 --list 2 --plies 4 --svg tree.svg",
        0,
    );
    run.stdout_has("for white: black has to know ")
        .stdout_has("  D6 ");
    let svg = fs::read_to_string(folder.path("tree.svg")).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.contains(">D6</text>") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
}

#[test]
fn certainty_of_values_is_shown() {
    let folder = folder();
    let run = run_in(&folder, "book show a.book --certainty", 0);
    run.stdout_has("; to rise 1, to fall ")
        .stdout_has(" plies; to rise");
    let row = run_in(&folder, "book show a.book --certainty --json", 0)
        .json()
        .remove(0);
    let certainty = &row["certainty"];
    assert_eq!(certainty["depth"], 2, "{row}");
    assert!(certainty["to_fall"].as_u64() >= Some(1), "{row}");
    assert!(
        row["moves"][0]["certainty"]["plies"].as_u64() >= Some(1),
        "{row}"
    );
    let plain = run_in(&folder, "book show a.book --json", 0)
        .json()
        .remove(0);
    assert!(plain["certainty"].is_null() && plain["moves"][0]["certainty"].is_null());
}

#[test]
fn books_of_other_programs_are_imported() {
    let folder = Folder::new();
    let start = outflank::Board::START;
    folder.file(
        "edax.txt",
        format!(
            "\u{feff}\n{start} X,6,F5,2\n{start} X,61,F5,2\n{start} X,1,F5,-10\n{start} X,9,A1,4\n"
        ),
    );
    let mut bytes = b"DICUORAGE\x03\x01\0\0\0".to_vec();
    bytes.extend(start.player.to_le_bytes());
    bytes.extend(start.opponent.to_le_bytes());
    bytes.extend([3, 8, 0, 0, 0, 0, 3, 37, 8]);
    folder.file("a.egbk3", bytes);
    let run = run_in(&folder, "book import a.book edax.txt", 1);
    run.stdout_has("edax.txt: 4 positions, 2 dropped, 1 repeated")
        .stderr_has("dropped: position 3: ");
    let value = || {
        run_in(&folder, "book show a.book --json", 0)
            .json()
            .remove(0)["value"]
            .clone()
    };
    assert_eq!(value(), 2);
    // The deeper search wins.
    run_in(&folder, "book import a.book a.egbk3", 0).stdout_has("a.egbk3: 1 position");
    assert_eq!(value(), 3);
    run_in(&folder, "book check a.book", 0);
    folder.file("short.egbk3", b"DICUORAGE\x03\x02\0\0\0");
    refuse_all(
        &folder,
        "1 book import b.book short.egbk3 => short.egbk3: cut off after 0 of 2 positions
         1 solve a.egbk3 => it is an opening book of Egaroucid's, which `outflank book import` reads",
    );
}

/// Commands of a GTP game of legal moves in the order of squares, to its end.
fn gtp_game() -> (String, Game) {
    let mut game = Game::new();
    let mut commands = String::from("clear_board\n");
    while !game.is_over() {
        let colour = match game.side() {
            Side::Black => 'b',
            Side::White => 'w',
        };
        let Some(square) = outflank::Square::all_in(game.board().mobility()).next() else {
            commands += &format!("play {colour} pass\n");
            game.pass().unwrap();
            continue;
        };
        commands += &format!("play {colour} {square}\n");
        game.play(square).unwrap();
    }
    (commands, game)
}

/// Positions of a game with 30 empty squares and more that the book lacks.
fn missing(folder: &Folder, game: &Game) -> usize {
    let book = Book::open(&folder.path("a.book")).unwrap();
    let positions = game.positions().iter().map(|&(board, _)| board);
    let wanted = positions.filter(|board| board.empty_count() >= 30);
    wanted
        .filter(|&board| book.entry(board).unwrap().is_none())
        .count()
}

#[test]
fn games_are_learnt_when_they_are_over() {
    let learnt = |name: &str, line: &str, typed: &str, game: &Game| -> Run {
        let folder = folder();
        assert!(missing(&folder, game) > 5);
        let run = run(&mut cli_in(&folder, line), typed.as_bytes()).expect(0);
        assert_eq!(missing(&folder, game), 0, "{name}: {run:#?}");
        run_in(&folder, "book check a.book", 0);
        run
    };
    let (commands, game) = gtp_game();
    // The same game twice: it is learnt once more without a change.
    let run = learnt(
        "gtp",
        "gtp --book a.book --learn --hash 1",
        &commands.repeat(2),
        &game,
    );
    assert_eq!(run.stderr, "");
    let moves = format!("{}\n", transcript(&game));
    learnt(
        "play",
        "play --side both --book a.book --learn --hash 1",
        &moves,
        &game,
    );
    let folder = folder();
    refuse_all(
        &folder,
        "2 gtp --learn => --book
         2 gtp --learn --book none => --learn adds games to a book
         2 play --learn --book built-in => the built-in book cannot be changed",
    );
}
