//! Moves that were played in a position.

use outflank::symmetry::Symmetry;
use outflank::{Board, Side, Square};

use crate::{DatabaseError, GameDatabase, Visit};

/// Number of players that [`MoveStatistics::best_players`] names.
const BEST: usize = 3;

/// Games in which a move was played. Wins and scores are those of the side that played it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MoveStatistics {
    /// Move. `None` for the games that ended here.
    pub square: Option<Square>,
    /// Number of games.
    pub games: u32,
    /// Number of games that the side won.
    pub wins: u32,
    /// Number of draws.
    pub draws: u32,
    /// Number of games that the side lost. Games without a result are none of the three.
    pub losses: u32,
    /// Mean of the final scores in discs, -64..=64. `None` without results.
    pub mean_score: Option<f64>,
    /// First and last year of the games.
    pub years: Option<(u16, u16)>,
    /// Up to three of the strongest players who played the move, with the number of their games here.
    ///
    /// The strongest are those with the largest share of points in the whole database. Each player has five wins and five
    /// losses added, so that a few games do not make a champion. Players without a name, such as `#8`, have numbers.
    pub best_players: Vec<(String, u32)>,
}

impl MoveStatistics {
    /// Share of the points that the side scored, 0 to 1. A draw is half a point. `None` without results.
    pub fn share(&self) -> Option<f64> {
        let results = self.wins + self.draws + self.losses;
        (results > 0)
            .then(|| (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(results))
    }
}

impl GameDatabase {
    /// Returns the moves that were played in a position, the most frequent first, counted over the games that `selects`
    /// accepts by number.
    ///
    /// Symmetric positions count, and so do transpositions. Of moves that are symmetric to each other, one stands for
    /// all.
    pub fn moves_at(
        &self,
        board: Board,
        selects: impl Fn(u32) -> bool,
    ) -> Result<Vec<MoveStatistics>, DatabaseError> {
        let representatives = representatives(board);
        let mut by_move: [Vec<Visit>; 65] = [const { Vec::new() }; 65];
        for visit in self.visits(board)? {
            if selects(visit.game) {
                by_move[visit
                    .square
                    .map_or(64, |square| representatives[square.index()])]
                .push(visit);
            }
        }
        let strengths = self.strengths();
        let mut counts = vec![0; self.players.len()];
        let played = by_move
            .iter()
            .enumerate()
            .filter(|(_, visits)| !visits.is_empty());
        let mut moves: Vec<_> = played
            .map(|(index, visits)| MoveStatistics {
                best_players: self.best_players(visits, &strengths, &mut counts),
                ..self.statistics(Square::new(index as u8), visits)
            })
            .collect();
        moves.sort_by_key(|row| (row.square.is_none(), std::cmp::Reverse(row.games)));
        Ok(moves)
    }

    fn statistics(&self, square: Option<Square>, visits: &[Visit]) -> MoveStatistics {
        let scores: Vec<i32> = visits
            .iter()
            .filter_map(|visit| {
                Some(
                    visit
                        .side
                        .black_score(self.games[visit.game as usize].score?.into()),
                )
            })
            .collect();
        let count = |condition: fn(i32) -> bool| {
            scores.iter().filter(|&&score| condition(score)).count() as u32
        };
        let years = || {
            visits
                .iter()
                .filter_map(|visit| self.games[visit.game as usize].year)
        };
        let sum: i32 = scores.iter().sum();
        MoveStatistics {
            square,
            games: visits.len() as u32,
            wins: count(|score| score > 0),
            draws: count(|score| score == 0),
            losses: count(|score| score < 0),
            mean_score: (!scores.is_empty()).then(|| f64::from(sum) / scores.len() as f64),
            years: years().min().zip(years().max()),
            best_players: Vec::new(),
        }
    }

    /// Strongest movers of `visits`. `counts` is zero before and after.
    fn best_players(
        &self,
        visits: &[Visit],
        strengths: &[f64],
        counts: &mut [u32],
    ) -> Vec<(String, u32)> {
        let mut movers = Vec::new();
        for visit in visits {
            let game = &self.games[visit.game as usize];
            let mover = match visit.side {
                Side::Black => game.black,
                Side::White => game.white,
            } as usize;
            if mover == 0 {
                continue;
            }
            if counts[mover] == 0 {
                movers.push(mover);
            }
            counts[mover] += 1;
        }
        movers.sort_by(|&a, &b| {
            strengths[b]
                .total_cmp(&strengths[a])
                .then(counts[b].cmp(&counts[a]))
        });
        let best = movers.iter().take(BEST);
        let best = best
            .map(|&mover| (self.players[mover].clone(), counts[mover]))
            .collect();
        for mover in movers {
            counts[mover] = 0;
        }
        best
    }

    /// Share of points of each player, with five wins and five losses added.
    fn strengths(&self) -> Vec<f64> {
        const ADDED: f64 = 5.0;
        let mut points = vec![(ADDED, 2.0 * ADDED); self.players.len()];
        for game in &self.games {
            let Some(score) = game.score else {
                continue;
            };
            let black = 0.5 * f64::from(score.signum()) + 0.5;
            for (player, won) in [(game.black, black), (game.white, 1.0 - black)] {
                let (sum, games) = &mut points[player as usize];
                *sum += won;
                *games += 1.0;
            }
        }
        points.iter().map(|(sum, games)| sum / games).collect()
    }
}

/// Square that stands for each square and for those that symmetries of the board make of it: at the start F5, else the
/// first one.
fn representatives(board: Board) -> [usize; 64] {
    let symmetries: Vec<_> = Symmetry::all()
        .filter(|symmetry| symmetry.board(board) == board)
        .collect();
    let usual: Square = "F5".parse().expect("a square");
    std::array::from_fn(|index| {
        let square = Square::new(index as u8).expect("64 squares");
        let images = symmetries.iter().map(|symmetry| symmetry.square(square));
        let first =
            images.min_by_key(|&image| (board == Board::START && image != usual, image.index()));
        first.expect("the identity is a symmetry").index()
    })
}
