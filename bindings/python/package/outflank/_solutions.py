"""Results for many positions, and training records, as columns."""

from __future__ import annotations

import enum
import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Status(enum.IntEnum):
    """Outcome of a row."""

    NOT_SEARCHED = 0
    """The search was stopped before this row."""
    SOLVED = 1
    """The score is exact: the search reached the end of the game without selective cuts."""
    SEARCHED = 2
    """The search reached the requested depth and selectivity."""
    INCOMPLETE = 3
    """A limit of time or nodes, or a stop, ended the search early."""
    INVALID = 4
    """The row is no valid position."""


def _frame(library: str, columns: dict[str, NDArray[Any]]) -> Any:
    return importlib.import_module(library).DataFrame(columns)


class Solutions(NamedTuple):
    """Search results, a row for each board. ``to_arrow``, ``to_pandas`` and ``to_polars`` make a table of them."""

    score: NDArray[np.int8]
    """Discs for the side to move, -64 to 64; empty squares go to the winner. Clipped to the window, if there is one."""
    best: NDArray[np.uint8]
    """Best move: 0 (A1) to 63 (H8), 64 for a pass, 255 for none."""
    depth: NDArray[np.uint8]
    """Depth of the search in plies. The number of empty squares means the end of the game."""
    selectivity: NDArray[np.uint8]
    """Confidence of the selective cuts, in percent."""
    status: NDArray[np.uint8]
    """Outcome of the row, a number of ``Status``."""
    nodes: NDArray[np.uint64]
    """Positions searched."""
    seconds: NDArray[np.float64]
    """Wall-clock time of the search."""

    def __repr__(self) -> str:
        counts = [(int((self.status == status).sum()), status) for status in Status]
        rows = ", ".join(f"{count} {status.name.lower().replace('_', ' ')}" for count, status in counts if count)
        nodes, seconds = int(self.nodes.sum()), float(self.seconds.sum())
        return f"<outflank.Solutions {len(self.status)} rows: {rows or 'none'}; {nodes:,} nodes in {seconds:.3g} s>"

    def to_arrow(self) -> Any:
        """Makes a ``pyarrow.Table`` of the columns, without copies."""
        import pyarrow

        return pyarrow.table(self._asdict())

    def to_pandas(self) -> Any:
        """Makes a ``pandas.DataFrame`` of the columns."""
        return _frame("pandas", self._asdict())

    def to_polars(self) -> Any:
        """Makes a ``polars.DataFrame`` of the columns."""
        return _frame("polars", self._asdict())


class Records(NamedTuple):
    """Training records, a row for each position. ``to_arrow``, ``to_pandas`` and ``to_polars`` make a table of them."""

    boards: NDArray[np.uint64]
    """Positions, of shape (N, 2), the side to move first."""
    values: NDArray[np.int16]
    """Values for the side to move, in 1/128 disc."""
    sources: NDArray[np.uint8]
    """Origins of the values: 255 exact, 254 the result of a game, else the plies of a search."""
    games: NDArray[np.uint32]
    """Checksum of the game of each position."""
    settings: list[tuple[str, str]]
    """Settings with which the records were made: pairs of a name and a value."""

    def __repr__(self) -> str:
        games = len(set(self.games.tolist()))
        return f"<outflank.Records {len(self.values)} positions of {games} games>"

    def _columns(self) -> dict[str, NDArray[Any]]:
        columns = {"player": self.boards[:, 0], "opponent": self.boards[:, 1]}
        return {**columns, "value": self.values, "source": self.sources, "game": self.games}

    def to_arrow(self) -> Any:
        """Makes a ``pyarrow.Table`` of the columns ``player``, ``opponent``, ``value``, ``source`` and ``game``."""
        import pyarrow

        return pyarrow.table(self._columns())

    def to_pandas(self) -> Any:
        """Makes a ``pandas.DataFrame`` of the columns of ``to_arrow``."""
        return _frame("pandas", self._columns())

    def to_polars(self) -> Any:
        """Makes a ``polars.DataFrame`` of the columns of ``to_arrow``."""
        return _frame("polars", self._columns())
