//! Names of the players and tournaments of WTHOR databases.

use std::fs;

use crate::common::program::{OutputChecks, run_in};
use crate::common::text::{assert_ends, assert_starts};
use outflank_testing::command::{Folder, Run};
use outflank_testing::data::database;
use serde_json::json;

/// Converts a file of games to another file in the folder.
#[track_caller]
pub(crate) fn convert(folder: &Folder, format: &str, from: &str, out: &str) -> Run {
    run_in(
        folder,
        &format!("convert --to {format} --out {out} {from}"),
        0,
    )
}

/// Converts `WTH_2001.wtb` of a folder to standard output.
#[track_caller]
fn converted(folder: &Folder, format: &str) -> Run {
    run_in(folder, &format!("convert --to {format} WTH_2001.wtb"), 0)
}

/// Builds a list of names in the format of WTHOR, with `bytes` bytes per name.
fn names(names: &[&str], bytes: usize) -> Vec<u8> {
    let mut file = vec![20, 26, 1, 31, 0, 0, 0, 0];
    file.extend((names.len() as u16).to_le_bytes());
    file.extend([0; 6]);
    for name in names {
        // All letters of these tests are in ISO 8859-1.
        let letters: Vec<u8> = name.chars().map(|letter| letter as u8).collect();
        file.extend(&letters);
        file.extend(vec![0; bytes - letters.len()]);
    }
    file
}

/// Builds the database of a year with two games: tournament 1 with players 2 and 1, tournament 9 with players 0 and 9.
pub(crate) fn numbered(year: u16) -> Vec<u8> {
    let moves = [56, 64, 43, 34, 23, 32];
    let mut bytes = database(year, &[&moves, &moves]);
    for (game, numbers) in [[1, 2, 1], [9, 0, 9]].into_iter().enumerate() {
        for (index, number) in numbers.into_iter().enumerate() {
            bytes[16 + 68 * game + 2 * index] = number;
        }
    }
    bytes
}

#[test]
fn numbers_of_databases_get_names() {
    let folder = Folder::new();
    let bytes = numbered(2001);
    folder.file("WTH_2001.wtb", &bytes);
    // Without lists of names, players and tournaments stay numbers.
    let before = converted(&folder, "ggf");
    before.stdout_starts("(;GM[Othello]PC[#1]DT[2001]PB[#2]PW[#1]RE");
    assert_eq!(before.stderr, "2 written\n");
    let solve = "solve --hash 1 --depth 1 WTH_2001.wtb";
    let run = run_in(&folder, &format!("{solve} --json"), 0);
    assert_eq!(run.json()[0]["name"], "game 1");

    // `WTH.JOU` is read, but `WTHOR.JOU` takes precedence.
    let short = folder.file("WTH.JOU", names(&["1", "2", "3"], 20));
    converted(&folder, "ggf").stdout_has("PB[3]PW[2]");
    let long = folder.file("WTHOR.JOU", names(&["a", "b", "c"], 20));
    converted(&folder, "ggf").stdout_has("PB[c]PW[b]");
    for list in [short, long] {
        fs::remove_file(list).unwrap();
    }

    // The case of the file names does not matter.
    let players = ["???", "Feinstein Jonathan", "Désiré Dupont"];
    folder.file("wthor.jou", names(&players, 20));
    folder.file("WTHOR.TRN", names(&["Paris", "Championnat de Nîmes"], 26));
    let named = converted(&folder, "ggf");
    let lines: Vec<&str> = named.stdout.lines().collect();
    let game = "(;GM[Othello]EV[Championnat de Nîmes]DT[2001]PB[Désiré Dupont]PW[Feinstein Jonathan]RE[+0]";
    assert_starts(lines[0], game);
    assert_starts(lines[1], "(;GM[Othello]PC[#9]DT[2001]PB[???]PW[#9]RE");
    let title = "1. Désiré Dupont - Feinstein Jonathan";
    run_in(&folder, solve, 0).stdout_has(format!(" {title} "));
    let analyze = "analyze --hash 1 --depth 1 --json --game 1 WTH_2001.wtb";
    let players = json!({"black": "Désiré Dupont", "white": "Feinstein Jonathan"});
    assert_eq!(run_in(&folder, analyze, 0).json()[0]["players"], players);
    let positions = converted(&folder, "obf").stdout;
    assert_ends(positions.lines().next().unwrap(), &format!("; % {title}"));

    // Conversion back looks up names in the lists beside the new file. Conversion between databases keeps the numbers.
    let ggf = folder.file("games.ggf", &named.stdout);
    for (from, out) in [("games.ggf", "back.wtb"), ("WTH_2001.wtb", "again.wtb")] {
        let run = convert(&folder, "wthor", from, out);
        assert_eq!(run.stderr, format!("{out}: 2 written\n"));
        assert_eq!(fs::read(folder.path(out)).unwrap()[4..], bytes[4..]);
    }
    // In a folder without lists the names are lost, and a message says so.
    let run = convert(&Folder::new(), "wthor", ggf.to_str().unwrap(), "back.wtb");
    let lost = "2 written, 2 games lose properties that the format cannot hold";
    assert_eq!(run.stderr, format!("back.wtb: {lost}\n"));
}

#[test]
fn damaged_lists_of_names_are_a_warning() {
    let folder = Folder::new();
    for year in [2001, 2002] {
        folder.file(&format!("WTH_{year}.wtb"), numbered(year));
    }
    let mut players = names(&["a", "b", "c"], 20);
    players.pop();
    folder.file("WTHOR.JOU", players);
    folder.file("WTHOR.TRN", "short");
    let run = run_in(&folder, "convert --to ggf WTH_2001.wtb WTH_2002.wtb", 0);
    // Each list is reported once per folder, not once per database.
    let message = "WTHOR.JOU: damaged: expected 76 bytes for the 3 names of the header, found 75; \
                   players are shown as numbers\n\
                   WTHOR.TRN: damaged: expected a header of 16 bytes, found 5; \
                   tournaments are shown as numbers\n4 written\n";
    assert_eq!(run.stderr, message);
    run.stdout_has("PC[#1]DT[2002]PB[#2]PW[#1]");
}

/// Other files are not opened, because a pipe without a writer blocks its reader.
#[cfg(unix)]
#[test]
fn only_regular_files_are_lists_of_names() {
    let folder = Folder::new();
    folder.file("WTH_2001.wtb", numbered(2001));
    folder.pipe("WTHOR.JOU");
    let directory = folder.path("WTHOR.TRN");
    fs::create_dir(&directory).unwrap();
    let ignored = "ignored, as it is no regular file";
    let message = format!(
        "WTHOR.JOU: {ignored}; players are shown as numbers\n\
         WTHOR.TRN: {ignored}; tournaments are shown as numbers\n2 written\n"
    );
    assert_eq!(converted(&folder, "ggf").stderr, message);
    // A list of the same name in another case is read.
    folder.file("wthor.jou", names(&["a", "b", "c"], 20));
    fs::remove_dir(directory).unwrap();
    let run = converted(&folder, "ggf");
    assert_eq!(run.stderr, "2 written\n");
    run.stdout_has("PB[c]PW[b]");
}
