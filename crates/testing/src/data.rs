//! Test data: files, databases, random games and positions.

use std::path::{Path, PathBuf};

use outflank::notation::wthor::Database;
use outflank::{Board, Game, Square};

use outflank_random::SplitMix64;

/// Root of the repository.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .ancestors()
        .nth(2)
        .expect("this crate is two folders below it")
}

/// Path of a file or folder of the shared data beside the repository. If it is absent, prints a remark and returns
/// `None`.
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = root().join("../shared/data").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: there is no {}", path.display());
    None
}

/// Reads the shared WTHOR databases, in the order of years. If they are absent, prints a remark and returns `None`.
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

/// Reads the file at `path`, relative to the root of the repository.
pub fn project_file(path: &str) -> Vec<u8> {
    let path = root().join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Encodes a WTHOR database of `year`. A game is given by the bytes of its moves. All games are draws.
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

/// Plays a random game and returns its positions, from the start to the end.
pub fn random_game(rng: &mut SplitMix64) -> Vec<Board> {
    let game = play_to_the_end(rng, Game::new());
    game.positions().iter().map(|&(board, _)| board).collect()
}

/// Plays a random game to its end.
pub fn game(seed: u64) -> Game {
    play_to_the_end(&mut SplitMix64::new(seed), Game::new())
}

/// Moves of a game on one line, in lower case and without passes.
pub fn transcript(game: &Game) -> String {
    game.moves().map(|square| format!("{square:#}")).collect()
}

/// Fills a board with random discs except for `empties` squares. `share` percent of the discs are the mover's.
///
/// Few of these boards come from a game. Passes, wipeouts and finished games are common.
pub fn random_fill(rng: &mut SplitMix64, empties: usize, share: usize) -> Board {
    let mut board = Board {
        player: 0,
        opponent: 0,
    };
    let mut squares: Vec<u32> = (0..64).collect();
    for _ in empties..64 {
        let square = squares.swap_remove(rng.index(squares.len()));
        if rng.index(100) < share {
            board.player |= 1 << square;
        } else {
            board.opponent |= 1 << square;
        }
    }
    board
}

/// Plays a random game from the usual start or from a position of another random game. It may be unfinished.
pub fn random_play(rng: &mut SplitMix64) -> Game {
    let mut game = Game::new();
    let turns: Vec<_> = play_to_the_end(rng, game.clone()).turns().collect();
    if rng.index(2) == 0 {
        let (board, side) = turns[rng.index(turns.len())];
        game = Game::from_start(board, side).expect("it comes from a game");
    }
    let mut game = play_to_the_end(rng, game);
    for _ in 0..rng.index(game.plies().len() + 1) * rng.index(2) {
        game.undo();
    }
    game
}

fn play_to_the_end(rng: &mut SplitMix64, mut game: Game) -> Game {
    while !game.is_over() {
        let moves: Vec<_> = Square::all_in(game.board().mobility()).collect();
        let played = match moves.len() {
            0 => game.pass(),
            count => game.play(moves[rng.index(count)]),
        };
        played.expect("it is legal");
    }
    game
}
