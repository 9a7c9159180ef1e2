"""Growth of opening books on a cluster."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ray

import outflank

from ._job import cluster
from ._pool import Pool, check_workers

COMMIT_SECONDS = 1.0
"""Seconds between two commits. A killed driver loses the results since the last one."""


@dataclass
class LearnReport:
    """Growth of a book in a run."""

    book: str
    positions: int = 0
    """Number of positions of the book."""
    added: int = 0
    """Number of added positions."""
    searches: int = 0
    start: int | None = None
    """Score of the start of the game, in discs for black."""
    nodes: int = 0
    seconds: float = 0.0
    retries: int = 0
    """Searches that were repeated because a worker or a node was lost."""

    def __str__(self) -> str:
        start = "" if self.start is None else f"; start {self.start:+}"
        return (
            f"{self.book}: {self.positions} positions, {self.added} added, {self.searches} searches, "
            f"{self.nodes} nodes in {self.seconds:.1f} s, {self.retries} retries{start}"
        )


Progress = Callable[[LearnReport, bool], None]
"""Function that is called with the report so far, and with ``True`` for the last one."""


@dataclass(frozen=True)
class _Task:
    """Search for a worker."""

    name: str
    number: int
    board: tuple[int, int]
    depth: int
    selectivity: int
    without: list[str]


class _Searcher:
    """Actor that searches, on one thread."""

    def __init__(self, hash_mib: int, weights: str | None) -> None:
        self.engine = outflank.Engine(hash_mib=hash_mib, weights=weights)

    def search(self, task: _Task) -> dict[str, Any]:
        """Searches, and returns the arguments of ``BookLearner.found`` and the nodes."""
        board = outflank.Board(*task.board)
        result = self.engine.search(board, depth=task.depth, selectivity=task.selectivity, without=task.without)
        answer = {
            "move": result.best,
            "score": result.score,
            "depth": result.depth,
            "selectivity": result.selectivity,
        }
        return {"answer": answer, "nodes": result.nodes}


def learn(
    book: str,
    *,
    level: int = 16,
    empties: int = 30,
    time: float | None = None,
    positions: int | None = None,
    workers: int | None = None,
    hash_mib: int = 64,
    weights: str | None = None,
    progress: Progress | None = None,
) -> LearnReport:
    """Lets an opening book grow where it matters most, as ``outflank book learn`` does. The file is on this machine,
    and the cluster runs the searches.

    Positions are searched at ``level`` of Edax; none with fewer than ``empties`` empty squares is added. The run ends
    after ``time`` seconds, about ``positions`` added positions, or Ctrl-C, and keeps all results. Results are committed
    every second. Searches of lost workers are repeated. ``workers`` actors search, by default one for each CPU of the
    cluster. Each uses one CPU and a table of ``hash_mib`` MiB.
    """
    begin = clock.monotonic()
    check_workers(workers)
    if time is not None and not time >= 0:
        raise ValueError(f"time: expected 0 or more seconds, got {time}")
    if weights is not None:
        weights = os.path.abspath(weights)
    learner = outflank.BookLearner(book, level=level, empties=empties, positions=positions, weights=weights)
    report = LearnReport(book)
    try:
        with cluster():
            _search(learner, report, workers, hash_mib, weights, begin, time, progress)
    finally:
        _update(report, learner, begin)
        report.start = learner.close()
    if progress is not None:
        progress(report, True)
    return report


def _search(
    learner: outflank.BookLearner,
    report: LearnReport,
    workers: int | None,
    hash_mib: int,
    weights: str | None,
    begin: float,
    time: float | None,
    progress: Progress | None,
) -> None:
    """Runs searches of the learner until the time is over or none is left."""
    actor = ray.remote(num_cpus=1)(_Searcher)
    pool: Pool[_Task] = Pool(lambda: actor.remote(hash_mib, weights), workers)
    requested: dict[int, outflank.BookSearch] = {}
    count = 0

    def is_late() -> bool:
        return time is not None and clock.monotonic() - begin >= time

    def next_task() -> _Task | None:
        nonlocal count
        search = None if is_late() else learner.next()
        if search is None:
            return None
        count += 1
        requested[count] = search
        board = search.board
        name = f"the position {board.player:#x}, {board.opponent:#x}"
        discs = (board.player, board.opponent)
        return _Task(name, count, discs, search.depth, search.selectivity, search.without)

    committed = clock.monotonic()
    for task, result in pool.run(next_task):
        learner.found(requested.pop(task.number), **result["answer"])
        report.nodes += result["nodes"]
        report.retries = pool.retries
        if clock.monotonic() - committed >= COMMIT_SECONDS:
            learner.commit()
            committed = clock.monotonic()
        if progress is not None:
            _update(report, learner, begin)
            progress(report, False)
        if is_late():
            return


def _update(report: LearnReport, learner: outflank.BookLearner, begin: float) -> None:
    report.positions = len(learner)
    report.added = learner.added
    report.searches = learner.searches
    report.start = learner.start
    report.seconds = clock.monotonic() - begin
