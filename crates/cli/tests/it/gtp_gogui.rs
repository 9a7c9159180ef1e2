//! `outflank gtp`: the analysis that GoGui shows.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::Duration;

use crate::common::dialogue::{Dialogue, FORCED_PASS, SYMMETRIC, parsed, problem};
use crate::common::text::assert_starts;
use outflank::notation::ply_name;

/// Types of analysis commands that GoGui knows.
const TYPES: &str = "bwboard cboard dboard eplist gfx hpstring hstring none param plist pspairs \
                     pstring string sboard var varb varc varp varpo varw";

#[test]
fn offered_commands_exist_and_have_known_types() {
    let mut engine = Dialogue::start("gtp --hash 1");
    let offered = engine.ask("gogui-analyze_commands");
    let commands = engine.ask("list_commands");
    let offered: Vec<&str> = offered.strip_prefix("= ").unwrap().lines().collect();
    assert!(offered.len() >= 4);
    for line in offered {
        let parts: Vec<&str> = line.split('/').collect();
        let &[kind, label, command] = &parts[..] else {
            panic!("{line}")
        };
        assert!(TYPES.split(' ').any(|known| known == kind), "{line}");
        let exists = commands.lines().any(|known| known == command);
        assert!(exists && !label.is_empty(), "{line}");
    }
    engine.close().expect(0);
}

/// Cells of the answer to `outflank-evaluation`, beginning with row 8.
fn cells(board: &str) -> Vec<Vec<&str>> {
    let rows = board[2..].lines();
    rows.map(|row| row.split(' ').collect()).collect()
}

/// Moves that are equal by symmetry have equal scores, even if the search is not exact.
#[test]
fn symmetric_moves_have_one_score() {
    let mut engine = Dialogue::start("gtp --hash 1 --level 15");
    engine.load_game(SYMMETRIC);
    let board = engine.ask("outflank-evaluation");
    let mut rows = cells(&board);
    rows.reverse();
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            assert_eq!(*cell, rows[column][row], "{board}");
        }
    }
}

#[test]
fn analysis_commands_agree_with_known_scores() {
    let mut engine = Dialogue::start("gtp --hash 4");
    for number in [0, 3] {
        let position = problem("ffo-1-19", number);
        let listed = parsed(&position);
        let scores = listed.moves.iter();
        let scores: BTreeMap<String, String> = scores
            .map(|(ply, score)| (ply_name(*ply), format!("{score:+}")))
            .collect();
        let names: Vec<&str> = scores.keys().map(String::as_str).collect();
        let best = format!("{:+}", listed.best_score().unwrap());
        let mut best_moves = names.clone();
        best_moves.retain(|name| scores[*name] == best);
        engine.load_game(&position);

        let board = engine.ask("outflank-evaluation");
        let rows = cells(&board);
        let is_square = rows.len() == 8 && rows.iter().all(|row| row.len() == 8);
        assert!(is_square, "{board}");
        let mut shown = BTreeMap::new();
        for (row, cells) in (1..=8).rev().zip(rows) {
            let cells = ('A'..='H').zip(cells).filter(|(_, cell)| *cell != "\"\"");
            shown.extend(cells.map(|(column, cell)| (format!("{column}{row}"), cell.to_owned())));
        }
        assert_eq!(shown, scores);

        for (command, moves) in [
            ("outflank-best_moves", &best_moves),
            ("outflank-legal_moves", &names),
        ] {
            let answer = engine.ask(command);
            let mut found: Vec<&str> = answer[1..].split_whitespace().collect();
            found.sort_unstable();
            assert_eq!(found, *moves, "{command}");
        }
        let graphics = engine.ask("outflank-evaluation_gfx");
        let label = graphics.lines().next().unwrap();
        assert_starts(label, "= LABEL ");
        for (name, score) in &scores {
            assert!(label.contains(&format!(" {name} {score}")), "{graphics}");
            let coloured = |line: &&str| line.starts_with("COLOR #") && line.ends_with(name);
            assert_eq!(graphics.lines().filter(coloured).count(), 1, "{graphics}");
        }
        let variation = engine.ask("outflank-principal_variation");
        let (moves, text) = variation.split_once('\n').unwrap();
        assert_starts(text, &format!("TEXT black to move: {best} (exact) "));
        let words: Vec<&str> = moves.strip_prefix("= VAR ").unwrap().split(' ').collect();
        assert!(best_moves.contains(&words[1]), "{moves}");
        // The line can be played and ends with the announced score.
        for ply in words.chunks(2) {
            assert_eq!(engine.ask(&format!("play {}", ply.join(" "))), "=");
        }
        let score = engine.ask("final_score").replace("= B", "");
        assert_eq!(score.replace("= 0", "+0"), best);
        for (command, answer) in [
            ("outflank-legal_moves", "="),
            ("outflank-best_moves", "="),
            ("outflank-principal_variation", "= TEXT the game is over: "),
            ("outflank-evaluation", "= \"\" \"\""),
        ] {
            assert_starts(&engine.ask(command), answer);
        }
    }
    engine.load_game(FORCED_PASS);
    assert_eq!(engine.ask("outflank-opening"), "=");
    assert_eq!(engine.ask("outflank-best_moves"), "=");
    let variation = engine.ask("outflank-principal_variation");
    let expected = "= VAR b pass w C1\nTEXT black to move: +58 (";
    assert_starts(&variation, expected);
    assert_eq!(engine.ask("gogui-rules_side_to_move"), "= black");
    engine.close().expect(0);
}

/// Running searches are shown only with `--live-gfx`. An interrupted analysis answers with its result so far.
#[test]
fn running_searches_are_shown() {
    for live in ["--live-gfx", ""] {
        let mut engine = Dialogue::start(&format!("gtp --depth 60 {live}"));
        let side = engine.load_game(&problem("midgame", 0));
        for (command, start) in [
            (&*format!("reg_genmove {side}"), "= "),
            ("outflank-evaluation_gfx", "= LABEL "),
        ] {
            engine.send(command);
            sleep(Duration::from_millis(1500));
            engine.send("# interrupt");
            assert_starts(&engine.answer(), start);
        }
        let run = engine.close().expect(0);
        // Each answer says that its search was cut short.
        let (cut, stderr): (Vec<&str>, Vec<&str>) = run
            .stderr
            .split_inclusive('\n')
            .partition(|line| line.starts_with("outflank: an interrupt has cut the search short"));
        let stderr = stderr.concat();
        assert_eq!(cut.len(), 2, "{run:#?}");
        if live.is_empty() {
            assert_eq!(stderr, "");
            continue;
        }
        let pictures: Vec<&str> = stderr.split("gogui-gfx: CLEAR\n").collect();
        let &[best, all, ""] = &pictures[..] else {
            panic!("{stderr}")
        };
        assert_starts(best, &format!("gogui-gfx:\nVAR {side} "));
        assert!(best.ends_with("\n\n"), "{best}");
        assert_starts(all, "gogui-gfx:\nLABEL ");
        assert!(all.contains("\nTEXT "), "{all}");
    }
}
