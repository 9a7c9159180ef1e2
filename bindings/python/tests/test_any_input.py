"""Any argument gives a value or a documented exception with a message of the package."""

from __future__ import annotations

import concurrent.futures
import contextlib
import copy
import functools
import itertools
import pathlib
import re
import tempfile
from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import outflank

LATE = "-O" + 61 * "X" + "- X"
BOARD = outflank.Board.from_text(LATE)
BOARDS = np.array([[BOARD.player, BOARD.opponent]] * 2, dtype=np.uint64)
START = outflank.Board()


class Odd:
    """Object whose conversions raise an exception of its own."""

    def __index__(self):
        raise RuntimeError("my own")

    __float__ = __fspath__ = __bool__ = __iter__ = __str__ = __repr__ = __len__ = __index__


JUNK = [
    None, "", "x", "f5", "\udc80", "a\0b", "black", b"", b"x", bytearray(b"f5"), True, False, 0, 1, 5, 64, 255, 256, -1,
    2**31, 2**32, 2**63, 2**64, 2**127, -(2**127) - 1, 2**100_000, 0.0, 0.5, -1.5, 1e300, float("nan"), float("inf"),
    -float("inf"), 1j, (), (1,), (1, 2), (-64, 64), ("a", "b"), (2**64, 2**65), [], [1], ["f5"], [("F5", 1)], [None],
    [("a", "b")], [(1, 2**90)], {}, {"a": 1}, {1, 2}, object(), Odd(), [Odd()], (Odd(), Odd()), Odd, len, range(3),
    (one for one in ()), pathlib.Path("none"), np.uint64(2**63), np.int8(-1), np.float32("nan"), np.bool_(True),
    np.array(5), np.array([]), np.array([1, 2], np.uint8), np.zeros((0, 2), np.uint64), np.zeros((2, 2), np.uint64),
    np.full((2, 2), 2**64 - 1, np.uint64), np.array([None, "x"], object), np.array(["f5"]), np.zeros((2, 2), "V16"),
    np.ma.masked_array([1], [True]), np.dtype("u8"), BOARD, outflank.Game("f5"), outflank.Status.SOLVED,
]  # fmt: skip


@functools.cache
def engine() -> outflank.Engine:
    return outflank.Engine(hash_mib=1)


@functools.cache
def learner() -> outflank.BookLearner:
    return outflank.BookLearner(tempfile.mkdtemp() + "/my.book", level=1)


NUMBERS = itertools.count()
SEARCH = {"depth": 2, "selectivity": 100, "exact": 3, "time": 0.5, "nodes": 100, "window": (-64, 64)}
MANY = {"boards": BOARDS, **SEARCH, "errors": "raise", "progress": print}
KERNEL = {"boards": BOARDS, "isa": None, "out": None}

# Functions with valid arguments. The tests replace each argument by each piece of junk.
CALLS: dict[str, tuple[Any, dict[Any, Any]]] = {
    "Board": (lambda: outflank.Board, {"player": 1, "opponent": 2}),
    "Board.from_text": (lambda: outflank.Board.from_text, {"text": LATE}),
    "Board.flip": (lambda: START.flip, {"square": "F5"}),
    "Board.play": (lambda: START.play, {"square": "F5"}),
    "Board.perft": (lambda: BOARD.perft, {"depth": 1, "passes": True}),
    "Board.to_text": (lambda: START.to_text, {"side": "black"}),
    "Board.__array__": (lambda: START.__array__, {"dtype": None, "copy": None}),
    "Board.__contains__": (lambda: START.__contains__, {0: "F5"}),
    "Board.__eq__": (lambda: START.__eq__, {0: START}),
    "Game": (lambda: outflank.Game, {"moves": "f5", "start": START, "side": "black"}),
    "Game.from_ggf": (lambda: outflank.Game.from_ggf, {"text": outflank.Game("f5").to_ggf()}),
    "Game.play": (lambda: outflank.Game().play, {"square": "F5"}),
    "Game.property": (lambda: outflank.Game().property, {"name": "PB"}),
    "Game.set_property": (lambda: outflank.Game().set_property, {"name": "PB", "value": "A"}),
    "Game.__getitem__": (lambda: outflank.Game("f5d6").__getitem__, {0: 1}),
    "Game.__contains__": (lambda: outflank.Game("f5d6").__contains__, {0: "F5"}),
    "Game.__eq__": (lambda: outflank.Game().__eq__, {0: outflank.Game()}),
    "Problem": (
        lambda: outflank.Problem,
        {"board": START, "side": "black", "scores": [("F5", 1)], "score": 2, "name": "A"},
    ),
    "Book": (lambda: outflank.Book, {"path": None, "tolerance": 1, "game_tolerance": 2, "seed": 3}),
    "Book.moves": (lambda: outflank.Book().moves, {"position": START}),
    "Book.choose": (lambda: outflank.Book().choose, {"position": START}),
    "Book.__contains__": (lambda: outflank.Book().__contains__, {0: START}),
    "BookLearner": (
        lambda: lambda path, **others: outflank.BookLearner(path or f"{next(NUMBERS)}.book", **others),
        {"path": "", "level": 1, "empties": 30, "positions": 5, "weights": None},
    ),
    "BookLearner.found": (
        lambda: learner().found,
        {"search": None, "move": "F5", "score": 0, "depth": 1, "selectivity": 100},
    ),
    "Weights": (lambda: outflank.Weights, {"path": None}),
    "Engine": (lambda: outflank.Engine, {"threads": 1, "hash_mib": 1, "weights": None, "isa": None}),
    "Engine.search": (
        lambda: engine().search,
        {"position": BOARD, **SEARCH, "lines": 2, "without": ["A1"], "progress": print},
    ),
    "Engine.search by level": (lambda: engine().search, {"position": BOARD, "level": 1}),
    "Engine.solve": (
        lambda: engine().solve,
        {"position": BOARD, "window": (-1, 1), "time": 1.0, "nodes": 5, "lines": 1, "progress": print},
    ),
    "Engine.certify": (lambda: engine().certify, {"position": BOARD, "leaf_empties": 4, "time": 0.5}),
    "verify": (lambda: outflank.verify, {"certificates": engine().certify(BOARD)}),
    "Engine.play": (lambda: engine().play, {"game": outflank.Game(start=BOARD), "depth": 1, "time": 0.5, "nodes": 10}),
    "Engine.analyze": (
        lambda: engine().analyze,
        {"game": outflank.Game(start=BOARD), "depth": 1, "selectivity": 100, "progress": print},
    ),
    "Engine.solve_many": (lambda: engine().solve_many, MANY),
    "solve_many": (
        lambda: outflank.solve_many,
        {**MANY, "threads": 1, "hash_mib": 1, "weights": None, "isa": None, "keep_tables": False},
    ),
    "mobility": (lambda: outflank.mobility, KERNEL),
    "stability": (lambda: outflank.stability, KERNEL),
    "potential_mobility": (lambda: outflank.potential_mobility, KERNEL),
    "canonical": (lambda: outflank.canonical, KERNEL),
    "symmetries": (lambda: outflank.symmetries, KERNEL),
    "move_masks": (lambda: outflank.move_masks, KERNEL),
    "hash": (lambda: outflank.hash, KERNEL),
    "final_scores": (lambda: outflank.final_scores, {**KERNEL, "boards": BOARDS[:0]}),
    "planes": (lambda: outflank.planes, {**KERNEL, "moves": True, "dtype": "uint8"}),
    "features": (lambda: outflank.features, {**KERNEL, "geometry": "edax"}),
    "evaluate": (lambda: outflank.evaluate, {**KERNEL, "weights": None}),
    "perft": (lambda: outflank.perft, {**KERNEL, "depth": 1, "passes": True}),
    "flip": (lambda: outflank.flip, {**KERNEL, "squares": 0}),
    "apply": (lambda: outflank.apply, {**KERNEL, "plies": 0}),
    "children": (lambda: outflank.children, {"boards": BOARDS, "isa": None}),
    "square_name": (lambda: outflank.square_name, {"index": 5}),
    "square_index": (lambda: outflank.square_index, {"name": "F5"}),
    "search_depth": (lambda: outflank.search_depth, {"empties": 20, "depth": 5, "selectivity": 73, "exact": 10}),
    "read": (
        lambda: outflank.read,
        {"source": b"f5d6", "format": "transcript", "errors": "raise", "players": None, "tournaments": None},
    ),
    "write": (lambda: outflank.write, {"entries": [outflank.Game("f5")], "format": "ggf"}),
    "read_records": (lambda: outflank.read_records, {"path": "none"}),
    "write_records": (
        lambda: lambda path, **others: outflank.write_records(path or f"{next(NUMBERS)}.records", **others),
        {
            "path": "",
            "boards": BOARDS,
            "values": np.zeros(2, np.int16),
            "sources": np.zeros(2, np.uint8),
            "games": None,
            "settings": [("a", "b")],
        },
    ),
    "to_arrow": (lambda: outflank.arrow.to_arrow, {"boards": BOARDS}),
    "from_arrow": (lambda: outflank.arrow.from_arrow, {"table": None}),
}

# Words of PyO3 and Rust that must not reach the user.
FOREIGN = re.compile(
    r"cannot be (converted|cast|interpreted)|failed to extract|PyO3|Py[A-Z][a-z]+|panicked|called `|argument '"
    r"|had a fault|an integer is required|too (big|large) to convert|negative int|must be real number|os error"
)


def call(name: str, changed: dict[object, object]) -> None:
    make, arguments = CALLS[name]
    arguments = {**{key: copy.copy(one) for key, one in arguments.items()}, **changed}
    positional = [arguments.pop(key) for key in list(arguments) if isinstance(key, int)]
    make()(*positional, **arguments)


BAD_AS_THEY_ARE = ("read_records", "from_arrow", "BookLearner.found")


@pytest.mark.parametrize("name", [name for name in CALLS if name not in BAD_AS_THEY_ARE])
def test_unmodified_arguments_are_accepted(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call(name, {})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "argument"), [(name, key) for name, (_, keys) in CALLS.items() for key in keys])
def test_arbitrary_arguments_raise_documented_exceptions(name, argument, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for junk in JUNK:
        try:
            call(name, {argument: junk})
        except (outflank.OutflankError, ValueError, TypeError, IndexError, OSError, MemoryError) as error:
            assert not FOREIGN.search(str(error)), (junk, error)
            assert "\n" not in str(error), (junk, error)
        except RuntimeError as error:
            assert str(error) == "my own", (junk, error)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.booleans()),
        min_size=1,
        max_size=4,
    )
)
def test_kernels_take_arbitrary_bitboards(words):
    # Boards are sparse or dense, with one colour or two, and need no discs in the centre.
    pairs = [(a & b, ~a & (c | b if dense else c & b)) for a, b, c, dense in words]
    boards = np.array([(player, opponent & 2**64 - 1) for player, opponent in pairs], dtype=np.uint64)
    rows = boards.tolist()
    assert outflank.mobility(boards).tolist() == [sum(1 << square for square in reference.moves(*row)) for row in rows]
    assert outflank.canonical(boards).tolist() == [list(min(reference.images(*row))) for row in rows]
    for function in (outflank.stability, outflank.potential_mobility, outflank.hash, outflank.features):
        assert len(function(boards)) == len(rows)
    assert len(outflank.features(boards, geometry="edax")) == len(rows)
    assert (np.abs(outflank.evaluate(boards)) <= 64).all()
    found = outflank.solve_many(boards, depth=2, threads=1, hash_mib=1, errors="mark")
    is_empty = (boards == 0).all(axis=1)
    assert ((found.status == outflank.Status.INVALID) == is_empty).all()
    for row in rows:
        if any(row):
            assert -64 <= engine().search(outflank.Board(*row), depth=1, lines=3).score <= 64


def test_game_may_be_read_while_its_arguments_are_converted():
    game = outflank.Game()
    uses = [
        lambda: engine().search(game, depth=1),
        lambda: outflank.Book().moves(game),
        lambda: engine().analyze(game, depth=1),
        lambda: outflank.write([game], "ggf"),
        lambda: game[0],
        lambda: game == game,
        lambda: game.undo(),
        lambda: engine().play(game, depth=1),
    ]

    class Square:
        """Number that uses the game while the game converts it."""

        def __init__(self, use):
            self.use = use

        def __index__(self):
            game.play("F5")
            self.use()
            while game.undo():
                pass
            return 37

    for use in uses:
        game.play(Square(use))
        assert game.undo() == "F5" and len(game) == 0


def test_threads_change_one_game():
    game = outflank.Game("f5")

    def change() -> None:
        for _ in range(300):
            game.set_property("PB", "A")
            game.play("D6")
            repr(game), list(game), game.to_ggf(), game == game, copy.copy(game)
            game.undo()

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(change) for _ in range(4)]:
            with contextlib.suppress(outflank.IllegalMoveError):
                done.result()
    assert game.property("PB") == "A"


def test_closed_book_raises(tmp_path):
    closed = outflank.BookLearner(tmp_path / "my.book")
    search = closed.next()
    closed.close()
    for use in (
        closed.next,
        closed.commit,
        lambda: len(closed),
        lambda: closed.added,
        lambda: closed.searches,
        lambda: closed.start,
        lambda: closed.found(search, "F5", 0, 1, 100),
    ):
        with pytest.raises(ValueError, match="the book is closed"):
            use()
    closed.close()
