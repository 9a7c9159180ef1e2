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
    empties: [u8; 64],
    empty_count: usize,
}

impl Mailbox {
    fn new(squares: &str) -> Mailbox {
        assert_eq!(squares.len(), 64);
        let mut board = Mailbox {
            cells: [EDGE; 100],
            mover: 1,
            difference: 0,
            empties: [0; 64],
            empty_count: 0,
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
                board.empties[board.empty_count] = at as u8;
                board.empty_count += 1;
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
        if self.cells[next] == self.mover {
            run
        } else {
            0
        }
    }

    fn can_play(&self, slot: usize) -> bool {
        let at = usize::from(self.empties[slot]);
        STEPS.iter().any(|&step| self.run(at, step) > 0)
    }

    fn move_count(&self) -> usize {
        (0..self.empty_count)
            .filter(|&slot| self.can_play(slot))
            .count()
    }

    /// Position after a move on empty square number `slot`; `None` if it is illegal.
    fn play(&self, slot: usize) -> Option<Mailbox> {
        if !self.can_play(slot) {
            return None;
        }
        let at = usize::from(self.empties[slot]);
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
        next.empty_count -= 1;
        next.empties[slot] = next.empties[next.empty_count];
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
        let moves = (0..self.empty_count).filter_map(|slot| self.play(slot));
        if self.empty_count <= UNORDERED {
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
            None => self.difference + self.difference.signum() * self.empty_count as i32,
        }
    }
}

/// Exact score in discs for the mover; empty squares count for the winner.
///
/// `squares` are 64 characters A1 to H8: `X` for the mover, `O` for the opponent, `-` for empty squares.
pub fn exact_score(squares: &str) -> i32 {
    Mailbox::new(squares).solve(-64, 64)
}
