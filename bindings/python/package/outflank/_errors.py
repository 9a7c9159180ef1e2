"""The exceptions of the package."""

from __future__ import annotations


class OutflankError(Exception):
    """Base class of the exceptions of this package."""


class BoardError(OutflankError, ValueError):
    """Text that is no position, or invalid board: no discs, or a square that both sides hold."""


class IllegalMoveError(OutflankError, ValueError):
    """Illegal move or pass."""


class FormatError(OutflankError, ValueError):
    """File of games, positions, weights, records or an opening book that cannot be read or written."""


class ArgumentError(OutflankError, TypeError):
    """Argument of a wrong type."""


class ArrayError(OutflankError, ValueError):
    """Array of a wrong type or shape."""


class RowError(OutflankError, ValueError):
    """Invalid row of an array or a table.

    ``row`` is its number, from 0; ``column`` names the array or column.
    """

    def __init__(self, message: str, row: int, column: str) -> None:
        super().__init__(message)
        self.row = row
        self.column = column

    def __reduce__(self) -> tuple[type[RowError], tuple[str, int, str]]:
        return (type(self), (str(self), self.row, self.column))


class CertificateError(OutflankError, ValueError):
    """Certificate that is refused: damaged, or no proof of its claim."""


class EngineError(OutflankError, RuntimeError):
    """Engine that cannot be made or used."""


class IsaError(OutflankError, ValueError):
    """Instruction-set level that is unknown, or that this CPU lacks."""
