from __future__ import annotations

import pathlib

import numpy as np
import pytest
import reference
from numpy.typing import NDArray

import outflank

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session")
def positions() -> list[tuple[int, int]]:
    return reference.random_positions(4000, 1)


@pytest.fixture(scope="session")
def boards(positions: list[tuple[int, int]]) -> NDArray[np.uint64]:
    return np.array(positions, dtype=np.uint64)


@pytest.fixture(scope="session")
def ffo() -> list[outflank.Problem]:
    """FFO #1 to #19 with their scores."""
    problems = outflank.read(ROOT / "problems" / "ffo-1-19.obf")
    assert len(problems) == 19
    return [problem for problem in problems if isinstance(problem, outflank.Problem)]


@pytest.fixture(scope="session")
def endgames(boards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Positions of 8 to 14 empty squares."""
    empties = np.array([64 - int(player | opponent).bit_count() for player, opponent in boards.tolist()])
    return boards[(empties >= 8) & (empties <= 14)]
