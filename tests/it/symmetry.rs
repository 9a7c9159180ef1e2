//! The symmetries of the board, for squares and for boards.

use outflank::Square;
use outflank::symmetry::Symmetry;
use outflank_checker::reference;
use outflank_testing::data::random_game;
use outflank_testing::rng::Rng;

#[test]
fn symmetries_of_boards_and_squares_agree() {
    let mut rng = Rng::new(5);
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
