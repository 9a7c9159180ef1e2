from __future__ import annotations

import pathlib

import pytest

import outflank


def test_the_book_of_the_package() -> None:
    book = outflank.Book(tolerance=2, seed=1)
    assert len(book) > 100
    start = book.moves(outflank.Board())
    assert sorted(one.move for one in start) == ["C4", "D3", "E6", "F5"]
    assert len({one.score for one in start}) == 1
    assert all(one.depth > 0 and 73 <= one.selectivity <= 100 for one in start)
    assert outflank.Game("f5") in book
    replies = book.moves(outflank.Game("f5"))
    assert [one.score for one in replies] == sorted((one.score for one in replies), reverse=True)
    assert outflank.Game("f5f6e6f4g7h8") not in book
    assert book.moves(outflank.Game("f5f6e6f4g7h8")) == []
    assert book.choose(outflank.Game("f5f6e6f4g7h8")) is None
    assert repr(start[0]).startswith("<outflank.BookMove ")


def test_chance_is_within_the_tolerance_and_as_the_seed_says() -> None:
    def line(seed: int, tolerance: int) -> tuple[str, int]:
        book = outflank.Book(tolerance=tolerance, seed=seed)
        game, given = outflank.Game(), 0
        while (chosen := book.choose(game)) is not None:
            given += book.moves(game)[0].score - chosen.score
            game.play(chosen.move)
        return game.to_transcript(), given

    for tolerance in (0, 3):
        lines = [line(seed, tolerance) for seed in range(12)]
        assert len({moves for moves, _ in lines}) > 3
        assert max(given for _, given in lines) <= 2 * tolerance
        assert line(5, tolerance) == lines[5]


def test_files_that_are_no_books(tmp_path: pathlib.Path) -> None:
    text = tmp_path / "text.book"
    text.write_text("f5d6c3")
    with pytest.raises(outflank.FormatError, match="expected an opening book, but it looks like text"):
        outflank.Book(text)
    with pytest.raises(FileNotFoundError):
        outflank.Book(tmp_path / "none.book")
    for wrong in (-1, 65):
        with pytest.raises(ValueError, match="tolerance is 0 to 64 discs"):
            outflank.Book(tolerance=wrong)
    with pytest.raises(ValueError, match="game_tolerance is 0 to 128 discs"):
        outflank.Book(game_tolerance=129)
