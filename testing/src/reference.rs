//! A plain solver that shares no code with the library: a mailbox board whose rules walk a step at a
//! time, and alpha-beta with the replies counted for the ordering. Quick enough for 12 empties.

/// The eight neighbours on a board of ten columns, whose outer squares are the edge.
const STEPS: [isize; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];
const EMPTY: i8 = 0;
const EDGE: i8 = 2;

/// From here on, ordering the moves costs more than it saves.
const UNORDERED: usize = 4;

#[derive(Clone)]
struct Mailbox {
    /// 1 and -1 for the discs.
    cells: [i8; 100],
    mover: i8,
    /// The mover's discs less the opponent's.
    difference: i32,
    empties: [u8; 64],
    empty_count: usize,
}

impl Mailbox {
    /// `squares`: 64 characters A1 to H8, `X` the mover's discs, `O` the opponent's, `-` empty.
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

    /// How many discs turn in one direction from the empty square `at`.
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

    /// The position after a move on the empty square number `slot`.
    fn play(&self, slot: usize) -> Option<Mailbox> {
        if !self.can_play(slot) {
            return None;
        }
        let at = usize::from(self.empties[slot]);
        let mut next = self.clone();
        let mut turned = 0;
        for step in STEPS {
            let mut square = at;
            for _ in 0..self.run(at, step) {
                square = square.wrapping_add_signed(step);
                next.cells[square] = self.mover;
                turned += 1;
            }
        }
        next.cells[at] = self.mover;
        next.mover = -self.mover;
        next.difference = -(self.difference + 2 * turned + 1);
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

/// The exact score in discs for the mover, empties to the winner. `squares`: 64 characters A1 to
/// H8, `X` the mover's discs, `O` the opponent's, `-` empty.
pub fn exact_score(squares: &str) -> i32 {
    Mailbox::new(squares).solve(-64, 64)
}
