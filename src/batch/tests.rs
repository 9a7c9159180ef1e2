//! Batch functions, compared with kernels of single boards, and errors of invalid rows.

use outflank_checker::reference;
use outflank_kernels::Isa;
use outflank_random::SplitMix64;
use outflank_testing::data::random_game;
use outflank_testing::models::random_network;

use super::*;
use crate::eval::Model;
use crate::square::Square;
use crate::symmetry::Symmetry;

/// More than two blocks of positions of random games, passes and finished games among them.
fn positions() -> Vec<Discs> {
    let mut rng = SplitMix64::new(20);
    let games = std::iter::repeat_with(|| random_game(&mut rng));
    let boards = games.flatten().take(2 * BLOCK + 100);
    boards.map(|board| [board.player, board.opponent]).collect()
}

fn board([player, opponent]: Discs) -> Board {
    Board { player, opponent }
}

fn batches_equal_single_kernels(isa: Isa) {
    let token = isa.token().unwrap();
    let boards = positions();
    let mut words = vec![0; boards.len()];
    let mut pairs = vec![[0; 2]; boards.len()];

    mobility(token, &boards, &mut words).unwrap();
    for (&discs, &moves) in boards.iter().zip(&words) {
        assert_eq!(moves, board(discs).mobility());
    }
    let squares: Vec<u8> = (0..boards.len()).map(|row| row as u8 % 64).collect();
    flip(token, &boards, &squares, &mut words).unwrap();
    for ((&discs, &square), &flipped) in boards.iter().zip(&squares).zip(&words) {
        let after = board(discs).play(Square::new(square).unwrap());
        assert_eq!(flipped, after.map_or(0, |after| after.player ^ discs[1]));
    }
    hash(token, &boards, &mut words).unwrap();
    let portable = Isa::Portable.token().unwrap();
    let mut expected = words.clone();
    hash(portable, &boards, &mut expected).unwrap();
    assert_eq!(words, expected);
    canonical(token, &boards, &mut pairs).unwrap();
    for (&[player, opponent], &lowest) in boards.iter().zip(&pairs) {
        assert_eq!(lowest, reference::canonical(player, opponent));
    }
    perft(token, &boards, 2, Passes::Plies, &mut words).unwrap();
    for (&discs, &leaves) in boards.iter().zip(&words) {
        let expected = crate::search::perft(isa, board(discs), 2, Passes::Plies);
        assert_eq!(Ok(leaves), expected);
    }
    let evaluation = Evaluation::new(Model::networks(random_network(3), String::new()));
    let mut values = vec![0; boards.len()];
    evaluate(token, &evaluation, &boards, &mut values).unwrap();
    for (&discs, &value) in boards.iter().zip(&values) {
        assert_eq!(value, evaluation.value(portable, board(discs)));
    }
    for set in [FeatureSet::Edax, FeatureSet::Corner] {
        let mut all = vec![0; boards.len() * set.count()];
        features(token, set, &boards, &mut all).unwrap();
        let mut expected = all.clone();
        features(portable, set, &boards, &mut expected).unwrap();
        assert!(all == expected && all.iter().any(|&feature| feature > 6560));
    }
}

fn network_inputs_equal_references(isa: Isa) {
    let token = isa.token().unwrap();
    let boards = positions();
    let mut words = vec![0; boards.len()];
    stability(token, &boards, &mut words).unwrap();
    for (&[player, opponent], &stable) in boards.iter().zip(&words) {
        assert_eq!(stable, reference::stability(player, opponent));
    }
    potential_mobility(token, &boards, &mut words).unwrap();
    for (&[player, opponent], &squares) in boards.iter().zip(&words) {
        assert_eq!(squares, reference::potential_mobility(player, opponent));
    }
    let mut all = vec![[0; 2]; boards.len() * SYMMETRIES];
    images(token, &boards, &mut all).unwrap();
    for (&discs, images) in boards.iter().zip(all.chunks(SYMMETRIES)) {
        let expected = Symmetry::all().map(|symmetry| symmetry.board(board(discs)));
        assert!(expected.eq(images.iter().map(|&image| board(image))));
    }
    let mut masks = vec![false; boards.len() * 64];
    move_masks(token, &boards, &mut masks).unwrap();
    let mut three = vec![0_f32; boards.len() * 3 * 64];
    planes(token, Planes::DiscsAndMoves, &boards, &mut three).unwrap();
    let mut two = vec![false; boards.len() * 2 * 64];
    planes(token, Planes::Discs, &boards, &mut two).unwrap();
    for (row, &[player, opponent]) in boards.iter().enumerate() {
        let moves = board([player, opponent]).mobility();
        for square in 0..64 {
            let is_set = |word: u64| word >> square & 1 != 0;
            assert_eq!(masks[64 * row + square], is_set(moves));
            for (plane, word) in [player, opponent, moves].into_iter().enumerate() {
                let item = three[64 * (3 * row + plane) + square];
                assert_eq!(item, f32::from(u8::from(is_set(word))));
            }
            assert_eq!(two[64 * 2 * row + square], is_set(player));
            assert_eq!(two[64 * (2 * row + 1) + square], is_set(opponent));
        }
    }
}

fn only_finished_games_have_a_final_score(isa: Isa) {
    let token = isa.token().unwrap();
    let all = positions().into_iter();
    let (ends, others): (Vec<Discs>, Vec<Discs>) =
        all.partition(|&discs| board(discs).is_game_over());
    let mut scores = vec![0; ends.len()];
    final_scores(token, &ends, &mut scores).unwrap();
    for (&end, &score) in ends.iter().zip(&scores) {
        assert_eq!(i32::from(score), board(end).final_score());
    }
    let mixed: Vec<Discs> = [&ends[..3], &others[..1]].concat();
    let error = final_scores(token, &mixed, &mut scores[..4]).unwrap_err();
    assert_eq!(error.to_string(), "row 3: the game is not over");
}

fn children_are_all_legal_plies(isa: Isa) {
    let token = isa.token().unwrap();
    let boards = positions();
    let ChildBoards {
        boards: after,
        parents,
        plies,
    } = children(token, &boards).unwrap();
    let expected = boards.iter().enumerate().flat_map(|(row, &parent)| {
        let parent = board(parent);
        let pass = parent.must_pass().then(|| (parent.pass(), PASS));
        let moves = Square::all_in(parent.mobility());
        let moves = moves.map(move |square| (parent.play(square).unwrap(), square.index() as u8));
        let all = pass.into_iter().chain(moves);
        all.map(move |(after, ply)| ([after.player, after.opponent], row as u64, ply))
    });
    let found = after.iter().zip(&parents).zip(&plies);
    assert!(expected.eq(found.map(|((&after, &row), &ply)| (after, row, ply))));
    assert!(plies.contains(&PASS));
    // `apply` makes each child from its parent.
    let from: Vec<Discs> = parents.iter().map(|&row| boards[row as usize]).collect();
    let mut again = vec![[0; 2]; from.len()];
    apply(token, &from, &plies, &mut again).unwrap();
    assert_eq!(again, after);
}

fn invalid_rows_are_named(isa: Isa) {
    let token = isa.token().unwrap();
    let start = [Board::START.player, Board::START.opponent];
    let mut boards = vec![start; 3 * BLOCK];
    let mut plies = vec![37; boards.len()];
    let mut to = boards.clone();
    let row = BLOCK + 7;
    for (ply, fault) in [
        (36, "E5 is not legal here"),
        (0, "A1 is not legal here"),
        (PASS, "PS is not legal here"),
        (65, "65 is no ply: A1 to H8 are 0 to 63, and a pass is 64"),
    ] {
        plies[row] = ply;
        let error = apply(token, &boards, &plies, &mut to).unwrap_err();
        assert_eq!(error.to_string(), format!("row {row}: {fault}"));
    }
    let mut words = vec![0; boards.len()];
    let error = flip(token, &boards, &plies, &mut words).unwrap_err();
    let fault = "65 is no square: A1 to H8 are 0 to 63";
    assert_eq!(error.to_string(), format!("row {row}: {fault}"));
    plies[row] = PASS;
    let error = flip(token, &boards, &plies, &mut words).unwrap_err();
    assert_eq!((error.row, error.fault), (row, RowFault::NotASquare(PASS)));
    boards[row] = [3, 2];
    let error = mobility(token, &boards, &mut words).unwrap_err();
    assert_eq!(error.to_string(), format!("row {row}: both sides hold B1"));
}

/// An invalid board and an invalid ply or a running game, in the same block of boards or in two.
fn the_first_invalid_row_is_reported(isa: Isa) {
    const OVERLAP: Discs = [3, 2];
    const FINISHED: Discs = [u64::MAX, 0];
    let token = isa.token().unwrap();
    let start = [Board::START.player, Board::START.opponent];
    for (first, second) in [(5, 9), (5, BLOCK + 9)] {
        for is_board_first in [false, true] {
            let (board_row, other_row) = match is_board_first {
                true => (first, second),
                false => (second, first),
            };
            let mut boards = vec![start; 2 * BLOCK];
            boards[board_row] = OVERLAP;
            let mut plies = vec![37; boards.len()];
            plies[other_row] = PASS;
            let mut ends = vec![FINISHED; boards.len()];
            ends[board_row] = OVERLAP;
            ends[other_row] = start;
            let mut after = boards.clone();
            let (mut words, mut scores) = (vec![0; boards.len()], vec![0; boards.len()]);
            for checked in [
                apply(token, &boards, &plies, &mut after),
                flip(token, &boards, &plies, &mut words),
                final_scores(token, &ends, &mut scores),
            ] {
                let error = checked.unwrap_err();
                let is_overlap = matches!(error.fault, RowFault::Overlap(_));
                assert_eq!((error.row, is_overlap), (first, is_board_first));
            }
        }
    }
}

outflank_kernels::level_tests!(batches_equal_single_kernels);
outflank_kernels::level_tests!(children_are_all_legal_plies);
outflank_kernels::level_tests!(invalid_rows_are_named);
outflank_kernels::level_tests!(network_inputs_equal_references);
outflank_kernels::level_tests!(only_finished_games_have_a_final_score);
outflank_kernels::level_tests!(the_first_invalid_row_is_reported);
