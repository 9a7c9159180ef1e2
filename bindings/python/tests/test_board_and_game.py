from __future__ import annotations

import copy
import multiprocessing
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


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3",
        "F5 D6 C3",
        "1. f5 d6\n2. c3",
        '[Event "x"]\n[Black "A"]\n\n1. f5 d6 2. c3 34-30',
        outflank.Game("f5d6c3").to_ggf(),
        "(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])",
    ],
)
def test_spellings_of_a_game(text: str):
    expected = outflank.Game("f5d6c3")
    game = outflank.Game(text)
    assert game.plies == expected.plies and game.board == expected.board
    (read,) = outflank.read(text.encode())
    assert read.plies == expected.plies
    # The text is also accepted as a position.
    engine = outflank.Engine(hash_mib=1)
    assert engine.search(text, depth=2).line == outflank.Engine(hash_mib=1).search(expected, depth=2).line
    with pytest.raises((outflank.FormatError, outflank.IllegalMoveError)):
        outflank.Game(text, start=game.board)


@pytest.mark.parametrize("text", ["---------------------------OX------XO--------------------------- X", "{rows}\nX"])
def test_spellings_of_a_position(text: str):
    text = text.format(rows=outflank.Board())
    assert outflank.Board.from_text(text) == outflank.Board()
    assert len(outflank.Book().moves(text)) == 4


def test_counts_and_squares_of_a_board():
    after = outflank.Board().play("F5")
    assert (after.player_count, after.opponent_count, after.disc_count, after.empty_count) == (1, 4, 5, 59)
    occupied = [square for square in range(64) if square in after]
    assert [outflank.square_name(square) for square in occupied] == ["D4", "E4", "D5", "E5", "F5"]
    assert "f5" in after and "A1" not in after
    with pytest.raises(ValueError, match="square: expected a square, got a pass"):
        assert "PS" in after


def test_game_is_a_sequence_of_its_plies():
    game = outflank.Game(GAME)
    assert list(game) == game.plies == [game[number] for number in range(len(game))]
    assert (game[0], game[-1], game[np.int64(1)]) == ("F5", "C5", "D6")
    for part in (slice(4), slice(-3, None), slice(None, None, -1), slice(1, 100, 3), slice(5, 2), slice(-100, -5, 2)):
        assert game[part] == game.plies[part]
    assert outflank.Game(game[:4]) == outflank.Game(GAME[:8])
    assert outflank.Game(game) == game == outflank.Game(ply for ply in game)
    assert "f5" in game and 37 in game and "A1" not in game and "PS" not in game
    assert list(reversed(game)) == game.plies[::-1]
    for outside in (12, -13, 10**30):
        with pytest.raises((IndexError, ValueError), match="expected|the game has 12 plies, none at"):
            game[outside]
    # A game with a pass, and one without plies.
    passed = outflank.Game(start=outflank.Board(2, 1))
    passed.pass_()
    assert passed[0] == "PS" and "PS" in passed and 64 in passed
    assert list(outflank.Game()) == [] and not outflank.Game()


def test_finished_game():
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


def test_undo_removes_notes():
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
def test_formats_round_trip(format: str, tmp_path: pathlib.Path):
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


def test_reading_continues_after_malformed_entries():
    text = b"f5d6c3\nf5f5\nf5f6\n"
    assert [game.to_transcript() for game in outflank.read(text, errors="skip")] == ["f5d6c3", "f5f6"]


def test_problems(ffo: list[outflank.Problem]):
    first = ffo[0]
    assert (first.name, first.side, first.score) == ("FFO #1", "black", 18)
    assert ("G8", 18) in first.scores
    assert outflank.write(ffo[:2], "obf").decode().splitlines() == [problem.to_obf() for problem in ffo[:2]]
    made = outflank.Problem(first.board, first.side, scores=[("G8", 18)], name="one")
    assert outflank.read(made.to_obf().encode()) == [made] or made.to_obf().endswith("% one")


def test_results_can_be_pickled_and_copied(ffo: list[outflank.Problem]):
    engine = outflank.Engine(hash_mib=4)
    results = [
        engine.solve(ffo[0].board, lines=3),
        engine.solve(ffo[0].board, window=(-1, 1)),
        engine.search(outflank.Board(), depth=3),
        *engine.analyze(outflank.Game("f5d6c6b6"), depth=4),
        *engine.search(outflank.Board(), depth=3, lines=4).candidates,
        *outflank.Book().moves(outflank.Game("f5")),
        *ffo,
    ]
    for result in results:
        fields = [name for name in dir(result) if not name.startswith("_") and not callable(getattr(result, name))]
        assert len(fields) >= 4
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(result, protocol))
            assert type(again) is type(result) and again == result and repr(again) == repr(result)
            assert [getattr(again, name) for name in fields] == [getattr(result, name) for name in fields]
        assert copy.copy(result) == copy.deepcopy(result) == result
    different = [result for result in results if not isinstance(result, outflank.Problem)]
    assert len(set(different)) == len({repr(result) for result in different})
    assert engine.search(outflank.Board(), depth=3) != engine.search(outflank.Board(), depth=4)
    many = engine.solve_many(np.array([outflank.Board()]), depth=3)
    assert all((one == other).all() for one, other in zip(pickle.loads(pickle.dumps(many)), many))


def test_results_are_sent_to_other_processes(ffo: list[outflank.Problem]):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (found,) = pool.map(solve_in_another_process, [ffo[0]])
    assert (found.score, found.solved) == (18, True)


def solve_in_another_process(problem: outflank.Problem) -> outflank.SearchResult:
    return outflank.Engine(hash_mib=4).solve(problem.board)


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3",
        "1. f5 d6\n2. c3",
        '[Black "a"]\n[White "?"]\n\n1. f5 d6 2. c3 *',
        "(;GM[Othello]PB[a]B[F5]W[D6]B[C3];)",
        "(;FF[4]GM[2]PB[a];B[f5];W[d6];B[c3])",
        "\uff46\uff15 d6 c3",
    ],
)
def test_game_is_read_from_any_format(text: str) -> None:
    game = outflank.Game(text)
    assert game.to_transcript() == "f5d6c3"
    assert outflank.read(text.encode())[0] == game


def test_spellings_of_boards() -> None:
    plain = outflank.Board()
    rows = "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\nX"
    for text in (rows, rows.replace("\n", "/"), rows.replace("X", "1").replace("O", "0")):
        assert outflank.Board.from_text(text) == plain


def test_writing_a_read_only_format_is_refused() -> None:
    with pytest.raises(ValueError, match="SGF is read, but not written"):
        outflank.write([outflank.Game("f5")], "sgf")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "value", "error"),
    [
        (0, (1, 1), outflank.ArgumentError),
        (2, [(200, 0)], ValueError),
        (2, [(19, 65)], ValueError),
        (3, -65, ValueError),
    ],
)
def test_unpickling_a_problem_checks_its_fields(number: int, value: object, error: type[Exception]):
    problem = outflank.Problem(outflank.Board(), scores=[("D3", 2), ("PS", 1)], score=4, name="start")
    restore, parts = problem.__reduce__()
    assert restore(*parts) == problem
    parts = list(parts)
    parts[number] = value
    with pytest.raises(error):
        restore(*parts)
