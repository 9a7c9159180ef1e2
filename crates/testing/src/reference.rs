//! Reference solver that shares no code with the library. It runs alpha-beta on a mailbox board and orders moves by the
//! opponent's mobility. It is fast enough for 12 empties.

/// Offsets of the eight neighbours on a board of ten columns, whose outer squares are the edge.
const STEPS: [isize; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];
const EMPTY: i8 = 0;
const EDGE: i8 = 2;

/// Largest number of empty squares at which moves are not ordered, since ordering costs more than it saves there.
const UNORDERED: usize = 4;

#[derive(Clone)]
struct Mailbox {
    /// 1 for a disc of `X`, -1 for `O`, else [`EMPTY`] or [`EDGE`].
    cells: [i8; 100],
    mover: i8,
    /// Discs of the mover minus those of the opponent.
    difference: i32,
    empties: Vec<usize>,
}

impl Mailbox {
    fn new(squares: &str) -> Mailbox {
        assert_eq!(squares.len(), 64);
        let mut board = Mailbox {
            cells: [EDGE; 100],
            mover: 1,
            difference: 0,
            empties: Vec::new(),
        };
        for (index, square) in squares.bytes().enumerate() {
            let at = 11 + 10 * (index / 8) + index % 8;
            board.cells[at] = match square {
                b'X' => 1,
                b'O' => -1,
                _ => EMPTY,
            };
            board.difference += i32::from(board.cells[at]);
            if board.cells[at] == EMPTY {
                board.empties.push(at);
            }
        }
        board
    }

    /// Number of discs that a move on `at` flips in one direction.
    fn run(&self, at: usize, step: isize) -> usize {
        let mut next = at.wrapping_add_signed(step);
        let mut run = 0;
        while self.cells[next] == -self.mover {
            run += 1;
            next = next.wrapping_add_signed(step);
        }
        match self.cells[next] == self.mover {
            true => run,
            false => 0,
        }
    }

    fn can_play(&self, at: usize) -> bool {
        STEPS.iter().any(|&step| self.run(at, step) > 0)
    }

    fn move_count(&self) -> usize {
        let empties = self.empties.iter();
        empties.filter(|&&at| self.can_play(at)).count()
    }

    /// Position after a move on empty square number `slot`; `None` if it is illegal.
    fn play(&self, slot: usize) -> Option<Mailbox> {
        let at = self.empties[slot];
        if !self.can_play(at) {
            return None;
        }
        let mut next = self.clone();
        let mut flipped = 0;
        for step in STEPS {
            let mut square = at;
            for _ in 0..self.run(at, step) {
                square = square.wrapping_add_signed(step);
                next.cells[square] = self.mover;
                flipped += 1;
            }
        }
        next.cells[at] = self.mover;
        next.mover = -self.mover;
        next.difference = -(self.difference + 2 * flipped + 1);
        next.empties.swap_remove(slot);
        Some(next)
    }

    fn pass(&self) -> Mailbox {
        Mailbox {
            mover: -self.mover,
            difference: -self.difference,
            ..self.clone()
        }
    }

    fn solve(&self, alpha: i32, beta: i32) -> i32 {
        let moves = (0..self.empties.len()).filter_map(|slot| self.play(slot));
        if self.empties.len() <= UNORDERED {
            return self.best_of(moves, alpha, beta);
        }
        let mut moves: Vec<_> = moves.collect();
        moves.sort_by_cached_key(Mailbox::move_count);
        self.best_of(moves.into_iter(), alpha, beta)
    }

    fn best_of(&self, moves: impl Iterator<Item = Mailbox>, alpha: i32, beta: i32) -> i32 {
        let mut best = None;
        for next in moves {
            let floor = best.map_or(alpha, |best| alpha.max(best));
            let score = -next.solve(-beta, -floor);
            best = best.max(Some(score));
            if score >= beta {
                break;
            }
        }
        match best {
            Some(best) => best,
            None if self.pass().move_count() > 0 => -self.pass().solve(-beta, -alpha),
            None => self.difference + self.difference.signum() * self.empties.len() as i32,
        }
    }
}

/// Exact score in discs for the mover; empty squares count for the winner.
///
/// `squares` are 64 characters A1 to H8: `X` for the mover, `O` for the opponent, `-` for empty squares.
pub fn exact_score(squares: &str) -> i32 {
    Mailbox::new(squares).solve(-64, 64)
}
