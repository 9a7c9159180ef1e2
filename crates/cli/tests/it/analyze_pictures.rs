//! `outflank analyze`: the picture of a game, and the report for a browser.

use crate::common::program::OutputChecks;
use std::fs;

use crate::analyze_cli::analyze;
use crate::common::dialogue::problem;
use crate::common::picture::{assert_inside, lines, size, texts};
use outflank::{Board, Side};
use outflank_testing::command::Folder;
use outflank_testing::data::{game, transcript};

/// Random games have many marked moves, and scores over the whole range.
#[test]
fn pictures_have_their_labels_inside_and_apart() {
    let long = [
        "Maximiliana Theresia Bernadotte of Wisborg",
        &"W".repeat(50),
    ];
    let start = "---------------------------O*------*O--------------------------- *";
    let folder = Folder::new();
    let picture = folder.path("game.svg");
    for (seed, moves, names) in [
        (1, 60, ["", ""]),
        (2, 60, long),
        (3, 60, [long[1]; 2]),
        (4, 7, long),
        (5, 1, ["", ""]),
        (6, 52, ["a", "b"]),
    ] {
        let game = game(seed);
        let positions: Vec<(Board, Side)> = game.turns().collect();
        let moves: String = game
            .moves()
            .zip(positions)
            .take(moves)
            .map(|(square, (_, side))| format!("{}[{square}]", ["B", "W"][side as usize]))
            .collect();
        let [black, white] = names;
        let text = format!("(;GM[Othello]PB[{black}]PW[{white}]TY[8]BO[8 {start}]{moves};)");
        analyze(&format!("--depth 2 - --svg {}", picture.display()), &text).expect(0);
        let svg = fs::read_to_string(&picture).unwrap();
        assert_inside(&svg);
        let all = texts(&svg);
        let labels = all.iter().filter(|text| text.color == "#C8323C");
        let labels: Vec<_> = labels.collect();
        assert!(labels.len() > 20 || text.len() < 500, "{}", labels.len());
        for (i, label) in labels.iter().enumerate() {
            let over = labels[..i].iter().find(|other| label.is_over(other));
            assert!(over.is_none(), "game {seed}: {label:?} over {over:?}");
            let over = lines(&svg)
                .into_iter()
                .find(|line| label.is_over_line(line.1));
            assert!(over.is_none(), "game {seed}: {label:?} over {over:?}");
        }
        // The legend explains the signs.
        let says = |part: &str| all.iter().any(|text| text.text.contains(part));
        assert!(says("score after the move"), "game {seed}");
        assert!(
            labels.is_empty() || says("that lost 3 discs or more"),
            "game {seed}"
        );
        assert_eq!(
            says("exact from here on"),
            moves.len() > 55 * 5,
            "game {seed}"
        );
    }
}

/// The curve takes a large part of the height, even if one side leads throughout the game.
#[test]
fn pictures_use_their_height() {
    let folder = Folder::new();
    let picture = folder.path("game.svg");
    for seed in 1..=6 {
        let text = transcript(&game(seed));
        analyze(&format!("--depth 2 - --svg {}", picture.display()), &text).expect(0);
        let svg = fs::read_to_string(&picture).unwrap();
        let curve = lines(&svg)
            .into_iter()
            .filter(|(color, _)| color == "#1F5FA0");
        // The sample in the legend is left out.
        let heights = curve.map(|(_, [from, _])| from.1);
        let heights: Vec<f64> = heights.filter(|&y| y < size(&svg).1 - 60.0).collect();
        let [low, high] =
            [f64::min, f64::max].map(|of| heights.iter().copied().reduce(of).unwrap());
        assert!(
            high - low > 0.45 * size(&svg).1,
            "game {seed}: {low} to {high}"
        );
    }
}

/// A page has the graph, the table, and boards of the worst mistakes. It loads nothing else, and names of players
/// cannot inject code.
#[test]
fn reports_are_one_page_that_needs_nothing_else() {
    let folder = Folder::new();
    let page = folder.path("game.html");
    let name = "<script>\u{202e}alert(1)</script> & \"B\"";
    let start = "---------------------------O*------*O--------------------------- *";
    let ggf = |seed: u64| {
        let game = game(seed);
        let turns = game.moves().zip(game.turns());
        let moves =
            turns.map(|(square, (_, side))| format!("{}[{square}]", ["B", "W"][side as usize]));
        let moves: String = moves.collect();
        format!("(;GM[Othello]PB[{name}]PW[b]TY[8]BO[8 {start}]{moves};)\n")
    };
    let analyzed = |text: &str| {
        let options = format!("--depth 2 --json - --html {}", page.display());
        let run = analyze(&options, text).expect(0);
        (run.json(), fs::read_to_string(&page).unwrap())
    };
    let (objects, html) = analyzed(&ggf(3));
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(html.contains("prefers-color-scheme: dark") && html.contains("&lt;script&gt;"));
    assert!(!html.contains("<script") && !html.contains('\u{202e}'));
    for outside in ["src=", "href=", "url(", "@import", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let addresses = html.matches("://").count();
    assert_eq!(
        addresses,
        html.matches("xmlns=\"http://www.w3.org/2000/svg\"").count()
    );
    let moves = objects[0]["moves"].as_array().unwrap();
    assert_eq!(html.matches("<tr").count(), moves.len() + 1);
    // Pictures of the graph and of the six worst mistakes.
    assert_eq!(html.matches("<svg ").count(), 1 + 6);
    let mut worst: Vec<_> = moves
        .iter()
        .map(|judgement| judgement["loss"].as_i64().unwrap())
        .collect();
    worst.sort_by_key(|loss| -loss);
    for loss in &worst[..6] {
        assert!(html.contains(&format!("</b> lost {loss} discs")), "{loss}");
    }
    assert_eq!(html.matches("class=\"best\"").count(), 6);
    // Several games share one page. A file with only positions is refused.
    let (_, html) = analyzed(&(ggf(3) + &ggf(4)));
    assert_eq!(html.matches("<section>").count(), 2);
    let position = problem("ffo-1-19", 0);
    let run = analyze(&format!("- --html {}", page.display()), &position).expect(2);
    run.stderr_has("--html shows a game, and ");
}

/// Long names are cut in the table and the caption. They are whole in the title and in JSON.
#[test]
fn long_names_are_cut_with_a_sign() {
    let folder = Folder::new();
    let long = "Désirée-Élodie von und zu ".repeat(20);
    let long = long.trim_end();
    let picture = folder.path("game.svg");
    for (black, white) in [("Ann", long), (long, "B & <C>"), (long, long)] {
        let game = format!("(;GM[Othello]PB[{black}]PW[{white}]B[F5]W[D6];)");
        let run = analyze(&format!("--depth 1 - --svg {}", picture.display()), &game).expect(0);
        let cut: String = long.chars().take(39).chain(['…']).collect();
        assert!(
            run.stdout.contains(&cut) && !run.stdout.contains(long),
            "{run:?}"
        );
        let svg = fs::read_to_string(&picture).unwrap();
        let escaped = format!("{black} against {white}").replace('&', "&amp;");
        let escaped = escaped.replace('<', "&lt;").replace('>', "&gt;");
        assert!(svg.contains(&format!("<title>{escaped}</title>")), "{svg}");
        let caption = texts(&svg)
            .into_iter()
            .find(|text| text.text.contains(" against "));
        let caption = caption.expect("it has a caption").text;
        let names = caption.split_once(" against ").expect("two names");
        for (shown, name) in [(names.0, black), (names.1, white)] {
            match shown.strip_suffix('…') {
                Some(begin) => assert!(name == long && long.starts_with(begin), "{caption}"),
                None => assert_ne!(name, long, "{caption}"),
            }
        }
        assert_inside(&svg);
        // JSON has the whole name.
        let run = analyze("--depth 1 --json -", &game).expect(0);
        assert_eq!(run.json()[0]["players"]["black"], black);
    }
}
