"""What is wrong is an exception that says what and where."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import outflank

BOARDS = np.array([[0x08_1000_0000, 0x10_0800_0000]] * 3000, dtype=np.uint64)
OVERLAP = BOARDS.copy()
OVERLAP[2000] = [3, 2]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: outflank.mobility([[1, 2]]),
            outflank.ArrayError,
            "boards: expected an array of uint64 of shape (N, 2), got list",
        ),
        (lambda: outflank.mobility(BOARDS.astype(np.int64)), outflank.ArrayError, "got int64 of shape (3000, 2)"),
        (lambda: outflank.mobility(BOARDS.reshape(-1)), outflank.ArrayError, "got uint64 of shape (6000,)"),
        (lambda: outflank.mobility(BOARDS.reshape(-1, 4)), outflank.ArrayError, "got uint64 of shape (1500, 4)"),
        (
            lambda: outflank.mobility(BOARDS, out=np.zeros(5, np.uint64)),
            outflank.ArrayError,
            "out: expected an array of uint64 of shape (3000), got uint64 of shape (5,)",
        ),
        (lambda: outflank.mobility(BOARDS, out=BOARDS[:, 0]), outflank.ArrayError, "out: expected a contiguous array"),
        (lambda: outflank.canonical(BOARDS, out=BOARDS), outflank.ArrayError, "out:"),
        (
            lambda: outflank.flip(BOARDS, np.zeros(2, np.uint8)),
            outflank.ArrayError,
            "squares: expected one for each of 3000 boards, got 2",
        ),
        (
            lambda: outflank.flip(BOARDS, np.zeros(3000)),
            outflank.ArrayError,
            "squares: expected an array of uint8 of shape (N,), got float64",
        ),
        (lambda: outflank.flip(BOARDS, "I9"), ValueError, "'I9' is not a square (A1 to H8)"),
        (
            lambda: outflank.features(BOARDS, geometry="ntest"),
            ValueError,
            '"ntest" is no geometry: there are edax and corner',
        ),
        (lambda: outflank.mobility(BOARDS, isa="v9"), outflank.IsaError, "v9"),
        (lambda: outflank.Engine(isa="v9"), outflank.IsaError, "v9"),
        (lambda: outflank.Engine(threads=0), outflank.EngineError, "0 threads: an engine has 1 to 512"),
        (lambda: outflank.Engine(hash_mib=0), outflank.EngineError, "a hash table has at least 1 MiB"),
        (lambda: outflank.Engine(hash_mib=10**9), outflank.EngineError, "does not fit in memory"),
        (lambda: outflank.Engine(weights="no/such/file"), FileNotFoundError, "no/such/file"),
        (
            lambda: outflank.Engine().search(outflank.Board()),
            ValueError,
            "say how far to search: level, depth, time or nodes",
        ),
        (lambda: outflank.Engine().search(outflank.Board(), level=61), ValueError, "level is 0 to 60, unlike 61"),
        (lambda: outflank.Engine().search(outflank.Board(), depth=-1), ValueError, "depth is 0 to 60, unlike -1"),
        (lambda: outflank.Engine().search(outflank.Board(), level=1, depth=2), ValueError, "give it alone"),
        (
            lambda: outflank.Engine().search(outflank.Board(), depth=8, selectivity=50),
            ValueError,
            "73, 87, 95, 98, 99 or 100, unlike 50",
        ),
        (lambda: outflank.Engine().search(outflank.Board(), time=-1.0), ValueError, "0 or more, unlike -1"),
        (
            lambda: outflank.Engine().solve(outflank.Board(), window=(5, 5)),
            ValueError,
            "-64 <= alpha < beta <= 64, unlike 5 and 5",
        ),
        (lambda: outflank.Engine().solve("XO"), outflank.BoardError, "expected 64 squares"),
        (lambda: outflank.Engine().solve(7), TypeError, "a position is a Board, a Game, or a text"),
        (lambda: outflank.solve_many(BOARDS, threads=0), outflank.EngineError, "0 threads: there can be 1 to 512"),
        (lambda: outflank.solve_many(BOARDS, errors="ignore"), ValueError, 'errors are "raise" or "mark"'),
        (lambda: outflank.Board(1, 1), outflank.BoardError, "both sides hold A1"),
        (lambda: outflank.Board(-1, 1), OverflowError, ""),
        (lambda: outflank.Board().play("A1"), outflank.IllegalMoveError, "A1 is not legal here"),
        (lambda: outflank.Board().play("PS"), outflank.IllegalMoveError, "PS is not legal here"),
        (lambda: outflank.Board().play(65), ValueError, "65 is no square"),
        (lambda: outflank.Board().play(1.5), TypeError, "a square is a name"),
        (lambda: outflank.Game("f5f5"), outflank.IllegalMoveError, "move 2, F5, is not legal: the square is taken"),
        (lambda: outflank.Game("f5x9"), outflank.FormatError, "x9"),
        (lambda: outflank.Game(side="red"), ValueError, '"red" is no side'),
        (lambda: outflank.Game().pass_(), outflank.IllegalMoveError, "black has a move"),
        (lambda: outflank.Game.from_ggf("hello"), outflank.FormatError, "no game of GGF"),
        (lambda: outflank.Game().to_transcript(), outflank.FormatError, "no place for a game without moves"),
        (lambda: outflank.Game().set_property("no name", "x"), outflank.FormatError, "name of a property"),
        (lambda: outflank.read("/no/such/file"), FileNotFoundError, "/no/such/file"),
        (lambda: outflank.read(b"\x89PNG\r\n\x1a\n"), outflank.FormatError, "PNG image"),
        (lambda: outflank.read(b"f5d6\nf5f5\n"), outflank.FormatError, "<bytes>:2"),
        (lambda: outflank.read(b"f5", "pgn"), ValueError, '"pgn" is no format'),
        (lambda: outflank.write([outflank.Game()], "wthor"), outflank.FormatError, "entry 0"),
        (lambda: outflank.Weights(__file__), outflank.FormatError, "looks like text"),
        (lambda: outflank.read_records(__file__), outflank.FormatError, "looks like text"),
        (lambda: outflank.square_name(99), ValueError, "99 is no square"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value), caught.value
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "row", "column", "text"),
    [
        (lambda: outflank.mobility(OVERLAP), 2000, "boards", "row 2000 of boards: both sides hold B1"),
        (lambda: outflank.solve_many(OVERLAP, depth=1), 2000, "boards", "both sides hold B1"),
        (
            lambda: outflank.apply(BOARDS, np.where(np.arange(3000) == 1500, 36, 37).astype(np.uint8)),
            1500,
            "plies",
            "row 1500 of plies: E5 is not legal here",
        ),
        (lambda: outflank.apply(BOARDS, 64), 0, "plies", "PS is not legal here"),
        (lambda: outflank.flip(BOARDS, np.full(3000, 70, np.uint8)), 0, "squares", "70 is no ply"),
    ],
)
def test_bad_rows_are_named(call, row, column, text):
    with pytest.raises(outflank.RowError) as caught:
        call()
    error = caught.value
    assert (error.row, error.column) == (row, column)
    assert text in str(error)
    # As it comes from a process of a pool.
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.row, again.column) == (str(error), row, column)
    assert isinstance(error, outflank.OutflankError) and isinstance(error, ValueError)
