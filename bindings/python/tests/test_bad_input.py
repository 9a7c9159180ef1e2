"""Invalid arguments raise exceptions that name the argument and the fault."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import outflank

BOARDS = np.array([[0x08_1000_0000, 0x10_0800_0000]] * 3000, dtype=np.uint64)
OVERLAP = BOARDS.copy()
OVERLAP[2000] = [3, 2]


def records_of(boards):
    outflank.write_records("x", boards, np.zeros(len(boards), np.int16), np.zeros(len(boards), np.uint8))


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
        (lambda: outflank.flip(BOARDS, "I9"), ValueError, "squares: 'I9' is not a square (A1 to H8)"),
        (lambda: outflank.apply(BOARDS, "I9"), ValueError, "plies: 'I9' is not a square (A1 to H8)"),
        (lambda: outflank.apply(BOARDS, 65), ValueError, "plies: expected 0 to 64, got 65"),
        (lambda: outflank.apply(BOARDS, np.zeros(3000)), outflank.ArrayError, "plies: expected an array of uint8"),
        (
            lambda: outflank.features(BOARDS, geometry="ntest"),
            ValueError,
            '"ntest" is no geometry: there are edax and corner',
        ),
        (lambda: outflank.mobility(BOARDS, isa="v9"), outflank.IsaError, "v9"),
        (lambda: outflank.Engine(isa="v9"), outflank.IsaError, "v9"),
        (lambda: outflank.Engine(threads=0), ValueError, "threads: expected 1 to 512, got 0"),
        (lambda: outflank.Engine(threads="2"), outflank.ArgumentError, "threads: expected a whole number, got str"),
        (lambda: outflank.Engine(hash_mib=0), ValueError, "hash_mib: expected 1 to 4294967295, got 0"),
        (lambda: outflank.Engine(hash_mib=-5), ValueError, "hash_mib: expected 1 to 4294967295, got -5"),
        (lambda: outflank.Engine(hash_mib=10**9), outflank.EngineError, "does not fit in memory"),
        (lambda: outflank.Engine(weights="no/such/file"), FileNotFoundError, "no/such/file"),
        (
            lambda: outflank.Engine().search(outflank.Board()),
            ValueError,
            "say how far to search: level, depth, time or nodes",
        ),
        (lambda: outflank.Engine().search(outflank.Board(), selectivity=73), ValueError, "say how far to search"),
        (lambda: outflank.Engine().search(outflank.Board(), exact=10), ValueError, "say how far to search"),
        (lambda: outflank.Engine().play(outflank.Game(), selectivity=73), ValueError, "selectivity alone does not say how far"),
        (lambda: outflank.Engine().analyze(outflank.Game("f5"), selectivity=73), ValueError, "give a depth, too"),
        (lambda: outflank.Engine().search(outflank.Board(), level=61), ValueError, "level: expected 0 to 60, got 61"),
        (lambda: outflank.Engine().search(outflank.Board(), depth=-1), ValueError, "depth: expected 0 to 60, got -1"),
        (lambda: outflank.Engine().search(outflank.Board(), level=1, depth=2), ValueError, "give it alone"),
        (
            lambda: outflank.Engine().search(outflank.Board(), depth=8, selectivity=50),
            ValueError,
            "73, 87, 95, 98, 99 or 100, got 50",
        ),
        (lambda: outflank.Engine().search(outflank.Board(), time=-1.0), ValueError, "time: expected 0 or more seconds, got -1"),
        (
            lambda: outflank.Engine().solve(outflank.Board(), window=(5, 5)),
            ValueError,
            "-64 <= alpha < beta <= 64, got 5 and 5",
        ),
        (lambda: outflank.Engine().solve("XO"), outflank.BoardError, "expected 64 squares"),
        (lambda: outflank.Engine().solve(7), TypeError, "a position is a Board, a Game, or a text"),
        (lambda: outflank.solve_many(BOARDS, threads=0), ValueError, "threads: expected 1 to 512, got 0"),
        (lambda: outflank.solve_many(BOARDS, errors="ignore"), ValueError, 'errors are "raise" or "mark"'),
        (lambda: outflank.Board(1, 1), outflank.BoardError, "both sides hold A1"),
        (lambda: outflank.Board(-1, 1), ValueError, "player: expected 0 to 18446744073709551615, got -1"),
        (lambda: outflank.Board(0, 2**64), ValueError, "opponent: expected 0 to 18446744073709551615, got 18446744073709551616"),
        (lambda: outflank.Board(0, 2**999), ValueError, "got a number of 1000 bits"),
        (lambda: outflank.Board(0, 0), outflank.BoardError, "expected a board with discs, found an empty one"),
        (lambda: outflank.Board.from_text("-" * 64), outflank.BoardError, "expected a board with discs"),
        (lambda: outflank.Game(start="-" * 64), outflank.BoardError, "expected a board with discs"),
        (lambda: outflank.Board.from_text(5), outflank.ArgumentError, "text: expected a text, got int"),
        (lambda: outflank.Engine().solve(outflank.Board(), lines=0), ValueError, "lines: expected 1 to 4294967295, got 0"),
        (lambda: outflank.Engine().search(outflank.Board(), level="x"), outflank.ArgumentError, "level: expected a whole number, got str"),
        (lambda: outflank.Engine().search(outflank.Board(), depth=2.0), outflank.ArgumentError, "depth: expected a whole number, got float"),
        (lambda: outflank.Engine().search(outflank.Board(), time=float("nan")), ValueError, "time: expected 0 or more seconds, got NaN"),
        (lambda: outflank.Engine().search(outflank.Board(), time="1"), outflank.ArgumentError, "time: expected a number, got str"),
        (lambda: outflank.Engine().search(outflank.Board(), depth=1, without=5), outflank.ArgumentError, "without: expected squares"),
        (lambda: outflank.Engine().search(outflank.Board(), depth=1, progress=5), outflank.ArgumentError, "progress: expected a function, got int"),
        (lambda: outflank.Engine(weights=5), outflank.ArgumentError, "weights: expected Weights or the path of a file, got int"),
        (lambda: outflank.Engine().play("f5"), outflank.ArgumentError, "game: expected a Game, got str"),
        (lambda: outflank.Game(5), outflank.ArgumentError, "moves: expected squares one after another, got int"),
        (lambda: outflank.Game("f5")[1], IndexError, "the game has 1 plies, none at 1"),
        (lambda: outflank.Problem("X"), outflank.ArgumentError, "board: expected a Board, got str"),
        (lambda: outflank.read(5), outflank.ArgumentError, "source: expected the path of a file, or bytes, got int"),
        (lambda: outflank.write([5], "ggf"), outflank.ArgumentError, "entries: expected Games and Problems, got int"),
        (lambda: outflank.planes(BOARDS, dtype="int64"), outflank.ArgumentError, "dtype: expected float32, uint8 or bool, got int64"),
        (lambda: outflank.arrow.to_arrow(BOARDS.astype(float)), outflank.ArrayError, "got float64 of shape (3000, 2)"),
        (lambda: outflank.read_records("/no/such"), FileNotFoundError, "/no/such"),
        (lambda: outflank.write_records("x", BOARDS[:0], BOARDS[:0, 0].astype("i2"), BOARDS[:0, 0].astype("u1"), settings=[("a = b", "c")]), ValueError, "a name is a line without '='"),
        (lambda: outflank.Board().play("A1"), outflank.IllegalMoveError, "A1 is not legal here"),
        (lambda: outflank.Board().play("PS"), outflank.IllegalMoveError, "PS is not legal here"),
        (lambda: outflank.Board().play(65), ValueError, "square: expected 0 to 64, got 65"),
        (lambda: outflank.Board().play(1.5), TypeError, "square: expected a square, such as 'F5', or its number, got float"),
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
        (lambda: outflank.write([outflank.Game("f5")], "sgf"), ValueError, "is read, but not written"),
        (lambda: outflank.Weights(__file__), outflank.FormatError, "looks like text"),
        (lambda: outflank.read_records(__file__), outflank.FormatError, "looks like text"),
        (lambda: outflank.square_name(99), ValueError, "index: expected 0 to 64, got 99"),
        (lambda: outflank.square_index(99), ValueError, "name: expected 0 to 64, got 99"),
        (lambda: outflank.square_index(1.5), outflank.ArgumentError, "name: expected a square, such as 'F5', or its number, got float"),
        (lambda: 1.5 in outflank.Game("f5"), outflank.ArgumentError, "ply: expected a square, such as 'F5', or its number, got float"),
        (lambda: outflank.Game("f5").play("PS"), ValueError, "square: expected a square, got a pass"),
        (lambda: outflank.Game([99]), ValueError, "moves: expected 0 to 64, got 99"),
        (lambda: outflank.Problem(outflank.Board(), scores=[("I9", 2)]), ValueError, "scores: 'I9' is not a square"),
    ],
)
def test_invalid_arguments_raise(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value), caught.value
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "row", "column", "text"),
    [
        (lambda: outflank.mobility(OVERLAP), 2000, "boards", "row 2000 of boards: both sides hold B1"),
        (lambda: outflank.solve_many(OVERLAP, depth=1), 2000, "boards", "both sides hold B1"),
        (lambda: outflank.solve_many(BOARDS * np.uint64(0)), 0, "boards", "expected a board with discs, found an empty one"),
        (lambda: records_of(BOARDS * np.uint64(0)), 0, "boards", "expected a board with discs, found an empty one"),
        (lambda: records_of(OVERLAP), 2000, "boards", "row 2000 of boards: both sides hold B1"),
        (lambda: outflank.final_scores(BOARDS), 0, "boards", "row 0 of boards: the game is not over"),
        (
            lambda: outflank.apply(BOARDS, np.where(np.arange(3000) == 1500, 36, 37).astype(np.uint8)),
            1500,
            "plies",
            "row 1500 of plies: E5 is not legal here",
        ),
        (lambda: outflank.apply(BOARDS, 64), 0, "plies", "PS is not legal here"),
        (lambda: outflank.flip(BOARDS, np.full(3000, 70, np.uint8)), 0, "squares", "70 is no square: A1 to H8 are 0 to 63"),
        (lambda: outflank.flip(BOARDS, 64), 0, "squares", "64 is no square: A1 to H8 are 0 to 63"),
        (lambda: outflank.flip(OVERLAP, np.where(np.arange(3000) == 2500, 64, 37).astype(np.uint8)), 2000, "boards", "both sides hold B1"),
    ],
)
def test_row_errors_name_row_and_column(call, row, column, text):
    with pytest.raises(outflank.RowError) as caught:
        call()
    error = caught.value
    assert (error.row, error.column) == (row, column)
    assert text in str(error)
    # Processes of a pool pickle their exceptions.
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.row, again.column) == (str(error), row, column)
    assert isinstance(error, outflank.OutflankError) and isinstance(error, ValueError)
