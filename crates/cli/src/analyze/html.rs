//! Judged games as an HTML page.

use std::cmp::Reverse;

use outflank::analysis::{Judgement, Mark};
use outflank::diagram::Diagram;
use outflank::{Ply, Side};

use super::Analysis;
use super::picture::{draw, whole_caption};
use super::table::{Cells, losses_text};
use crate::html_page::page;
use crate::svg::escaped;
use crate::text_format::{ply, variation};

/// Maximum number of boards per game.
const MAX_BOARDS: usize = 6;

/// Longest line below a board, in plies.
const MAX_PLIES: usize = 8;

/// Builds the page of all games.
pub(super) fn report(analyses: &[Analysis]) -> String {
    let title = match analyses {
        [analysis] => whole_caption(analysis),
        _ => format!("{} games", analyses.len()),
    };
    let mut body = String::new();
    if analyses.len() > 1 {
        body += &format!("<h1>{}</h1>\n", escaped(&title));
    }
    for analysis in analyses {
        body += &section(analysis);
    }
    page(&title, &body)
}

/// Builds the section of a game.
fn section(analysis: &Analysis) -> String {
    let mut location = format!("{}. {}", analysis.game.number, analysis.game.location);
    if let Some(opening) = analysis.game.opening() {
        location += &format!(", opening {opening}");
    }
    let mut text = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"place\">{}</p>\n<div class=\"graph\">{}</div>\n",
        escaped(&whole_caption(analysis)),
        escaped(&location),
        draw(analysis),
    );
    for side in [Side::Black, Side::White] {
        let losses = escaped(&losses_text(analysis.losses(side)));
        text += &format!("<p>{side}: {losses}</p>\n");
    }
    if let Some(novelty) = &analysis.game.novelty {
        text += &format!("<p>{}</p>\n", escaped(&novelty.text()));
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

/// Selects the marked moves with the largest losses, worst first.
fn worst(moves: &[Judgement]) -> Vec<&Judgement> {
    let marked = moves.iter().filter(|judged| judged.mark() > Mark::Good);
    let mut marked: Vec<_> = marked.collect();
    marked.sort_by_key(|judged| Reverse(judged.loss()));
    marked.truncate(MAX_BOARDS);
    marked
}

/// Draws the board before a move, with the played and the best move.
fn board(analysis: &Analysis, judgement: &Judgement) -> String {
    let Judgement {
        number,
        side,
        played,
        ..
    } = *judgement;
    let before: Ply = match number {
        1 => None,
        _ => analysis.game.record.game.moves().nth(number - 2),
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
        variation(shown, side),
    )
}

/// Builds the table of all moves.
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
        text += &format!(
            "<tr{class}><td>{number}</td><td>{empties}</td><td>{}</td><td>{score}</td><td>{loss}</td>\
             <td>{}</td><td class=\"line\">{better}</td></tr>\n",
            played.trim(),
            depth.trim(),
        );
    }
    text + "</tbody>\n</table>\n"
}
