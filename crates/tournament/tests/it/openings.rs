//! Openings of a file, and random ones.

use std::collections::HashSet;

use outflank::openings::{openings, replies};
use outflank::search::{Engine, Limits, Selectivity, StopHandle};
use outflank::{Game, Isa};
use outflank_tournament::{Openings, RandomOpenings};

fn random(plies: u32, max_score: u32, seed: u64) -> Openings {
    let settings = RandomOpenings {
        plies,
        max_score,
        seed,
    };
    Openings::random(settings, Isa::detect(), &StopHandle::default()).unwrap()
}

#[test]
fn random_openings_are_distinct_even_and_determined_by_the_seed() {
    let take = |seed| -> Vec<Game> {
        let mut openings = random(6, 3, seed);
        let game = |pair| openings.of_pair(pair, 20).unwrap();
        (0..20).map(game).collect()
    };
    let games = take(1);
    assert_eq!(take(1), games);
    assert_ne!(take(2), games);
    let all = openings(6);
    let mut engine = Engine::builder().hash_mib(1).build().unwrap();
    let mut classes = HashSet::new();
    for game in &games {
        assert_eq!(game.moves().count(), 6);
        let limits = Limits::depth(8, Selectivity::Full);
        let result = engine.search(game.board(), &limits).unwrap();
        assert!(result.score.abs() <= 3, "{}", result.score);
        let mut before = game.clone();
        let last = before.undo().unwrap().unwrap();
        let mut replies = replies(before.board());
        let (_, class) = replies.find(|(square, _)| *square == last).unwrap();
        assert!(all.contains(&class) && classes.insert(class));
    }
}

#[test]
fn files_are_described_or_refused() {
    for (file, plies, expected) in [
        ("f5d6c3\nf5f6\n", None, "2 of a file, CRC-32 ade1c37f"),
        ("f5d6c3\nf5f6e6", Some(2), "2 of a file, CRC-32 23c7f362"),
        // The second is the first one's mirror image.
        ("f5d6\nc4e3\nf5f6", None, "2 of a file, CRC-32 23c7f362"),
        ("", None, "f: neither games nor positions in it"),
        (
            "\x1f\u{8b}\x08",
            None,
            "f: expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), but it is compressed by \
             gzip: unpack it first",
        ),
        (
            "f5f5",
            None,
            "f:1: move 2, F5, is not legal: the square is taken",
        ),
        (
            "---------------------------OX------XO--------------------------- X;",
            None,
            "f:1: a position without moves is no opening: give games",
        ),
        (
            "(;GM[Othello]BO[8 ---------------------------OX------XXX-------------------------- O];)",
            None,
            "f:1: openings begin with the usual position, for engines are told moves",
        ),
        (
            "e6f4e3f6g5d6e7f5c5\n",
            None,
            "f:1: the game is over: take its first moves as opening, --plies N",
        ),
    ] {
        // One byte a character, as a gzip header needs it.
        let bytes: Vec<u8> = file.chars().map(|letter| letter as u8).collect();
        let message = match Openings::read("f", &bytes, plies) {
            Ok(openings) => openings.origin(),
            Err(error) => error.to_string(),
        };
        assert_eq!(message, expected);
    }
    let mut few = random(3, 0, 1);
    let mut errors = (0..20).filter_map(|pair| few.of_pair(pair, 20).err());
    let message = errors.next().unwrap().to_string();
    let expected = "20 pairs need as many openings, and of 14 after 3 plies";
    assert!(message.starts_with(expected), "{message}");
}
