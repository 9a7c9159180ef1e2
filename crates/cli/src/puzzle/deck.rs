//! Positions in the order in which they are asked.

use std::collections::{HashSet, VecDeque};

use outflank::notation::obf::Problem;
use outflank::{Board, Side};
use outflank_random::SplitMix64;

/// Position whose best move is asked.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    pub(super) board: Board,
    pub(super) side: Side,
    pub(super) name: Option<String>,
    /// `true` after a wrong answer.
    pub(super) is_repeated: bool,
}

impl Puzzle {
    /// Makes a puzzle of a position; `None` if it has fewer than two legal moves. A pass is made.
    pub(super) fn new(problem: &Problem) -> Option<Puzzle> {
        let (board, side) = match problem.board.must_pass() {
            true => (problem.board.pass(), problem.side.other()),
            false => (problem.board, problem.side),
        };
        (board.mobility().count_ones() > 1).then(|| Puzzle {
            board,
            side,
            name: problem.name.clone(),
            is_repeated: false,
        })
    }

    /// Name without the part behind a colon, which may give the played move away.
    pub(super) fn heading(&self) -> Option<&str> {
        let name = self.name.as_deref()?;
        Some(name.split_once(": ").map_or(name, |(heading, _)| heading))
    }

    /// Part of the name that is shown after the answer.
    pub(super) fn secret(&self) -> Option<&str> {
        let (_, secret) = self.name.as_deref()?.split_once(": ")?;
        Some(secret)
    }

    /// Position in canonical form.
    pub(super) fn key(&self) -> Board {
        self.board.canonical().0
    }
}

/// Positions still to ask.
pub(super) struct Deck {
    new: VecDeque<Puzzle>,
    /// Positions with wrong answers, each with the number of questions after which it comes again.
    repeated: VecDeque<(usize, Puzzle)>,
    /// Number of questions so far.
    asked: usize,
}

impl Deck {
    /// Makes a deck of the positions for which `is_due` returns `true`, each once up to symmetry. Without `random` they
    /// keep their order.
    pub(super) fn new(
        puzzles: Vec<Puzzle>,
        random: Option<SplitMix64>,
        is_due: impl Fn(&Puzzle) -> bool,
    ) -> Deck {
        let mut seen = HashSet::new();
        let mut due: Vec<Puzzle> = puzzles
            .into_iter()
            .filter(|puzzle| is_due(puzzle) && seen.insert(puzzle.key()))
            .collect();
        if let Some(mut random) = random {
            random.shuffle(&mut due);
        }
        Deck {
            new: due.into(),
            repeated: VecDeque::new(),
            asked: 0,
        }
    }

    /// Drops positions beyond the first `count`.
    pub(super) fn limit(&mut self, count: usize) {
        self.new.truncate(count);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.new.len() + self.repeated.len()
    }

    /// Number of positions that were not asked yet.
    pub(super) fn new_count(&self) -> usize {
        self.new.len()
    }

    /// Takes the next position. One with a wrong answer comes again after three others, or at the end.
    pub(super) fn next(&mut self) -> Option<Puzzle> {
        let is_due = self
            .repeated
            .front()
            .is_some_and(|&(due, _)| due <= self.asked);
        self.asked += 1;
        match is_due || self.new.is_empty() {
            true => self.repeated.pop_front().map(|(_, puzzle)| puzzle),
            false => self.new.pop_front(),
        }
    }

    /// Puts a position back after a wrong answer.
    pub(super) fn repeat(&mut self, puzzle: Puzzle) {
        /// Number of other positions before it comes again.
        const OTHERS: usize = 3;
        let puzzle = Puzzle {
            is_repeated: true,
            ..puzzle
        };
        self.repeated.push_back((self.asked + OTHERS, puzzle));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_come_again_after_three_others() {
        let boards = outflank::openings::openings(5).into_iter().take(6);
        let puzzle = |board| Puzzle {
            board,
            side: Side::Black,
            name: None,
            is_repeated: false,
        };
        let puzzles: Vec<Puzzle> = boards.map(puzzle).collect();
        let number = |puzzle: &Puzzle| {
            let mut same = puzzles.iter();
            same.position(|other| other.board == puzzle.board).unwrap()
        };
        let mut deck = Deck::new(puzzles.clone(), None, |_| true);
        let mut order = Vec::new();
        while let Some(puzzle) = deck.next() {
            let number = number(&puzzle);
            order.push(number);
            if [1, 5].contains(&number) && !puzzle.is_repeated {
                deck.repeat(puzzle);
            }
        }
        assert_eq!(order, [0, 1, 2, 3, 4, 1, 5, 5]);
    }
}
