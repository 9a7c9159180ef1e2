from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

import outflank


def test_built_in_book() -> None:
    book = outflank.Book(tolerance=2, seed=1)
    assert len(book) > 100
    start = book.moves(outflank.Board())
    assert sorted(move.move for move in start) == ["C4", "D3", "E6", "F5"]
    assert len({move.score for move in start}) == 1
    assert all(move.depth > 0 and 73 <= move.selectivity <= 100 for move in start)
    assert outflank.Game("f5") in book
    replies = book.moves(outflank.Game("f5"))
    assert [move.score for move in replies] == sorted((move.score for move in replies), reverse=True)
    assert outflank.Game("f5f6e6f4g7h8") not in book
    assert book.moves(outflank.Game("f5f6e6f4g7h8")) == []
    assert book.choose(outflank.Game("f5f6e6f4g7h8")) is None
    assert repr(start[0]).startswith("<outflank.BookMove ")


def test_lines_of_best_play() -> None:
    book = outflank.Book()
    game = outflank.Game("f5")
    counts = book.line_counts(game)
    assert counts is not None and 1 <= counts.mover <= counts.all and 1 <= counts.opponent <= counts.all
    lines = book.best_lines(game, limit=1_000_000)
    assert len(lines) == counts.all
    best = {move.move for move in book.moves(game) if move.score == book.value(game)}
    assert {line[0] for line in lines} <= best
    assert book.best_lines(game, plies=1, limit=1) == [lines[0][:1]]
    unknown = outflank.Game("f5f6e6f4g7h8")
    assert book.best_lines(unknown) == []
    assert book.line_counts(unknown) is book.value(unknown) is book.reason(unknown) is None
    with pytest.raises(ValueError, match="^limit: expected"):
        book.best_lines(game, limit=0)


def test_values_are_set_by_hand(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "my.book"
    engine = outflank.Engine(hash_mib=4)
    learner = outflank.BookLearner(path, level=1, positions=12)
    while (search := learner.next()) is not None:
        found = engine.search(search.board, depth=search.depth, without=search.without)
        learner.found(search, found.best or "PS", found.score, found.depth, found.selectivity)
    game = outflank.Game("f5")
    assert learner.set_value(game, -64, "never again")
    assert not learner.set_value(outflank.Game("f5f6e6f4g7"), 3, "unknown")
    with pytest.raises(ValueError, match="the reason of a value: expected a line"):
        learner.set_value(game, 3)
    with pytest.raises(ValueError, match="^value: expected -64 to 64"):
        learner.set_value(game, 65, "too much")
    assert learner.close() == 64
    book = outflank.Book(path)
    assert (book.value(game), book.reason(game)) == (-64, "never again")
    learner = outflank.BookLearner(path, level=1)
    assert learner.set_value(game, None)
    assert learner.close() != 64
    assert outflank.Book(path).reason(game) is None


def test_choice_depends_on_tolerance_and_seed() -> None:
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


def test_other_files_are_no_books(tmp_path: pathlib.Path) -> None:
    text = tmp_path / "text.book"
    text.write_text("f5d6c3")
    with pytest.raises(outflank.FormatError, match="expected an opening book, but it looks like text"):
        outflank.Book(text)
    with pytest.raises(FileNotFoundError):
        outflank.Book(tmp_path / "none.book")
    for wrong in (-1, 65):
        with pytest.raises(ValueError, match="^tolerance: expected 0 to 64, got"):
            outflank.Book(tolerance=wrong)
    with pytest.raises(ValueError, match="^game_tolerance: expected 0 to 128, got"):
        outflank.Book(game_tolerance=129)


def test_book_grows_by_searches_of_the_caller(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "my.book"
    engine = outflank.Engine(hash_mib=4)
    learner = outflank.BookLearner(path, level=2, positions=60)

    def answer(search: outflank.BookSearch) -> None:
        found = engine.search(
            search.board, depth=search.depth, selectivity=search.selectivity, without=search.without
        )
        assert found.best not in search.without
        learner.found(search, found.best or "PS", found.score, found.depth, found.selectivity)

    first = learner.next()
    assert first is not None and first.board == outflank.Board() and first.without == []
    assert repr(first) == "<outflank.BookSearch 2 plies at 100 %>"
    assert learner.next() is None, "nothing before the start of the game is known"
    answer(first)
    with pytest.raises(ValueError, match="answered before"):
        answer(first)
    learner.commit()
    assert len(outflank.Book(path)) == len(learner) == 1
    while (search := learner.next()) is not None:
        answer(search)
    assert learner.added == len(learner) >= 60 and learner.searches >= 60
    with pytest.raises(outflank.FormatError, match="another program uses this book"):
        outflank.BookLearner(path)
    learner.commit()
    assert list(unlinked_moves(outflank.Book(path))), "another line led to a position"
    start = learner.close()
    assert start is not None and learner.close() is None
    with pytest.raises(ValueError, match="the book is closed"):
        learner.next()
    book = outflank.Book(path)
    assert len(book) >= 60 and book.moves(outflank.Board())[0].score == start
    assert not list(unlinked_moves(book))


def unlinked_moves(book: outflank.Book) -> Iterator[tuple[outflank.Board, str]]:
    """Moves between positions of the book that it does not know."""
    boards = [outflank.Board()]
    for board in boards:
        known = {move.move for move in book.moves(board)}
        for move in board.moves:
            after = board.play(move)
            if book.moves(after):
                if move not in known:
                    yield board, move
                if after not in boards:
                    boards.append(after)


def test_impossible_answers_are_refused(tmp_path: pathlib.Path) -> None:
    learner = outflank.BookLearner(tmp_path / "my.book")
    search = learner.next()
    assert search is not None
    for score, depth, percent in ((65, 8, 73), (0, 61, 73), (0, 8, 74)):
        with pytest.raises(ValueError, match=f"no search finds {score} discs by {depth} plies at {percent} %"):
            learner.found(search, "F5", score, depth, percent)
    with pytest.raises(ValueError, match="a search of another learner"):
        outflank.BookLearner(tmp_path / "another.book").found(search, "F5", 0, 8, 73)
    # An illegal move withdraws the answer, and the same search is requested again.
    with pytest.raises(ValueError, match="the move A1 is not legal"):
        learner.found(search, "A1", 0, 8, 73)
    assert learner.searches == 0
    again = learner.next()
    assert again is not None and again.board == search.board
    learner.found(again, "F5", 0, 8, 73)
    assert learner.added == learner.searches == 1
    for wrong in ({"level": 61}, {"empties": 0}):
        with pytest.raises(ValueError):
            outflank.BookLearner(tmp_path / "other.book", **wrong)
    assert not (tmp_path / "other.book").exists()


def test_moves_can_be_excluded() -> None:
    engine = outflank.Engine(hash_mib=4)
    game = outflank.Game("f5d6c3")
    best = engine.search(game, depth=6).best
    other = engine.search(game, depth=6, without=[best]).best
    assert other not in (best, None) and other in game.board.moves
    assert engine.search(game, depth=6, without=game.board.moves).best == best, "then nothing is left out"
