//! Replies to a suite as an HTML page.

use std::cmp::Reverse;

use outflank::diagram::Diagram;
use outflank::notation::ply_name;
use outflank_support::text::plural;

use super::table::{AnswerTexts, total_cells, total_titles};
use super::{Position, Reply, Report, SuiteAnswer};
use crate::html_page::page;
use crate::svg::escaped;

/// Maximum number of boards per engine.
const MAX_BOARDS: usize = 12;

/// Builds the page of all engines.
pub(super) fn report(positions: &[Position], reports: &[Report]) -> String {
    let title = format!(
        "Test of {}",
        plural(positions.len(), "position", "positions")
    );
    let mut body = format!("<h1>{title}</h1>\n");
    let rows = reports
        .iter()
        .map(|report| cells("td", &total_cells(report)));
    body += &table(&total_titles(), rows);
    for report in reports {
        body += &section(positions, report);
    }
    page(&title, &body)
}

/// Builds the section of an engine.
fn section(positions: &[Position], report: &Report) -> String {
    let mut text = format!("<section>\n<h2>{}</h2>\n", escaped(&report.name));
    let answered = || positions.iter().zip(&report.replies);
    let answers = answered().filter_map(|(position, reply)| Some((position, reply.as_ref().ok()?)));
    let mut wrong: Vec<_> = answers
        .filter(|(_, answer)| answer.verdict.loss > 0)
        .collect();
    wrong.sort_by_key(|(_, answer)| Reverse(answer.verdict.loss));
    wrong.truncate(MAX_BOARDS);
    if !wrong.is_empty() {
        text += "<h3>Worst moves</h3>\n<div class=\"boards\">\n";
        let boards = wrong
            .iter()
            .map(|(position, answer)| board(position, answer));
        text.extend(boards);
        text += "</div>\n";
    }
    let titles = [
        "position", "number", "move", "lost", "score", "exact", "depth", "nodes", "time",
    ];
    let rows = answered().map(|(position, reply)| row(position, reply));
    text + &table(&titles.map(str::to_owned), rows) + "</section>\n"
}

/// Draws a position with the move of the engine and a best one.
fn board(position: &Position, answer: &SuiteAnswer) -> String {
    let problem = &position.problem;
    let best = problem.moves.iter().max_by_key(|&&(_, score)| score);
    let best = best.and_then(|&(ply, _)| ply);
    let diagram = Diagram::new(problem.board, problem.side);
    let svg = diagram.mistake(answer.ply).best(best).svg();
    format!(
        "<figure>{svg}<figcaption>{}: <b>{}</b> lost {}. Better: {}</figcaption></figure>\n",
        escaped(&name(position)),
        ply_name(answer.ply),
        plural(answer.verdict.loss as usize, "disc", "discs"),
        ply_name(best),
    )
}

fn name(position: &Position) -> String {
    let name = position.problem.name.clone();
    name.unwrap_or_else(|| format!("#{}", position.number))
}

fn row(position: &Position, reply: &Reply) -> String {
    let number = position.number.to_string();
    match reply {
        Err(fault) => {
            let (name, fault) = (name(position), format!("no answer: {fault}"));
            let (name, fault) = (escaped(&name), escaped(&fault));
            format!("<tr><td>{name}</td><td>{number}</td><td colspan=\"7\">{fault}</td></tr>\n")
        }
        Ok(answer) => {
            let exact = position.problem.best_score().unwrap_or_default();
            let texts = AnswerTexts::of(answer);
            let exact = format!("{exact:+}");
            cells(
                "td",
                &[
                    name(position),
                    number,
                    texts.ply,
                    texts.lost,
                    texts.score,
                    exact,
                    texts.depth,
                    texts.nodes,
                    texts.time,
                ],
            )
        }
    }
}

/// Builds a table. The first column is text.
fn table(titles: &[String], rows: impl Iterator<Item = String>) -> String {
    let head = cells("th", titles);
    let rows: String = rows.collect();
    format!("<table class=\"suite\">\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}

/// Builds a row of a table with cells of this element.
fn cells(element: &str, texts: &[String]) -> String {
    let cells = texts
        .iter()
        .map(|text| format!("<{element}>{}</{element}>", escaped(text.trim())));
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}
