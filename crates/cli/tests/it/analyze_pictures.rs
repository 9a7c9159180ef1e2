//! `outflank analyze`: the picture of a game, and the report for a browser.

use std::fs;

use crate::analyze_cli::{analyze, analyze_json, draw, moves, number};
use crate::common::dialogue::random_ggf;
use crate::common::picture::{assert_inside, lines, size, texts};
use outflank_testing::command::Folder;
use outflank_testing::data::{game, transcript};

/// Random games have many marked moves, and scores over the whole range.
#[test]
fn pictures_have_their_labels_inside_and_apart() {
    let name = "Maximiliana Theresia Bernadotte of Wisborg";
    let long = [name, &"W".repeat(50)];
    for (seed, moves, names) in [
        (1, 60, ["", ""]),
        (2, 60, long),
        (3, 60, [long[1]; 2]),
        (4, 7, long),
        (5, 1, ["", ""]),
        (6, 52, ["a", "b"]),
    ] {
        let game = random_ggf(seed, moves, &[("PB", names[0]), ("PW", names[1])]);
        let (_, svg) = draw("--depth 2", &game);
        assert_inside(&svg);
        let all = texts(&svg);
        let labels = all.iter().filter(|text| text.color == "#C8323C");
        let labels: Vec<_> = labels.collect();
        assert!(labels.len() > 20 || moves < 50, "{}", labels.len());
        for (i, label) in labels.iter().enumerate() {
            let over = labels[..i].iter().find(|other| label.is_over(other));
            assert!(over.is_none(), "game {seed}: {label:?} over {over:?}");
            let mut lines = lines(&svg).into_iter();
            let over = lines.find(|line| label.is_over_line(line.1));
            assert!(over.is_none(), "game {seed}: {label:?} over {over:?}");
        }
        // The legend explains the signs.
        let says = |part: &str| all.iter().any(|text| text.text.contains(part));
        assert!(says("score after the move"), "game {seed}");
        let explains_signs = says("that lost 3 discs or more");
        assert!(labels.is_empty() || explains_signs, "game {seed}");
        assert_eq!(says("exact from here on"), moves == 60, "game {seed}");
    }
}

/// The curve takes a large part of the height, even if one side leads throughout the game.
#[test]
fn pictures_use_their_height() {
    for seed in 1..=6 {
        let (_, svg) = draw("--depth 2", &transcript(&game(seed)));
        let curve = lines(&svg).into_iter();
        let curve = curve.filter(|(color, _)| color == "#1F5FA0");
        // The sample in the legend is left out.
        let heights = curve.map(|(_, [from, _])| from.1);
        let height = size(&svg).1;
        let heights = heights.filter(|&y| y < height - 60.0);
        let [low, high] = [f64::min, f64::max].map(|of| heights.clone().reduce(of).unwrap());
        assert!(high - low > 0.45 * height, "game {seed}: {low} to {high}");
    }
}

/// A page has the graph, the table, and boards of the worst mistakes. It loads nothing else, and names of players
/// cannot inject code.
#[test]
fn reports_are_one_page_that_needs_nothing_else() {
    let folder = Folder::new();
    let page = folder.path("game.html");
    let name = "<script>\u{202e}alert(1)</script> & \"B\"";
    let ggf = |seed| random_ggf(seed, 60, &[("PB", name), ("PW", "b")]) + "\n";
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
    let namespace = "xmlns=\"http://www.w3.org/2000/svg\"";
    assert_eq!(html.matches("://").count(), html.matches(namespace).count());
    let moves = moves(&objects[0]);
    // The table has a row for each move, and there are pictures of the graph and of the six worst mistakes.
    let parts = ["<tr", "<svg ", "class=\"best\""].map(|part| html.matches(part).count());
    assert_eq!(parts, [moves.len() + 1, 1 + 6, 6]);
    let losses = moves.iter().map(|judgement| number(judgement, "loss"));
    let mut losses: Vec<_> = losses.collect();
    losses.sort_by_key(|loss| -loss);
    for loss in &losses[..6] {
        assert!(html.contains(&format!("</b> lost {loss} discs")), "{loss}");
    }
    // Several games share one page.
    let (_, html) = analyzed(&(ggf(3) + &ggf(4)));
    assert_eq!(html.matches("<section>").count(), 2);
}

/// Long names are cut in the table and the caption. They are whole in the title and in JSON.
#[test]
fn long_names_are_cut_with_a_sign() {
    let long = "Désirée-Élodie von und zu ".repeat(20);
    let long = long.trim_end();
    for (black, white) in [("Ann", long), (long, "B & <C>"), (long, long)] {
        let game = format!("(;GM[Othello]PB[{black}]PW[{white}]B[F5]W[D6];)");
        let (table, svg) = draw("--depth 1", &game);
        let cut: String = long.chars().take(39).chain(['…']).collect();
        assert!(table.contains(&cut) && !table.contains(long), "{table}");
        let escaped = format!("{black} against {white}").replace('&', "&amp;");
        let escaped = escaped.replace('<', "&lt;").replace('>', "&gt;");
        assert!(svg.contains(&format!("<title>{escaped}</title>")), "{svg}");
        let mut texts = texts(&svg).into_iter().map(|text| text.text);
        let caption = texts.find(|text| text.contains(" against "));
        let caption = caption.expect("it has a caption");
        let names = caption.split_once(" against ").expect("two names");
        for (shown, name) in [(names.0, black), (names.1, white)] {
            match shown.strip_suffix('…') {
                Some(begin) => assert!(name == long && long.starts_with(begin), "{caption}"),
                None => assert_ne!(name, long, "{caption}"),
            }
        }
        assert_inside(&svg);
        // JSON has the whole name.
        let objects = analyze_json("--depth 1", &game);
        assert_eq!(objects[0]["players"]["black"], black);
    }
}
