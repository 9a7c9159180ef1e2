//! Symmetries of squares and boards.

use outflank::Square;
use outflank::symmetry::Symmetry;
use outflank_checker::reference;
use outflank_random::SplitMix64;
use outflank_testing::data::random_game;

#[test]
fn symmetries_of_boards_and_squares_agree() {
    let mut rng = SplitMix64::new(5);
    for board in (0..20).flat_map(|_| random_game(&mut rng)) {
        let (canonical, symmetry) = board.canonical();
        assert_eq!(symmetry.board(board), canonical);
        let expected = reference::canonical(board.player, board.opponent);
        assert_eq!([canonical.player, canonical.opponent], expected);
        for symmetry in Symmetry::all() {
            let image = symmetry.board(board);
            assert_eq!(symmetry.inverse().board(image), board);
            for square in Square::all_in(board.mobility()) {
                let played = image.play(symmetry.square(square));
                assert_eq!(played, board.play(square).map(|next| symmetry.board(next)));
                assert_eq!(symmetry.inverse().square(symmetry.square(square)), square);
            }
        }
    }
}
