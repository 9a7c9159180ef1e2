"""Answers for many positions, column by column."""

from __future__ import annotations

import enum
import importlib
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


def _frame(library: str, columns: dict[str, NDArray[Any]]) -> Any:
    return importlib.import_module(library).DataFrame(columns)


class Solutions(NamedTuple):
    """Answers, a row for each board. ``to_arrow``, ``to_pandas`` and ``to_polars`` make a table of them."""

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

    def __repr__(self) -> str:
        counts = [(int((self.status == status).sum()), status) for status in Status]
        rows = ", ".join(f"{count} {status.name.lower().replace('_', ' ')}" for count, status in counts if count)
        nodes, seconds = int(self.nodes.sum()), float(self.seconds.sum())
        return f"<outflank.Solutions {len(self.status)} rows: {rows or 'none'}; {nodes:,} nodes in {seconds:.3g} s>"

    def to_arrow(self) -> Any:
        """The columns as a ``pyarrow.Table``, without copies."""
        import pyarrow

        return pyarrow.table(self._asdict())

    def to_pandas(self) -> Any:
        """The columns as a ``pandas.DataFrame``."""
        return _frame("pandas", self._asdict())

    def to_polars(self) -> Any:
        """The columns as a ``polars.DataFrame``."""
        return _frame("polars", self._asdict())


class Records(NamedTuple):
    """Training records, a row for each position. ``to_arrow``, ``to_pandas`` and ``to_polars`` make a table of them."""

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

    def __repr__(self) -> str:
        games = len(set(self.games.tolist()))
        return f"<outflank.Records {len(self.values)} positions of {games} games>"

    def _columns(self) -> dict[str, NDArray[Any]]:
        columns = {"player": self.boards[:, 0], "opponent": self.boards[:, 1]}
        return {**columns, "value": self.values, "source": self.sources, "game": self.games}

    def to_arrow(self) -> Any:
        """The columns ``player``, ``opponent``, ``value``, ``source`` and ``game`` as a ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self._columns())

    def to_pandas(self) -> Any:
        """The columns of ``to_arrow`` as a ``pandas.DataFrame``."""
        return _frame("pandas", self._columns())

    def to_polars(self) -> Any:
        """The columns of ``to_arrow`` as a ``polars.DataFrame``."""
        return _frame("polars", self._columns())
