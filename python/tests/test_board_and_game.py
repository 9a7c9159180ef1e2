from __future__ import annotations

import copy
import pathlib
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest

import outflank

GAME = "f5d6c3d3c4f4f6f3e6e7d7c5"


def test_board():
    board = outflank.Board()
    assert board.moves == ["D3", "C4", "F5", "E6"]
    assert (board.player, board.opponent) == (0x08_1000_0000, 0x10_0800_0000)
    after = board.play("f5")
    assert after == board.play(37) and after != board
    assert (after.empty_count, after.opponent.bit_count()) == (59, 4)
    assert board.flip("F5") == 1 << 36 and board.flip("A1") == 0
    assert board.perft(8) == 390_216 and board.perft(9, passes=False) == 3_005_320
    text = "---------------------------OX------XO---------------------------"
    assert board == outflank.Board.from_text(text) == outflank.Board.from_text(text + " X;")
    assert outflank.Board.from_text(text + " O") == board.swapped()
    assert board.to_text() == text + " X" and board.to_text("white").endswith("O")
    assert len({board, outflank.Board(), after}) == 2
    assert pickle.loads(pickle.dumps(after)) == after
    assert eval(repr(after), {"Board": outflank.Board}) == after
    assert np.asarray(board).tolist() == [board.player, board.opponent]
    assert str(board).splitlines()[3] == "---OX---"
    assert {board.play(move).canonical() for move in board.moves} == {after.canonical()}


def test_the_end_of_a_game():
    board = outflank.Board(1, 2)
    assert not board.must_pass and board.swapped().must_pass
    assert board.swapped().play("PS") == board
    end = board.play("C1")
    assert end.is_over and end.final_score == -64 and board.final_score is None


def test_game():
    game = outflank.Game(GAME)
    assert game.to_transcript() == GAME and len(game) == 12
    assert game.moves[:3] == ["F5", "D6", "C3"] and game.side == "black"
    assert game.boards().shape == (13, 2) and game.boards().dtype == np.uint64
    assert [board for board, _ in game.positions] == [outflank.Board(*row) for row in game.boards().tolist()]
    assert game.undo() == "C5" and game.side == "white"
    game.play("C5")
    assert game == outflank.Game(GAME) == outflank.Game(outflank.Game(GAME).plies)
    for again in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert again == game
    assert eval(repr(game), {"Game": outflank.Game}) == game
    later = outflank.Game(start=game.board, side="black")
    assert later.start == (game.board, "black") and later.board == game.board
    assert eval(repr(later), {"Game": outflank.Game}) == later
    assert outflank.Game(start=game.board.to_text("white")).side == "white"


def test_undo_takes_notes_along():
    ggf = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5/1.5]W[D6//2];)"
    game = outflank.Game.from_ggf(ggf)
    assert game.to_ggf() == ggf
    game.undo()
    game.play("F6")
    assert "W[F6]" in game.to_ggf() and "B[F5/1.5]" in game.to_ggf()


def test_pictures():
    for thing in (outflank.Board(), outflank.Game(GAME), outflank.Problem(outflank.Board(), "white")):
        root = xml.etree.ElementTree.fromstring(thing._repr_svg_())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        circles = root.findall("{http://www.w3.org/2000/svg}circle")
        board = thing if isinstance(thing, outflank.Board) else thing.board
        discs = 64 - board.empty_count
        mark = isinstance(thing, outflank.Game)
        assert len(circles) == discs + len(board.moves) + mark


@pytest.mark.parametrize("format", ["obf", "ggf", "wthor", "transcript"])
def test_formats_there_and_back(format: str, tmp_path: pathlib.Path):
    finished = outflank.Game(GAME)
    while not finished.is_over:
        if finished.board.must_pass:
            finished.pass_()
        else:
            finished.play(finished.board.moves[-1])
    games = [finished]
    if format in ("ggf", "transcript"):
        games.append(outflank.Game(GAME))
    if format in ("ggf",):
        games[1].set_property("PB", "Ménard]")
    data = outflank.write(games, format)
    path = tmp_path / "games"
    path.write_bytes(data)
    for again in (outflank.read(data), outflank.read(path), outflank.read(str(path), format)):
        assert outflank.write(again, format) == data
        if format == "obf":
            assert [problem.board for problem in again] == [game.board for game in games]
        else:
            assert [game.plies for game in again] == [game.plies for game in games]
    if format == "ggf":
        assert again[1].property("PB") == "Ménard]"
        assert dict(again[1].properties)["PB"] == "Ménard]"
    if format == "wthor":
        assert again[0].score == finished.score


def test_reading_goes_on_after_what_is_malformed():
    text = b"f5d6c3\nf5f5\nf5f6\n"
    assert [game.to_transcript() for game in outflank.read(text, errors="skip")] == ["f5d6c3", "f5f6"]


def test_problems(ffo: list[outflank.Problem]):
    first = ffo[0]
    assert (first.name, first.side, first.score) == ("FFO #1", "black", 18)
    assert ("G8", 18) in first.scores
    assert outflank.write(ffo[:2], "obf").decode().splitlines() == [problem.to_obf() for problem in ffo[:2]]
    made = outflank.Problem(first.board, first.side, scores=[("G8", 18)], name="one")
    assert outflank.read(made.to_obf().encode()) == [made] or made.to_obf().endswith("% one")
