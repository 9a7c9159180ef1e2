"""The exceptions of the package."""

from __future__ import annotations


class OutflankError(Exception):
    """What all exceptions of this package are."""


class BoardError(OutflankError, ValueError):
    """A text that is no position, or a board with squares that both sides hold."""


class IllegalMoveError(OutflankError, ValueError):
    """A move, or a pass, that the rules do not allow."""


class FormatError(OutflankError, ValueError):
    """A file of games, positions, weights, records or an opening book that cannot be read or written."""


class ArgumentError(OutflankError, TypeError):
    """An argument of another type than is needed."""


class ArrayError(OutflankError, ValueError):
    """An array of another type or shape than is needed."""


class RowError(OutflankError, ValueError):
    """A row of an array or a table that cannot be used.

    ``row`` is its number, from 0; ``column`` names the array or column.
    """

    def __init__(self, message: str, row: int, column: str) -> None:
        super().__init__(message)
        self.row = row
        self.column = column

    def __reduce__(self) -> tuple[type[RowError], tuple[str, int, str]]:
        return (type(self), (str(self), self.row, self.column))


class EngineError(OutflankError, RuntimeError):
    """An engine that cannot be made or used."""


class IsaError(OutflankError, ValueError):
    """An instruction-set level that is unknown, or that this CPU lacks."""
