from __future__ import annotations

import os
import pathlib

import hypothesis
import numpy as np
import pytest
import reference
from numpy.typing import NDArray

import outflank

# Hypothesis stores no database of failed examples.
hypothesis.settings.register_profile("outflank", database=None)
hypothesis.settings.load_profile("outflank")

ROOT = pathlib.Path(__file__).parents[3]


@pytest.fixture(scope="session")
def positions() -> list[tuple[int, int]]:
    return reference.random_positions(4000, 1)


@pytest.fixture(scope="session")
def boards(positions: list[tuple[int, int]]) -> NDArray[np.uint64]:
    return np.array(positions, dtype=np.uint64)


@pytest.fixture(scope="session")
def ffo() -> list[outflank.Problem]:
    """FFO #1 to #19 with their scores."""
    problems = outflank.read(ROOT / "data/problems" / "ffo-1-19.obf")
    assert len(problems) == 19
    return [problem for problem in problems if isinstance(problem, outflank.Problem)]


@pytest.fixture(scope="session")
def endgames(boards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Positions with 8 to 14 empty squares."""
    empties = np.array([64 - int(player | opponent).bit_count() for player, opponent in boards.tolist()])
    return boards[(empties >= 8) & (empties <= 14)]


@pytest.fixture(scope="module")
def cluster():
    """Local Ray cluster with two CPUs."""
    ray = pytest.importorskip("ray")
    os.environ["RAY_BACKEND_LOG_LEVEL"] = "fatal"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


@pytest.fixture(scope="session")
def some(endgames: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return endgames[:400]


@pytest.fixture(scope="session")
def scores(some: NDArray[np.uint64]) -> NDArray[np.int8]:
    return outflank.solve_many(some).score
