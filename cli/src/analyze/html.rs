//! Judged games as a page for a browser: one file that needs no other, for light and dark screens.

use std::cmp::Reverse;
use std::fmt::Write as _;

use outflank::analysis::{Judgement, Mark};
use outflank::diagram::Diagram;
use outflank::{Ply, Side};

use super::Analysis;
use super::picture::{draw, whole_caption};
use super::table::{Cells, told};
use crate::picture::escaped;
use crate::table::{line, ply};

/// The most boards of a game.
const MAX_BOARDS: usize = 6;

/// The most plies of a line below a board.
const MAX_PLIES: usize = 8;

const STYLE: &str = include_str!("report.css");

/// The report of games.
pub(super) fn report(analyses: &[Analysis]) -> String {
    let title = match analyses {
        [one] => whole_caption(one),
        _ => format!("{} games", analyses.len()),
    };
    let title = escaped(&title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    if analyses.len() > 1 {
        page += &format!("<h1>{title}</h1>\n");
    }
    for analysis in analyses {
        page += &section(analysis);
    }
    page + "</body>\n</html>\n"
}

/// The part of a game.
fn section(analysis: &Analysis) -> String {
    let place = format!("{}. {}", analysis.source.index, analysis.source.place);
    let mut text = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"place\">{}</p>\n<div class=\"graph\">{}</div>\n",
        escaped(&whole_caption(analysis)),
        escaped(&place),
        draw(analysis),
    );
    for side in [Side::Black, Side::White] {
        let losses = escaped(&told(analysis.losses(side)));
        writeln!(text, "<p>{side}: {losses}</p>").expect("memory takes all");
    }
    let worst = worst(&analysis.moves);
    if !worst.is_empty() {
        text += "<h3>Worst mistakes</h3>\n<div class=\"boards\">\n";
        for judgement in worst {
            text += &board(analysis, judgement);
        }
        text += "</div>\n";
    }
    text + &table(&analysis.moves) + "</section>\n"
}

/// The marked moves that lost most, the worst first.
fn worst(moves: &[Judgement]) -> Vec<&Judgement> {
    let marked = moves.iter().filter(|one| one.mark() > Mark::Good);
    let mut marked: Vec<_> = marked.collect();
    marked.sort_by_key(|one| Reverse(one.loss()));
    marked.truncate(MAX_BOARDS);
    marked
}

/// The board before a move, with the move and the best one.
fn board(analysis: &Analysis, judgement: &Judgement) -> String {
    let Judgement {
        number,
        side,
        played,
        ..
    } = *judgement;
    let before: Ply = match number {
        1 => None,
        _ => analysis.source.record.game.moves().nth(number - 2),
    };
    let best = judgement.line.first().copied().flatten();
    let diagram = Diagram::new(judgement.board, side).last(before);
    let svg = diagram.mistake(Some(played)).best(best).svg();
    let shown = &judgement.line[..judgement.line.len().min(MAX_PLIES)];
    format!(
        "<figure>{svg}<figcaption>Move {number}, {side}: <b>{}{}</b> lost {} discs. \
         Better: {}</figcaption></figure>\n",
        ply(Some(played), side),
        judgement.mark().sign(),
        judgement.loss(),
        line(shown, side),
    )
}

/// The table of all moves.
fn table(moves: &[Judgement]) -> String {
    let mut text = String::from(
        "<table>\n<thead><tr><th>move</th><th>empty</th><th>played</th><th>score for black</th>\
         <th>loss</th><th>depth</th><th class=\"line\">better</th></tr></thead>\n<tbody>\n",
    );
    for judgement in moves {
        let Cells {
            played,
            score,
            loss,
            depth,
            better,
        } = Cells::of(judgement);
        let class = match judgement.mark() {
            Mark::Good => "",
            Mark::Inaccurate => " class=\"inaccurate\"",
            Mark::Mistake => " class=\"mistake\"",
            Mark::Blunder => " class=\"blunder\"",
        };
        let (number, empties) = (judgement.number, judgement.empties());
        writeln!(
            text,
            "<tr{class}><td>{number}</td><td>{empties}</td><td>{}</td><td>{score}</td><td>{loss}</td>\
             <td>{}</td><td class=\"line\">{better}</td></tr>",
            played.trim(),
            depth.trim(),
        )
        .expect("memory takes all");
    }
    text + "</tbody>\n</table>\n"
}
