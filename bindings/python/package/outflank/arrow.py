"""Conversion of boards from and to Arrow, without copies if the layout allows it. Needs ``pyarrow``.

A board in a table is one of

- a column ``board`` of lists of two uint64 (``FixedSizeList``). Arrays of this package have the same layout and are
  converted without a copy.
- two columns ``player`` and ``opponent`` of uint64, or of int64 with the same bits, for systems without unsigned
  numbers.
- a column ``board`` of texts: 64 squares and the side to move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ._errors import ArgumentError, ArrayError, BoardError, FormatError, RowError
from ._outflank import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLUMNS = ("board", "player", "opponent")


class Rows(NamedTuple):
    """Boards of a table, and the faults of its rows."""

    boards: NDArray[np.uint64]
    """Array of shape (N, 2). An invalid row is 0, 0."""
    faults: dict[int, str]
    """Reasons of invalid rows, by row number."""


def to_arrow(boards: NDArray[np.uint64]) -> Any:
    """Makes an Arrow array of lists of two uint64.

    Shares the array's memory if it is contiguous and aligned; copies otherwise. Raises ``ArrayError`` for an array of
    another type or shape.
    """
    import numpy as np
    import pyarrow as pa

    is_array = isinstance(boards, np.ndarray)
    # Types such as ``StringDType`` have no byte order to change.
    words = np.dtype(np.uint64)
    is_words = is_array and (boards.dtype == words or boards.dtype == words.newbyteorder("S"))
    if not (is_words and boards.ndim == 2 and boards.shape[1] == 2):
        got = f"{boards.dtype} of shape {boards.shape}" if is_array else type(boards).__name__
        raise ArrayError(f"boards: expected an array of uint64 of shape (N, 2), got {got}")
    flat = np.require(boards, dtype=np.uint64, requirements=["C", "A"]).reshape(-1)
    return pa.FixedSizeListArray.from_arrays(pa.array(flat), 2)


def from_arrow(table: Any) -> NDArray[np.uint64]:
    """Reads the boards of a table, a record batch, a column of boards, or a data frame that Arrow can read.

    Raises ``RowError`` for a row that is no position, and ``FormatError`` for a missing column.
    """
    rows = read_rows(table)
    for row, fault in rows.faults.items():
        raise RowError(f"row {row} of {fault}", row, fault.split(":")[0])
    return rows.boards


def check_columns(names: list[str], what: str = "the table") -> None:
    """Raises ``FormatError`` if no column has boards."""
    if "board" in names or {"player", "opponent"} <= set(names):
        return
    missing = [name for name in ("player", "opponent") if name not in names]
    missing = ["board"] if len(missing) == 2 else missing
    alternative = ", or the columns 'player' and 'opponent'" if missing == ["board"] else ""
    raise FormatError(f"{what} has no column {missing[0]!r}{alternative}: it has {', '.join(names) or 'none'}")


def read_rows(table: Any) -> Rows:
    """Reads the boards of a table, a record batch, or a column of boards, and the faults of rows."""
    import pyarrow as pa

    if isinstance(table, (pa.Array, pa.ChunkedArray)):
        return _of_column(_joined(table))
    if not isinstance(table, (pa.Table, pa.RecordBatch)):
        if not hasattr(table, "__arrow_c_stream__"):
            raise ArgumentError(f"table: expected a table or a column of Arrow, got {type(table).__name__}")
        table = pa.table(table)
    names = list(table.schema.names)
    check_columns(names)
    if "board" in names:
        return _of_column(_joined(table.column("board")))
    return _of_pair(_joined(table.column("player")), _joined(table.column("opponent")))


def _joined(column: Any) -> Any:
    """Joins the chunks of a column. String views, as polars has them, become large strings, which all functions of
    pyarrow accept."""
    import pyarrow as pa

    # Since pyarrow 16.
    is_view = getattr(pa.types, "is_string_view", None)
    if is_view is not None and is_view(column.type):
        column = column.cast(pa.large_string())
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _of_column(column: Any) -> Rows:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _of_texts(column)
    if not (pa.types.is_fixed_size_list(kind) and kind.list_size == 2):
        message = f"column 'board': expected lists of two uint64, or texts, got {kind}"
        raise FormatError(message)
    faults = {int(row): "board: no value" for row in _nulls(column)}
    # A null list may still have values.
    values = column.values.slice(2 * column.offset, 2 * len(column))
    for item in _nulls(values):
        faults.setdefault(int(item) // 2, "board: no value")
    return _checked(_words(values, "board").reshape(-1, 2), faults, "board")


def _of_pair(player: Any, opponent: Any) -> Rows:
    import numpy as np

    faults: dict[int, str] = {}
    boards = np.empty((len(player), 2), dtype=np.uint64)
    for index, (name, column) in enumerate((("player", player), ("opponent", opponent))):
        if column.null_count:
            for row in _nulls(column):
                faults.setdefault(int(row), f"{name}: no value")
            column = column.fill_null(0)
        boards[:, index] = _words(column, name)
    return _checked(boards, faults, "player, opponent")


def _of_texts(column: Any) -> Rows:
    import numpy as np

    boards = np.zeros((len(column), 2), dtype=np.uint64)
    faults: dict[int, str] = {}
    for row, text in enumerate(column.to_pylist()):
        if text is None:
            faults[row] = "board: no value"
            continue
        try:
            board = Board.from_text(text)
        except BoardError as error:
            faults[row] = f"board: {error}"
            continue
        boards[row] = board.player, board.opponent
    return _checked(boards, faults, "board")


def _words(column: Any, name: str) -> NDArray[np.uint64]:
    """Views a column of 64-bit integers as uint64, without a copy."""
    import numpy as np
    import pyarrow as pa

    if column.type not in (pa.uint64(), pa.int64()):
        raise FormatError(f"column {name!r}: expected uint64, got {column.type}")
    if column.null_count:
        column = column.fill_null(0)
    words: NDArray[np.uint64] = column.to_numpy(zero_copy_only=True).view(np.uint64)
    return words


def _nulls(column: Any) -> NDArray[np.intp]:
    import numpy as np

    if not column.null_count:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))


def _checked(boards: NDArray[np.uint64], faults: dict[int, str], name: str) -> Rows:
    """Adds the faults of invalid boards: no discs, or a square that both sides hold."""
    import numpy as np

    player, opponent = boards[:, 0], boards[:, 1]
    for row in np.flatnonzero((player & opponent) | ((player | opponent) == 0)):
        try:
            Board(int(boards[row, 0]), int(boards[row, 1]))
        except BoardError as error:
            faults.setdefault(int(row), f"{name}: {error}")
    if faults:
        # Arrow's memory is read-only.
        boards = boards.copy()
        boards[list(faults)] = 0
    return Rows(boards, dict(sorted(faults.items())))
