//! Positions to test with.

use std::path::{Path, PathBuf};

use outflank::notation::wthor::Database;
use outflank::{Board, Game, Square};

use super::rng::Rng;

/// The folder of the repository.
pub fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().expect("this crate is in a folder of it")
}

/// A file or folder of the larger data that is not part of the project; `None`, with a remark, where
/// it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = root().join("../shared/data").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: there is no {}", path.display());
    None
}

/// The WTHOR databases, by year; `None`, with a remark, where they are absent.
pub fn wthor() -> Option<Vec<Database>> {
    let mut paths: Vec<_> = std::fs::read_dir(shared("wthor")?)
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wtb"))
        .collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let bytes = std::fs::read(path).expect("the file can be read");
        Database::read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    Some(paths.iter().map(read).collect())
}

/// The file of the project at `path`.
pub fn project_file(path: &str) -> Vec<u8> {
    let path = root().join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A WTHOR database of `year` with these games, the moves as bytes. All scores are 32 discs, which is
/// a draw.
pub fn database(year: u16, games: &[&[u8]]) -> Vec<u8> {
    let mut file = vec![20, 20, 1, 31];
    file.extend((games.len() as u32).to_le_bytes());
    file.extend([0, 0]);
    file.extend(year.to_le_bytes());
    file.extend([8, 0, 24, 0]);
    for game in games {
        file.extend([0, 0, 0, 0, 0, 0, 32, 32]);
        file.extend(*game);
        file.extend(vec![0; 60 - game.len()]);
    }
    file
}

/// The positions of a game of random moves, the start first, the finished game last.
pub fn random_game(rng: &mut Rng) -> Vec<Board> {
    let mut positions = vec![Board::START];
    let mut board = Board::START;
    while !board.is_game_over() {
        let moves: Vec<_> = Square::all_in(board.mobility()).collect();
        board = match moves.len() {
            0 => board.pass(),
            count => board
                .play(moves[rng.below(count)])
                .expect("the move is legal"),
        };
        positions.push(board);
    }
    positions
}

/// A game of random moves, to its end.
pub fn game(seed: u64) -> Game {
    let positions = random_game(&mut Rng::new(seed));
    let placed = |pair: &[Board]| Square::all_in(pair[0].empties() & !pair[1].empties());
    let moves: Vec<Square> = positions.windows(2).flat_map(placed).collect();
    Game::from_moves(&moves).unwrap()
}

/// The moves of a game as a line.
pub fn transcript(game: &Game) -> String {
    game.moves().map(|square| format!("{square:#}")).collect()
}

/// A board with `empties` empty squares and random discs, `share` percent of them the mover's. Few
/// such boards come from a game; passes, wipeouts and finished games are common among them.
pub fn random_fill(rng: &mut Rng, empties: usize, share: usize) -> Board {
    let mut board = Board {
        player: 0,
        opponent: 0,
    };
    let mut squares: Vec<u32> = (0..64).collect();
    for _ in empties..64 {
        let square = squares.swap_remove(rng.below(squares.len()));
        if rng.below(100) < share {
            board.player |= 1 << square;
        } else {
            board.opponent |= 1 << square;
        }
    }
    board
}

/// A game of random moves, broken off anywhere: from the usual start, or from a position of another
/// such game, with the passes that the rules demand.
pub fn random_play(rng: &mut Rng) -> Game {
    let mut game = Game::new();
    let turns: Vec<_> = game_to_the_end(rng, game.clone()).turns().collect();
    if rng.below(2) == 0 {
        let (board, side) = turns[rng.below(turns.len())];
        game = Game::from_start(board, side).expect("it comes from a game");
    }
    let mut game = game_to_the_end(rng, game);
    for _ in 0..rng.below(game.plies().len() + 1) * rng.below(2) {
        game.undo();
    }
    game
}

fn game_to_the_end(rng: &mut Rng, mut game: Game) -> Game {
    while !game.is_over() {
        let moves: Vec<_> = Square::all_in(game.board().mobility()).collect();
        let played = match moves.len() {
            0 => game.pass(),
            count => game.play(moves[rng.below(count)]),
        };
        played.expect("it is legal");
    }
    game
}
