from __future__ import annotations

import pathlib
import pickle

import numpy as np
import pytest

import outflank

GAMES = b"""\
(;GM[Othello]EV[Open]DT[1992]PB[Tastet Marc]PW[Feinstein]RE[+10]B[F5]W[D6]B[C3]W[D3]B[C4]W[F4];)
(;GM[Othello]DT[1994]PB[Feinstein]PW[Tastet Marc]RE[-4]B[C4]W[E3]B[F6]W[E6]B[F5]W[C5];)
(;GM[Othello]PB[Ann]PW[Feinstein]B[F5]W[D6]B[C3]W[D3]B[C4]W[B3];)
"""


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "my.games"
    assert outflank.add_games(path, outflank.read(GAMES)) == 3
    return path


def test_moves_and_games_of_a_position(path: pathlib.Path) -> None:
    database = outflank.GameDatabase(path)
    assert (len(database), repr(database)) == (3, "<outflank.GameDatabase of 3 games>")
    tiger = outflank.Game("f5d6c3d3c4")
    assert database.at(tiger).tolist() == [0, 1, 2]
    first, second = database.moves(tiger)
    assert (first.move, first.games, first.wins, first.draws, first.losses) == ("F4", 2, 1, 0, 1)
    assert (first.mean_score, first.years) == (-3.0, (1992, 1994))
    assert first.best_players == [("Tastet Marc", 1), ("Feinstein", 1)]
    assert (second.move, second.mean_score, second.years) == ("B3", None, None)
    assert pickle.loads(pickle.dumps(first)) == first and repr(first) == "<outflank.GameMove F4 of 2 games>"
    assert database.moves(outflank.Game("f5f6")) == []

    tastet = database.select(player="tastet")
    assert tastet.dtype == np.uint32 and tastet.tolist() == [0, 1]
    assert database.moves(tiger, tastet)[0].games == 2
    assert database.select(years=(1993, 2000), winner="white").tolist() == [1]
    both = np.intersect1d(database.at(tiger), database.select(white="feinstein"))
    assert sum(move.games for move in database.moves(tiger, both)) == 2


def test_columns_and_games(path: pathlib.Path) -> None:
    import pandas as pd

    database = outflank.GameDatabase(path)
    table = pd.DataFrame(database.columns())
    assert table["year"].tolist() == [1992, 1994, 0]
    assert table["score"].tolist() == [10, -4, -128]
    assert [database.players[number] for number in table["black"]] == ["Tastet Marc", "Feinstein", "Ann"]
    assert [database.tournaments[number] for number in table["tournament"]] == ["Open", "", ""]
    assert table["moves"].tolist() == [6, 6, 6]
    game = database.game(0)
    assert game.to_transcript() == "f5d6c3d3c4f4"
    with pytest.raises(IndexError, match="^no game has the number 3: there are 3, from 0 on$"):
        database.game(3)
    with pytest.raises(IndexError, match="^no game has the number 9"):
        database.moves(outflank.Game(), np.array([9], dtype=np.uint32))


def test_games_are_added_once(path: pathlib.Path) -> None:
    games = [*outflank.read(GAMES), outflank.Game("f5f4")]
    assert outflank.add_games(path, games) == 1
    assert len(outflank.GameDatabase(path)) == 4
    with pytest.raises(outflank.FormatError, match="^game 1 has no moves$"):
        outflank.add_games(path, [outflank.Game("f5f6"), outflank.Game()])
    with pytest.raises(TypeError, match="game"):
        outflank.add_games(path, ["f5"])  # type: ignore[list-item]
    assert len(outflank.GameDatabase(path)) == 4


def test_bad_input_is_refused(tmp_path: pathlib.Path, path: pathlib.Path) -> None:
    text = tmp_path / "text.games"
    text.write_text("f5d6c3")
    with pytest.raises(outflank.FormatError, match="expected a database of games, but it looks like text"):
        outflank.GameDatabase(text)
    with pytest.raises(FileNotFoundError):
        outflank.GameDatabase(tmp_path / "none.games")
    database = outflank.GameDatabase(path)
    for conditions, message in [
        ({"player": "nobody"}, 'no player is called "nobody"'),
        ({"player": ""}, 'no player is called ""'),
        ({"years": (2000, 1990)}, "the first year, 2000, is after the last one, 1990"),
        ({"years": [1990, 100000]}, "years: expected 0 to 9999, got 100000"),
        ({"winner": "both"}, 'winner: expected "black", "white" or "draw", got "both"'),
    ]:
        with pytest.raises(ValueError) as error:
            database.select(**conditions)  # type: ignore[arg-type]
        assert str(error.value) == message
    with pytest.raises(TypeError, match="years: expected a first and a last year"):
        database.select(years=1990)  # type: ignore[arg-type]
