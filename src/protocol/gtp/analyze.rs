//! Analysis for GoGui's board: the commands of `gogui-analyze_commands`, and live graphics of a running search.
//!
//! GoGui's first row is at the bottom, so boards are written from row 8 to row 1. Points have Othello's names.
//!
//! Source: the GoGui manual, "Analyze Commands" and "Live Graphics".

use std::io::{self, Write};
use std::time::Duration;

use super::{GtpServer, SearchRequest, gogui_board, ply_name, square_list};
use crate::analysis::{Mark, equalize_symmetric_scores};
use crate::search::{Limits, SearchResult, Selectivity, Strength};
use crate::{Board, Side, Square};
use outflank_support::text::plural;

/// Answer to `gogui-analyze_commands`: a line for each command, with its type and label.
pub(super) const MENU: &str = "\
sboard/Evaluation/outflank-evaluation
gfx/Evaluation in Colour/outflank-evaluation_gfx
plist/Best Moves/outflank-best_moves
plist/Legal Moves/outflank-legal_moves
gfx/Principal Variation/outflank-principal_variation
string/Opening/outflank-opening";

impl<W: Write> GtpServer<W> {
    /// Searches for the score of every legal move.
    pub(super) fn evaluate_moves(&mut self) -> Analysis {
        let moves = self.position.game().board().mobility().count_ones();
        self.analyze(moves.max(2))
    }

    /// Searches for the principal variation.
    pub(super) fn principal_variation(&mut self) -> Analysis {
        self.analyze(1)
    }

    /// Searches for the best `lines` moves, with the strength of a move without a clock.
    fn analyze(&mut self, lines: u32) -> Analysis {
        let (board, side) = self.position.game().position();
        let limits = self.settings.limits(board, Strength::default());
        let search = SearchRequest::untimed(board, Limits { lines, ..limits });
        let mut result = self.search(search, side);
        equalize_symmetric_scores(board, &mut result.candidates);
        Analysis {
            board,
            side,
            result,
        }
    }
}

/// Search result with its position.
pub(super) struct Analysis {
    pub(super) board: Board,
    pub(super) side: Side,
    pub(super) result: SearchResult,
}

impl Analysis {
    /// Moves and scores of a search for several lines; empty for a single line.
    fn moves(&self) -> impl Iterator<Item = (Square, i32)> {
        let candidates = self.result.candidates.iter();
        candidates.filter_map(|candidate| Some((candidate.ply?, candidate.score)))
    }

    /// GoGui's `sboard`: the score of each move on its square, `""` on the others.
    pub(super) fn board(&self) -> String {
        gogui_board((0..8).map(|row| {
            let squares = (0..8).map(|column| Square::new(8 * row + column));
            let cells = squares.map(|square| {
                let scored = self.moves().find(|&(other, _)| Some(other) == square);
                scored.map_or(r#""""#.to_owned(), |(_, score)| format!("{score:+}"))
            });
            cells.collect::<Vec<_>>().join(" ")
        }))
    }

    /// GoGui's `plist`: the moves with the best score.
    pub(super) fn best_moves(&self) -> String {
        let best = self.moves().map(|(_, score)| score).max();
        let moves = self.moves().filter(|&(_, score)| Some(score) == best);
        square_list(moves.map(|(square, _)| square))
    }

    /// GoGui's `gfx`: scores and colours of moves, or the principal variation as numbered discs, and a line of text.
    ///
    /// A search for several lines shows scores and colours, a search for one line the variation.
    pub(super) fn graphics(&self) -> String {
        let mut commands = Vec::new();
        let labels: Vec<_> = self
            .moves()
            .map(|(square, score)| format!("{square} {score:+}"))
            .collect();
        if !labels.is_empty() {
            commands.push(format!("LABEL {}", labels.join(" ")));
        } else if !self.result.line.is_empty() {
            let sides = [self.side, self.side.other()].into_iter().cycle();
            let plies = self.result.line.iter().zip(sides).map(|(&ply, side)| {
                let letter = if side == Side::Black { 'b' } else { 'w' };
                format!("{letter} {}", ply_name(ply))
            });
            commands.push(format!("VAR {}", plies.collect::<Vec<_>>().join(" ")));
        }
        let best = self.moves().map(|(_, score)| score).max();
        commands.extend(self.moves().map(|(square, score)| {
            let colour = colour(best.unwrap_or(score) - score);
            format!("COLOR {colour} {square}")
        }));
        commands.push(format!("TEXT {}", self.text()));
        commands.join("\n")
    }

    /// Score, depth and principal variation in words.
    fn text(&self) -> String {
        if self.board.is_game_over() {
            return match self.side.black_score(self.result.score) {
                0 => "the game is over: a draw".to_owned(),
                black @ 1.. => format!("the game is over: black wins by {black}"),
                black => format!("the game is over: white wins by {}", -black),
            };
        }
        let SearchResult {
            score,
            depth,
            selectivity,
            ..
        } = self.result;
        let confidence = match selectivity {
            Selectivity::Full => String::new(),
            selectivity => format!(" at {selectivity}"),
        };
        let reach = match depth >= self.board.empty_count() {
            true if confidence.is_empty() => "exact".to_owned(),
            true => format!("to the end{confidence}"),
            false => format!("{}{confidence}", plural(depth, "ply", "plies")),
        };
        let line: Vec<_> = self.result.line.iter().map(|&ply| ply_name(ply)).collect();
        let line = line.join(" ");
        format!("{} to move: {score:+} ({reach}) {line}", self.side)
    }
}

/// Colour of a move that loses `loss` discs.
fn colour(loss: i32) -> &'static str {
    match Mark::from_loss(loss) {
        Mark::Good if loss == 0 => "#40c040",
        Mark::Good => "#b0e090",
        Mark::Inaccurate => "#f0e040",
        Mark::Mistake => "#f0a030",
        Mark::Blunder => "#e05040",
    }
}

/// Shows the reports of a running search as GoGui's live graphics on standard error.
#[derive(Default)]
pub(super) struct LiveGraphics {
    is_shown: bool,
}

impl LiveGraphics {
    /// Search time before the first picture. Earlier reports change too fast to be read.
    const DELAY: Duration = Duration::from_millis(100);

    pub(super) fn show(&mut self, analysis: &Analysis) {
        if analysis.result.time >= LiveGraphics::DELAY {
            self.is_shown = true;
            self.write(&format!("gogui-gfx:\n{}\n\n", analysis.graphics()));
        }
    }

    /// Writes all commands at once. Errors are ignored: a closed standard error loses only the picture.
    fn write(&self, commands: &str) {
        let _ = io::stderr().write_all(commands.as_bytes());
    }
}

impl Drop for LiveGraphics {
    fn drop(&mut self) {
        if self.is_shown {
            self.write("gogui-gfx: CLEAR\n");
        }
    }
}
