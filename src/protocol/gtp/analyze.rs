//! What GoGui shows on its board: the commands that `gogui-analyze_commands` lists, and live graphics while
//! a search runs.
//!
//! Source: the GoGui manual, "Analyze Commands" and "Live Graphics". GoGui's first row is at the bottom, so
//! that boards are written from row 8 to row 1; points have Othello's names.

use std::io::{self, Write};
use std::time::Duration;

use super::commands::{gogui_board, name, square_list};
use super::{Player, Search};
use crate::analysis::{Mark, equal_by_symmetry};
use crate::search::{Limits, SearchResult, Selectivity, Strength};
use crate::text::counted;
use crate::{Board, Side, Square};

/// The answer to `gogui-analyze_commands`: type, label and command of each.
pub(super) const MENU: &str = "\
sboard/Evaluation/outflank-evaluation
gfx/Evaluation in Colour/outflank-evaluation_gfx
plist/Best Moves/outflank-best_moves
plist/Legal Moves/outflank-legal_moves
gfx/Principal Variation/outflank-principal_variation";

impl<W: Write> Player<W> {
    /// Searches for the score of every legal move.
    pub(super) fn evaluate_moves(&mut self) -> Analysis {
        let most = self.position.game().board().mobility().count_ones();
        self.analyze(most.max(2))
    }

    /// Searches for best play by both sides.
    pub(super) fn find_variation(&mut self) -> Analysis {
        self.analyze(1)
    }

    /// Searches the position for its best moves, as far as for a move without a clock.
    fn analyze(&mut self, lines: u32) -> Analysis {
        let (board, side) = self.position.game().position();
        let limits = self.settings.limits(board, Strength::default());
        let search = Search::untimed(board, Limits { lines, ..limits });
        let mut found = self.think(search, side);
        equal_by_symmetry(board, &mut found.candidates);
        Analysis { board, side, found }
    }
}

/// What a search found, and of what position.
pub(super) struct Analysis {
    pub(super) board: Board,
    /// The side to move.
    pub(super) side: Side,
    pub(super) found: SearchResult,
}

impl Analysis {
    /// The moves with their scores, where several were searched for.
    fn moves(&self) -> impl Iterator<Item = (Square, i32)> {
        let candidates = self.found.candidates.iter();
        candidates.filter_map(|one| Some((one.ply?, one.score)))
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

    /// GoGui's `plist`: the moves than which none is better.
    pub(super) fn best_moves(&self) -> String {
        let best = self.moves().map(|(_, score)| score).max();
        let moves = self.moves().filter(|&(_, score)| Some(score) == best);
        square_list(moves.map(|(square, _)| square))
    }

    /// GoGui's `gfx`: scores and colours where several moves were searched for, else the best line as
    /// numbered discs; and a line of text.
    pub(super) fn graphics(&self) -> String {
        let mut commands = Vec::new();
        let labels: Vec<_> = self
            .moves()
            .map(|(square, score)| format!("{square} {score:+}"))
            .collect();
        if !labels.is_empty() {
            commands.push(format!("LABEL {}", labels.join(" ")));
        } else if !self.found.line.is_empty() {
            let sides = [self.side, self.side.other()].into_iter().cycle();
            let plies = self.found.line.iter().zip(sides).map(|(&ply, side)| {
                let letter = if side == Side::Black { 'b' } else { 'w' };
                format!("{letter} {}", name(ply))
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

    /// Score, depth and best line in words.
    fn text(&self) -> String {
        if self.board.is_game_over() {
            return match self.side.black_score(self.found.score) {
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
        } = self.found;
        let certainty = match selectivity {
            Selectivity::Full => String::new(),
            selectivity => format!(" at {selectivity}"),
        };
        let how_far = match depth >= self.board.empty_count() {
            true if certainty.is_empty() => "exact".to_owned(),
            true => format!("to the end{certainty}"),
            false => format!("{}{certainty}", counted(depth, "ply", "plies")),
        };
        let line: Vec<_> = self.found.line.iter().map(|&ply| name(ply)).collect();
        let line = line.join(" ");
        format!("{} to move: {score:+} ({how_far}) {line}", self.side)
    }
}

/// The colour of a move that costs so many discs.
fn colour(loss: i32) -> &'static str {
    match Mark::of_loss(loss) {
        Mark::Good if loss == 0 => "#40c040",
        Mark::Good => "#b0e090",
        Mark::Inaccurate => "#f0e040",
        Mark::Mistake => "#f0a030",
        Mark::Blunder => "#e05040",
    }
}

/// Shows what a running search has found so far, by GoGui's live graphics on standard error.
#[derive(Default)]
pub(super) struct LiveGraphics {
    is_shown: bool,
}

impl LiveGraphics {
    /// What is found sooner than this is not shown: nobody could read it.
    const DELAY: Duration = Duration::from_millis(100);

    pub(super) fn show(&mut self, analysis: &Analysis) {
        if analysis.found.time >= LiveGraphics::DELAY {
            self.is_shown = true;
            self.write(&format!("gogui-gfx:\n{}\n\n", analysis.graphics()));
        }
    }

    /// In one piece; where nobody reads it, nothing but the picture is lost.
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
