"""Outflank, an Othello core: exact solving, search, evaluation, and kernels over arrays of boards.

>>> import outflank
>>> engine = outflank.Engine()
>>> engine.solve("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X").score
18

Boards as arrays are uint64 of shape (N, 2), the discs of the side to move first, A1 = bit 0.
"""

from . import arrow
from ._errors import (
    ArrayError,
    BoardError,
    EngineError,
    FormatError,
    IllegalMoveError,
    IsaError,
    OutflankError,
    RowError,
)
from ._outflank import (
    Board,
    Book,
    BookMove,
    Candidate,
    Engine,
    Game,
    Judgement,
    Problem,
    SearchResult,
    Weights,
    __version__,
    apply,
    canonical,
    children,
    evaluate,
    features,
    flip,
    hash,
    isas,
    mobility,
    perft,
    read,
    read_records,
    search_depth,
    selected_isa,
    solve_many,
    square_index,
    square_name,
    write,
    write_records,
)
from ._solutions import Records, Solutions, Status

__all__ = [
    "ArrayError",
    "Board",
    "BoardError",
    "Book",
    "BookMove",
    "Candidate",
    "Engine",
    "EngineError",
    "FormatError",
    "Game",
    "IllegalMoveError",
    "IsaError",
    "Judgement",
    "OutflankError",
    "Problem",
    "Records",
    "RowError",
    "SearchResult",
    "Solutions",
    "Status",
    "Weights",
    "__version__",
    "apply",
    "arrow",
    "canonical",
    "children",
    "evaluate",
    "features",
    "flip",
    "hash",
    "isas",
    "mobility",
    "perft",
    "read",
    "read_records",
    "search_depth",
    "selected_isa",
    "solve_many",
    "square_index",
    "square_name",
    "write",
    "write_records",
]
