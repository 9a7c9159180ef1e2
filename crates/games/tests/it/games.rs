//! Games that are stored and read again, duplicates, commits.

use std::fs;

use outflank::Board;
use outflank::notation::{GameRecord, Note, ggf};
use outflank::symmetry::Symmetry;
use outflank_games::{Addition, Fault, GameDatabase, Writer};
use outflank_testing::command::Folder;

use crate::common::{played, random_records, squares, write};

/// Names and values in alphabetical order.
fn properties(record: &GameRecord) -> Vec<(String, String)> {
    let mut properties: Vec<_> = record
        .properties()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    properties.sort();
    properties
}

#[test]
fn games_keep_their_properties() {
    let folder = Folder::new();
    let mut records = random_records(2, 60);
    for text in [
        "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[a]PW[b\\]c]RB[2100.5]TI[05:00//02:00]RE[+4.5]\
         BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5/1.5/3];)",
        "(;GM[Othello]RE[black wins]EV[#1 Open]PC[Paris]CO[one]CO[two]B[F5]W[F4];)",
        "(;GM[Othello]RE[+1000]EV[#1]PC[#2]B[F5]W[F6];)",
        "(;GM[Othello]PC[#263]DT[1999]PB[#8]PW[#9]RE[-8.000:r]TS[24 +18]B[F5]W[D6];)",
    ] {
        records.push(ggf::read(text.as_bytes()).next().unwrap().unwrap().record);
    }
    let database = write(&folder.path("a.games"), &records, 7);
    assert_eq!(database.games().len(), records.len());
    for (number, record) in (0..).zip(&records) {
        let found = database.game(number).unwrap();
        assert_eq!(found.game, record.game);
        let mut expected = properties(record);
        // Results are written in one form. One that contradicts the board, or has a reason, is kept.
        if let Some((_, result)) = expected.iter_mut().find(|(name, _)| name == "RE")
            && let Some(score) = record.score()
            && result.parse() == Ok(f64::from(score))
        {
            *result = format!("{score:+}");
        }
        if record.property("RE").is_none() && record.score().is_some() {
            expected.push(("RE".to_owned(), format!("{:+}", record.score().unwrap())));
            expected.sort();
        }
        expected.retain(|(name, _)| name != "TY");
        assert_eq!(properties(&found), expected, "{number}");
    }
}

#[test]
fn duplicates_are_left_out() {
    let folder = Folder::new();
    let path = folder.path("a.games");
    let moves = "f5d6c3d3c4f4c5b3c2";
    let known = [("PB", "Tastet Marc"), ("PW", "Feinstein"), ("DT", "1992")];
    let with = |changes: &[(&str, &str)]| {
        let mut record = played(moves, &known);
        changes
            .iter()
            .for_each(|(name, value)| record.set(name, value).unwrap());
        record
    };
    let start = Board::START;
    let f5 = squares("f5")[0];
    let turns = Symmetry::all().filter(|turn| turn.board(start) == start && turn.square(f5) != f5);
    let turn = turns.last().expect("three of them");
    let turned: String = squares(moves)
        .iter()
        .map(|&square| turn.square(square).to_string())
        .collect();
    let mut noted = with(&[]);
    noted.notes.push(Note {
        eval: Some(1.0),
        seconds: None,
    });
    let cases = [
        (with(&[]), false, "itself"),
        (noted, false, "with a note"),
        (played(&turned, &known), false, "turned"),
        (
            with(&[("PB", "marc TASTET")]),
            false,
            "another order of the name",
        ),
        (
            with(&[("PB", "#8"), ("PW", "#9")]),
            false,
            "numbers in place of names",
        ),
        (played(moves, &[]), false, "nothing known"),
        (with(&[("DT", "1993")]), true, "another year"),
        (
            with(&[("PB", "Feinstein"), ("PW", "Tastet Marc")]),
            true,
            "the other side",
        ),
        (played("f5d6c3d3c4f4c5b3", &known), true, "one move less"),
        (
            played("f5d6c4d3c3f4c5b3c2", &known),
            true,
            "a transposition",
        ),
    ];
    // In the same commit, and after it.
    for committed in [false, true] {
        let _ = fs::remove_file(&path);
        let mut writer = Writer::create(&path).unwrap();
        assert_eq!(writer.add(&with(&[])).unwrap(), Addition::New(0));
        if committed {
            writer.commit().unwrap();
            drop(writer);
            writer = Writer::open(&path).unwrap();
        }
        let mut games = 1;
        for (record, is_new, what) in &cases {
            let expected = match is_new {
                true => Addition::New(games),
                false => Addition::Duplicate(0),
            };
            games += u32::from(*is_new);
            assert_eq!(writer.add(record).unwrap(), expected, "{what}");
        }
        assert_eq!(
            writer.add(&GameRecord::default()).unwrap(),
            Addition::NoMoves
        );
    }
}

#[test]
fn only_commits_are_kept_and_one_process_writes() {
    let folder = Folder::new();
    let path = folder.path("a.games");
    let records = random_records(3, 30);
    let mut writer = Writer::create(&path).unwrap();
    let second = Writer::open(&path)
        .err()
        .expect("the first writer locks it");
    assert!(matches!(second.fault, Fault::Busy(_)), "{second}");
    for record in &records[..10] {
        writer.add(record).unwrap();
    }
    writer.commit().unwrap();
    for record in &records[10..] {
        writer.add(record).unwrap();
    }
    // A reader beside the writer sees the commit.
    assert_eq!(GameDatabase::open(&path).unwrap().games().len(), 10);
    drop(writer);
    let database = GameDatabase::open(&path).unwrap();
    assert_eq!(database.games().len(), 10);
    assert_eq!(
        database.visits(Board::START).unwrap().len(),
        records[..10]
            .iter()
            .filter(|record| record.game.has_usual_start())
            .count()
    );
    assert!(Writer::create(&path).is_err(), "it exists");
    let mut files: Vec<_> = fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["a.games"]);
}
