//! Moves of positions, against counts over all games.

use std::collections::BTreeMap;

use outflank::notation::GameRecord;
use outflank::symmetry::Symmetry;
use outflank::{Board, Side, Square};
use outflank_games::{Filter, Winner};
use outflank_testing::command::Folder;

use crate::common::{played, random_records, record, squares, write};

/// Counts the moves of a position over all games by comparing every position in all symmetries. The key is the first of
/// the squares that are symmetric to each other; 64 is the end of a game.
fn counted<'a>(
    board: Board,
    records: impl Iterator<Item = &'a GameRecord>,
) -> BTreeMap<usize, [u32; 4]> {
    let mut counts: BTreeMap<usize, [u32; 4]> = BTreeMap::new();
    for record in records {
        let moves: Vec<Square> = record.game.moves().collect();
        for (number, (position, side)) in record.game.turns().enumerate() {
            let symmetries = Symmetry::all().filter(|symmetry| symmetry.board(position) == board);
            let first = symmetries
                .map(|symmetry| {
                    moves
                        .get(number)
                        .map_or(64, |&square| symmetry.square(square).index())
                })
                .min();
            let Some(first) = first else {
                continue;
            };
            let [games, wins, draws, losses] = counts.entry(first).or_default();
            *games += 1;
            match record.score().map(|score| side.black_score(score)) {
                Some(1..) => *wins += 1,
                Some(0) => *draws += 1,
                Some(_) => *losses += 1,
                None => {}
            }
        }
    }
    counts
}

#[test]
fn moves_of_all_positions_are_counted() {
    let folder = Folder::new();
    let records = random_records(1, 150);
    // Several commits merge visits into rows.
    let database = write(&folder.path("a.games"), &records, 40);
    let filters = [
        (Filter::default(), None),
        (
            Filter {
                winner: Some(Winner::Black),
                ..Filter::default()
            },
            Some(Side::Black),
        ),
        (
            Filter {
                winner: Some(Winner::White),
                ..Filter::default()
            },
            Some(Side::White),
        ),
    ];
    let mut positions = 0;
    for (number, game) in records.iter().enumerate() {
        for (ply, (board, _)) in game.game.turns().enumerate() {
            // All positions near the start, where games meet, and some of the others.
            if ply > 4 && !(number + ply).is_multiple_of(29) {
                continue;
            }
            positions += 1;
            for (filter, winner) in &filters {
                let selection = database.select(filter).unwrap();
                let found = database
                    .moves_at(board, |game| selection.contains(game))
                    .unwrap();
                let selected = records.iter().filter(|record| match winner {
                    None => true,
                    Some(Side::Black) => record.score().is_some_and(|score| score > 0),
                    Some(Side::White) => record.score().is_some_and(|score| score < 0),
                });
                let expected = counted(board, selected);
                let first = |square: Option<Square>| {
                    let images = Symmetry::all().filter(|symmetry| symmetry.board(board) == board);
                    square.map_or(64, |square| {
                        images
                            .map(|symmetry| symmetry.square(square).index())
                            .min()
                            .unwrap()
                    })
                };
                let found: BTreeMap<usize, [u32; 4]> = found
                    .iter()
                    .map(|row| {
                        (
                            first(row.square),
                            [row.games, row.wins, row.draws, row.losses],
                        )
                    })
                    .collect();
                assert_eq!(found, expected, "{board}");
            }
        }
    }
    assert!(positions > 500, "{positions}");
    let nowhere = records[0].game.board().pass();
    assert_eq!(database.moves_at(nowhere, |_| true).unwrap(), []);
}

#[test]
fn statistics_are_those_of_the_side_to_move() {
    let folder = Folder::new();
    let games = [
        ("f5d6c3", "Ann", "Bob", "1990", "+10"),
        ("d3c5f6", "Ann", "Eve", "1992", "-2"),
        ("f5d6c3d3", "Bob", "Ann", "1991", "0"),
        ("f5f4", "Eve", "Bob", "", ""),
    ];
    let records: Vec<_> = games
        .iter()
        .map(|&(moves, black, white, year, result)| {
            let properties = [("PB", black), ("PW", white), ("DT", year), ("RE", result)];
            let known: Vec<_> = properties
                .into_iter()
                .filter(|(_, value)| !value.is_empty())
                .collect();
            played(moves, &known)
        })
        .collect();
    let database = write(&folder.path("a.games"), &records, 10);
    let all = database.select(&Filter::default()).unwrap();
    let after = records[3].game.positions()[1].0;
    let moves = database.moves_at(after, |game| all.contains(game)).unwrap();
    let [diagonal, parallel] = &moves[..] else {
        panic!("{moves:?}");
    };
    assert_eq!(
        (diagonal.square, parallel.square),
        ("D6".parse().ok(), "F4".parse().ok())
    );
    // White made the move.
    assert_eq!(
        [
            diagonal.games,
            diagonal.wins,
            diagonal.draws,
            diagonal.losses
        ],
        [3, 1, 1, 1]
    );
    assert_eq!(diagonal.mean_score, Some(-8.0 / 3.0));
    assert_eq!(
        (diagonal.share(), diagonal.years),
        (Some(0.5), Some((1990, 1992)))
    );
    // Ann has 1.5 points of 3 games, Bob 0.5 of 2, Eve 1 of 1.
    let best: Vec<_> = diagonal
        .best_players
        .iter()
        .map(|(name, games)| (name.as_str(), *games))
        .collect();
    assert_eq!(best, [("Eve", 1), ("Ann", 1), ("Bob", 1)]);
    assert_eq!(
        (parallel.games, parallel.share(), parallel.years),
        (1, None, None)
    );
}

#[test]
fn filters_select_games() {
    let folder = Folder::new();
    let records = [
        played(
            "f5d6",
            &[
                ("PB", "Tastet Marc"),
                ("PW", "Feinstein"),
                ("DT", "1992"),
                ("RE", "+2"),
                ("EV", "Paris Open"),
            ],
        ),
        played(
            "f5d6c3",
            &[
                ("PB", "Feinstein Jr"),
                ("PW", "Tastet Marc"),
                ("DT", "1993"),
                ("RE", "-2"),
            ],
        ),
        played(
            "f5d6c4",
            &[("PB", "#8"), ("DT", "1994"), ("RE", "0"), ("EV", "Nice")],
        ),
    ];
    let database = write(&folder.path("a.games"), &records, 10);
    let text = |text: &str| Some(text.to_owned());
    for (filter, expected) in [
        (Filter::default(), Ok(vec![0, 1, 2])),
        (
            Filter {
                player: text("tastet"),
                ..Filter::default()
            },
            Ok(vec![0, 1]),
        ),
        (
            Filter {
                player: text("MARC tas"),
                ..Filter::default()
            },
            Ok(vec![0, 1]),
        ),
        // A whole name is only that one.
        (
            Filter {
                player: text("feinstein"),
                ..Filter::default()
            },
            Ok(vec![0]),
        ),
        (
            Filter {
                player: text("feinst"),
                ..Filter::default()
            },
            Ok(vec![0, 1]),
        ),
        (
            Filter {
                black: text("tastet"),
                ..Filter::default()
            },
            Ok(vec![0]),
        ),
        (
            Filter {
                white: text("tastet"),
                ..Filter::default()
            },
            Ok(vec![1]),
        ),
        (
            Filter {
                tournament: text("paris"),
                ..Filter::default()
            },
            Ok(vec![0]),
        ),
        (
            Filter {
                years: Some((1993, 2000)),
                ..Filter::default()
            },
            Ok(vec![1, 2]),
        ),
        (
            Filter {
                winner: Some(Winner::Nobody),
                ..Filter::default()
            },
            Ok(vec![2]),
        ),
        (
            Filter {
                player: text("nobody"),
                ..Filter::default()
            },
            Err("no player is called \"nobody\""),
        ),
        (
            Filter {
                tournament: text("Rome"),
                ..Filter::default()
            },
            Err("no tournament is called \"Rome\""),
        ),
        (
            Filter {
                years: Some((2, 1)),
                ..Filter::default()
            },
            Err("the first year, 2, is after the last one, 1"),
        ),
    ] {
        let found = database
            .select(&filter)
            .map(|selection| selection.games().collect::<Vec<_>>());
        assert_eq!(
            found.map_err(|error| error.to_string()),
            expected.map_err(str::to_owned),
            "{filter:?}"
        );
    }
}

#[test]
fn novelty_is_the_first_move_that_no_other_game_has() {
    let folder = Folder::new();
    let unusual = outflank::Game::from_start(
        Board {
            player: 1 << 9,
            opponent: 1 << 10,
        },
        Side::Black,
    )
    .unwrap();
    let mut unusual = record(unusual, &[]);
    unusual.game.play(squares("d2")[0]).unwrap();
    let records = [
        played("f5d6c3d3c4f4c5b3c2", &[("PB", "Ann")]),
        played("f5d6c3d3c4f4", &[("PB", "Bob")]),
        unusual.clone(),
    ];
    let database = write(&folder.path("a.games"), &records, 10);
    for (game, expected) in [
        // A transposition of the first five moves.
        (played("f5d6c4d3c3b3", &[]), Some((5, vec![0, 1]))),
        // Turned by 180 degrees.
        (played("c4e3f6e6f5c5d3", &[]), Some((6, vec![0, 1]))),
        // Games of the database do not know themselves.
        (records[0].clone(), Some((6, vec![1]))),
        (records[1].clone(), Some((6, vec![0]))),
        (unusual, None),
    ] {
        let found = database.novelty(&game).unwrap();
        let found = found.map(|novelty| (novelty.known_moves, novelty.games));
        assert_eq!(
            found,
            expected,
            "{:?}",
            game.game.moves().collect::<Vec<_>>()
        );
    }
}
