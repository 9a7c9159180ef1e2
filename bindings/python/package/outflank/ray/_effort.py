"""Limits of searches, and estimates of their time."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import outflank


@dataclass(frozen=True)
class Effort:
    """Limits of searches. Without level, depth and selectivity, a search is exact.

    The fields are those of ``outflank.solve_many``: Edax's ``level`` (0 to 60), or ``depth`` in plies and
    ``selectivity`` in percent. A ``selectivity`` without a ``depth`` holds for a search to the end of the game.
    Positions with at most ``exact`` empty squares are solved. ``time`` (seconds) and ``nodes`` limit each search.
    """

    level: int | None = None
    depth: int | None = None
    selectivity: int | None = None
    exact: int | None = None
    time: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        # Invalid numbers are an error here, not in a worker.
        self._depth(0)

    def arguments(self) -> dict[str, Any]:
        """Returns the fields that are set, as arguments of ``solve_many``."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def seconds(self, empties: int) -> float:
        """Estimates the seconds for a position with ``empties`` empty squares, on one thread. Only ratios matter: they
        decide the size of parts."""
        depth, selectivity = self._depth(empties)
        if depth >= empties and selectivity == 100:
            estimate = 5e-3 * 2.1 ** (min(empties, 20) - 16) * 3.0 ** max(empties - 20, 0)
        else:
            growth = {73: 1.5, 87: 1.6, 95: 1.75, 98: 1.9, 99: 2.0, 100: 2.5}[selectivity]
            estimate = 1e-3 * growth ** (depth - 8)
        if self.time is not None:
            estimate = min(estimate, self.time)
        if self.nodes is not None:
            estimate = min(estimate, self.nodes / 15e6)
        return max(estimate, 2e-5)

    def _depth(self, empties: int) -> tuple[int, int]:
        arguments = self.arguments()
        arguments.pop("time", None)
        arguments.pop("nodes", None)
        return outflank.search_depth(empties, **arguments)
