"""Answers for many positions, column by column."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Status(enum.IntEnum):
    """The result of a row."""

    NOT_SEARCHED = 0
    """Nothing was searched: the work was stopped before it."""
    SOLVED = 1
    """The score is exact: the search went to the end of the game with nothing left out."""
    SEARCHED = 2
    """The search reached the depth and selectivity that it was asked for."""
    INCOMPLETE = 3
    """A limit of time or nodes, or a stop, ended the search early."""
    INVALID = 4
    """The row is no position."""


class Solutions(NamedTuple):
    """Answers, a row for each board. ``to_arrow`` makes a table of them."""

    score: NDArray[np.int8]
    """Discs for the side to move, -64 to 64, empty squares to the winner; clipped to the window, if there is one."""
    best: NDArray[np.uint8]
    """The best move: 0 (A1) to 63 (H8), 64 a pass, 255 none."""
    depth: NDArray[np.uint8]
    """Plies searched; as many as empty squares where it was to the end."""
    selectivity: NDArray[np.uint8]
    """How certain the search is, in percent."""
    status: NDArray[np.uint8]
    """See `Status`."""
    nodes: NDArray[np.uint64]
    """Positions searched."""
    seconds: NDArray[np.float64]
    """The time of the search."""

    def to_arrow(self) -> Any:
        """The columns as a ``pyarrow.Table``, without copies."""
        import pyarrow

        return pyarrow.table(self._asdict())


class Records(NamedTuple):
    """Training records, a row for each position."""

    boards: NDArray[np.uint64]
    """The positions, of shape (N, 2), the side to move first."""
    values: NDArray[np.int16]
    """What they are worth to the side to move, in 1/128 disc."""
    sources: NDArray[np.uint8]
    """Where the values come from: 255 exact, 254 the result of a game, else the plies of a search."""
    games: NDArray[np.uint32]
    """The games that the positions are from: a checksum of each."""
    settings: list[tuple[str, str]]
    """How the records were made."""
