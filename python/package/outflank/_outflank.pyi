"""The extension module: see ``outflank``."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, SupportsIndex, TypeAlias, final, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._solutions import Records, Solutions

__all__ = [
    "Board",
    "Book",
    "BookLearner",
    "BookMove",
    "BookSearch",
    "Candidate",
    "Engine",
    "Game",
    "Judgement",
    "Problem",
    "SearchResult",
    "Weights",
    "__version__",
    "apply",
    "canonical",
    "children",
    "evaluate",
    "features",
    "final_scores",
    "flip",
    "hash",
    "isas",
    "mobility",
    "move_masks",
    "perft",
    "planes",
    "potential_mobility",
    "read",
    "read_records",
    "search_depth",
    "selected_isa",
    "solve_many",
    "square_index",
    "square_name",
    "stability",
    "symmetries",
    "write",
    "write_records",
]
__version__: str

_Path: TypeAlias = str | os.PathLike[str]
_Boards: TypeAlias = NDArray[np.uint64]
_Square: TypeAlias = str | int
_Position: TypeAlias = Board | Game | str
_Weights: TypeAlias = Weights | _Path
_Side: TypeAlias = Literal["black", "white"]
_Bound: TypeAlias = Literal["exact", "lower", "upper"]
_WrittenFormat: TypeAlias = Literal["obf", "ggf", "wthor", "transcript"]
_Format: TypeAlias = _WrittenFormat | Literal["sgf", "othello-quest"]
_Plies: TypeAlias = NDArray[np.uint8] | _Square

@final
class Board:
    """A position: the discs of the side to move and those of the other side, as bitboards with A1 = bit 0. Without
    arguments, that of the start of a game. Colours are the business of games and texts."""

    def __new__(cls, player: int = ..., opponent: int = ...) -> Board: ...
    @classmethod
    def from_text(cls, text: str) -> Board:
        """Reads 64 squares A1 to H8 ("X", "*", "b" black; "O", "w" white; "-", "." empty) and, after a blank, the side
        to move ("X" or "O"; without it black)."""
    @property
    def player(self) -> int:
        """The discs of the side to move."""
    @property
    def opponent(self) -> int:
        """The discs of the other side."""
    @property
    def empties(self) -> int:
        """The empty squares."""
    @property
    def empty_count(self) -> int:
        """The number of empty squares."""
    @property
    def player_count(self) -> int:
        """The number of discs of the side to move."""
    @property
    def opponent_count(self) -> int:
        """The number of discs of the other side."""
    @property
    def disc_count(self) -> int:
        """The number of discs of both sides."""
    def __contains__(self, square: _Square, /) -> bool:
        """Returns ``True`` if there is a disc on the square: ``"D4" in board``."""
    @property
    def mobility(self) -> int:
        """The squares where the side to move may play, as a bitboard."""
    @property
    def moves(self) -> list[str]:
        """The names of the squares where the side to move may play."""
    @property
    def must_pass(self) -> bool:
        """Whether the side to move has no move and the other has one."""
    @property
    def is_over(self) -> bool:
        """Whether neither side has a move."""
    @property
    def final_score(self) -> int | None:
        """The score of a finished game in discs for the side to move, empty squares to the winner; ``None`` where it is
        not over."""
    def flip(self, square: _Square) -> int:
        """The discs that a move turns, as a bitboard; 0 where the move is not legal."""
    def play(self, square: _Square) -> Board:
        """The position after a move, or after a pass (``"PS"``, 64) where it is due."""
    def swapped(self) -> Board:
        """The same discs with the other side to move."""
    def canonical(self) -> Board:
        """Of the eight images under the symmetries of the square the lowest one."""
    def perft(self, depth: int, *, passes: bool = True) -> int:
        """The leaves of the game tree ``depth`` plies below. With ``passes=False`` a pass is not a ply."""
    def to_text(self, side: _Side = "black") -> str:
        """The 64 squares and the side to move, which is "black" unless said otherwise."""
    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Board], tuple[int, int]]: ...
    def _repr_svg_(self) -> str: ...

@final
class Game:
    """A game as far as it was played, with what a file says about it. Every ply is legal; passes that are due are
    inserted before a move."""

    def __new__(
        cls,
        moves: str | Iterable[_Square] | None = None,
        *,
        start: Board | str | None = None,
        side: _Side = "black",
    ) -> Game:
        """The game of these moves: squares, or a text, a transcript or PGN. Without ``start`` and ``side`` the text may
        be in any format that ``read`` reads, with one game."""
    @classmethod
    def from_ggf(cls, text: str) -> Game:
        """Reads one game of GGF."""
    def play(self, square: _Square) -> None:
        """Plays on a square for the side whose turn it is; a pass that is due is inserted."""
    def pass_(self) -> None:
        """Passes, where the side to move has to."""
    def undo(self) -> str | None:
        """Takes back the last ply and returns it; ``None`` at the start."""
    @property
    def board(self) -> Board:
        """The position now."""
    @property
    def side(self) -> _Side:
        """The side to move."""
    @property
    def start(self) -> tuple[Board, _Side]:
        """The position that the game began with, and the side to move."""
    @property
    def plies(self) -> list[str]:
        """What was played, passes as "PS"."""
    @property
    def moves(self) -> list[str]:
        """The moves, without passes."""
    @property
    def positions(self) -> list[tuple[Board, _Side]]:
        """The start and the position after each ply, with the side to move."""
    def boards(self) -> NDArray[np.uint64]:
        """The boards of ``positions`` as an array of uint64 of shape (N, 2)."""
    @property
    def is_over(self) -> bool:
        """Whether neither side can move."""
    @property
    def score(self) -> int | None:
        """The result in discs from black's side, empty squares to the winner; where the game is not over, what a file
        says, or ``None``."""
    @property
    def properties(self) -> list[tuple[str, str]]:
        """What a file says about the game: names as in GGF ("PB" and "PW" are the players), and texts."""
    def property(self, name: str) -> str | None:
        """The value of a property; ``None`` where it has none."""
    def set_property(self, name: str, value: str) -> None:
        """Sets a property."""
    def to_ggf(self) -> str:
        """The game as GGF, with all that is known about it."""
    def to_transcript(self) -> str:
        """The game as a transcript, "f5d6c3"."""
    def to_obf(self) -> str:
        """The position now as a line of OBF."""
    def __len__(self) -> int:
        """The number of plies."""
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> str: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[str]:
        """A ply by its number, from 0 or counted from the end, or a list of those of a slice."""
    def __iter__(self) -> Iterator[str]: ...
    def __reversed__(self) -> Iterator[str]: ...
    def __contains__(self, ply: _Square, /) -> bool:
        """Returns ``True`` if the ply was played: ``"F5" in game``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...
    def _repr_svg_(self) -> str: ...

@final
class Problem:
    """A position of a problem file, with what is known of its moves."""

    def __new__(
        cls,
        board: Board,
        side: _Side = "black",
        *,
        scores: Iterable[tuple[_Square, int]] | None = None,
        score: int | None = None,
        name: str | None = None,
    ) -> Problem: ...
    @property
    def board(self) -> Board:
        """The position."""
    @property
    def side(self) -> _Side:
        """The side to move."""
    @property
    def scores(self) -> list[tuple[str, int]]:
        """The moves with their exact scores, in discs for the side to move."""
    @property
    def score(self) -> int | None:
        """The best score that is known, in discs for the side to move."""
    @property
    def name(self) -> str | None:
        """What the file calls it."""
    def to_obf(self) -> str:
        """The problem as a line of OBF."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def _repr_svg_(self) -> str: ...

@final
class BookMove:
    """A move of an opening book."""

    @property
    def move(self) -> str:
        """The move, "F5" or "PS"."""
    @property
    def score(self) -> int:
        """What it is worth, in discs for who makes it."""
    @property
    def depth(self) -> int:
        """Plies of the search that the score comes from, with those that lead there by moves of the book."""
    @property
    def selectivity(self) -> int:
        """How certain that search was, in percent."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Book:
    """An opening book that is read."""

    def __new__(
        cls,
        path: _Path | None = None,
        *,
        tolerance: int = 0,
        game_tolerance: int | None = None,
        seed: int = 0,
    ) -> Book:
        """Opens the book at `path`, or without a path the one that comes with the package.

        `choose` takes any move that is worth at most `tolerance` discs less than the best one, and gives away at most
        `game_tolerance` in a game, twice as much unless it is given; the same `seed` makes the same choices."""
    def moves(self, position: _Position) -> list[BookMove]:
        """The moves of a position that the book knows, the best first; none where it does not know the position."""
    def choose(self, position: _Position) -> BookMove | None:
        """The move to play in a position, chosen by chance within the tolerance; `None` where it is not in the book."""
    def __contains__(self, position: _Position, /) -> bool: ...
    def __len__(self) -> int: ...

@final
class BookSearch:
    """A search that a book is to grow by."""

    @property
    def board(self) -> Board:
        """The position."""
    @property
    def depth(self) -> int:
        """Plies."""
    @property
    def selectivity(self) -> int:
        """How certain the search has to be, in percent."""
    @property
    def without(self) -> list[str]:
        """The moves that are not looked at: they lead to positions of the book."""

@final
class BookLearner:
    """An opening book that grows by searches of the caller: any number at once, answered in any order."""

    def __new__(
        cls,
        path: _Path,
        *,
        level: int = 16,
        empties: int = 30,
        positions: int | None = None,
        weights: _Weights | None = None,
    ) -> BookLearner:
        """Opens the book at `path`, or makes it.

        Positions are searched as Edax does at `level`; those with fewer than `empties` empty squares are not added, and
        about `positions` at most. `weights` are those of the engines that search."""
    def next(self) -> BookSearch | None:
        """What to search next; `None` where there is nothing, or nothing before others are answered."""
    def found(self, search: BookSearch, move: str | int, score: int, depth: int, selectivity: int) -> None:
        """Takes the answer to a search of `next`.

        It is the best move, what that is worth in discs for who makes it, and the depth and selectivity (percent) that
        the search reached."""
    def commit(self) -> None:
        """Writes what was found to the file: from then on it is safe."""
    def close(self) -> None:
        """Commits, and gives the file to others."""
    @property
    def added(self) -> int:
        """Positions that were added."""
    @property
    def searches(self) -> int:
        """Searches that were answered."""
    @property
    def start(self) -> int | None:
        """What the start of the game is worth for black; `None` as long as it is not known."""
    def __len__(self) -> int: ...

@final
class Candidate:
    """A move, and the score and line that it leads to."""

    @property
    def move(self) -> str:
        """The move, "F5" or "PS"."""
    @property
    def score(self) -> int:
        """The score after it, in discs for who makes it."""
    @property
    def bound(self) -> _Bound:
        """What the score says."""
    @property
    def line(self) -> list[str]:
        """Best play from before it on."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class SearchResult:
    """The result of a search."""

    @property
    def score(self) -> int:
        """Discs for the side to move, -64 to 64; at the end of the game empty squares go to the winner."""
    @property
    def bound(self) -> _Bound:
        """What the score says about the score of a search without a window."""
    @property
    def best(self) -> str | None:
        """The best move, "F5" or "PS" for a pass; ``None`` where there is none."""
    @property
    def line(self) -> list[str]:
        """Best play, the best move first."""
    @property
    def candidates(self) -> list[Candidate]:
        """The best moves, best first, where several lines were asked for."""
    @property
    def depth(self) -> int:
        """Plies searched; as many as empty squares where it was to the end."""
    @property
    def selectivity(self) -> int:
        """How certain the search is, in percent."""
    @property
    def complete(self) -> bool:
        """Whether the search reached what it was asked for."""
    @property
    def solved(self) -> bool:
        """Whether it was to the end of the game, with nothing left out."""
    @property
    def nodes(self) -> int:
        """Positions searched."""
    @property
    def time(self) -> float:
        """Seconds."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Judgement:
    """A move of a game, against the best one of its position. Scores are discs for who moved."""

    @property
    def number(self) -> int:
        """Which move of the game it is, from 1; passes are not counted."""
    @property
    def board(self) -> Board:
        """The board before it."""
    @property
    def side(self) -> _Side:
        """Who moved."""
    @property
    def played(self) -> str:
        """Where."""
    @property
    def best(self) -> str | None:
        """The best move of the position."""
    @property
    def score(self) -> int:
        """What the move led to, with best play by both from then on."""
    @property
    def best_score(self) -> int:
        """What the best move would have led to."""
    @property
    def loss(self) -> int:
        """What the move cost, in discs."""
    @property
    def mark(self) -> Literal["", "?!", "?", "??"]:
        """Nothing, "?!" from 3 discs, "?" from 6, "??" from 12."""
    @property
    def line(self) -> list[str]:
        """Best play from before the move on."""
    @property
    def depth(self) -> int:
        """Plies of the search."""
    @property
    def selectivity(self) -> int:
        """How certain it is, in percent."""
    @property
    def exact(self) -> bool:
        """Whether the scores are those of perfect play."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Weights:
    """Weights of an evaluation: those that are bundled, or those of a file."""

    def __new__(cls, path: _Path | None = None) -> Weights:
        """Reads a file of weights, Outflank's or Edax's ``eval.dat``; without a path, those that are bundled."""
    @property
    def kind(self) -> Literal["network", "linear"]:
        """What static values are made of."""
    @property
    def about(self) -> str:
        """Where they come from, as their maker put it."""

@final
class Engine:
    """Searches positions, one at a time. Other threads of Python run meanwhile; Ctrl-C ends a search.

    The hash table keeps what earlier searches found: ``clear`` forgets it. Searches that several threads of Python ask
    for are carried out one after another."""

    def __new__(
        cls,
        *,
        threads: int = 1,
        hash_mib: int = 256,
        weights: _Weights | None = None,
        isa: str | None = None,
    ) -> Engine: ...
    @property
    def isa(self) -> str:
        """The instruction-set level that the kernels run at."""
    @property
    def threads(self) -> int:
        """Threads that search."""
    @property
    def hash_mib(self) -> int:
        """The most memory of the hash table, in MiB."""
    def search(
        self,
        position: _Position,
        *,
        level: int | None = None,
        depth: int | None = None,
        selectivity: int | None = None,
        exact: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        window: tuple[int, int] | None = None,
        lines: int = 1,
        without: Iterable[_Square] | None = None,
        progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Searches a position as far as ``level``, ``depth``, ``time`` or ``nodes`` say, one of which is needed;
        ``solve`` goes to the end of the game. Moves of ``without`` are not looked at, unless there are no others."""
    def solve(
        self,
        position: _Position,
        *,
        window: tuple[int, int] | None = None,
        time: float | None = None,
        nodes: int | None = None,
        lines: int = 1,
        progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """The exact score of a position, or where a window is given, which side of it the score lies on. ``time`` and
        ``nodes`` end the search earlier."""
    def play(
        self,
        game: Game,
        *,
        level: int | None = None,
        depth: int | None = None,
        selectivity: int | None = None,
        exact: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> str | None:
        """Searches the position of a game, plays the best move on it, and returns the move. Level 16 where no limit is
        given. ``None`` where the game is over."""
    def analyze(
        self,
        game: Game,
        *,
        level: int | None = None,
        depth: int | None = None,
        selectivity: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> list[Judgement]:
        """Judges every move of a game: what it cost against the best one. Level 16 where nothing else is asked for.
        ``progress`` is called with the number of judged moves."""
    def solve_many(
        self,
        boards: _Boards,
        *,
        level: int | None = None,
        depth: int | None = None,
        selectivity: int | None = None,
        exact: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        window: tuple[int, int] | None = None,
        errors: Literal["raise", "mark"] = "raise",
        progress: Callable[[int, int, int], object] | None = None,
    ) -> Solutions:
        """Searches boards one after another, exactly where no level or depth is given. What the engine found for
        earlier boards helps with later ones. The rest is as with ``outflank.solve_many``."""
    def stop(self) -> None:
        """Ends the search that another thread of Python has begun, which returns what it has found."""
    def clear(self) -> None:
        """Forgets all earlier results, so that the next search counts the same nodes as a new engine's."""

def mobility(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """The squares where the side to move may play, as bitboards."""

def flip(
    boards: _Boards, squares: _Plies, *, isa: str | None = None, out: NDArray[np.uint64] | None = None
) -> NDArray[np.uint64]:
    """The discs that a move on a square turns, as bitboards; 0 where the move is not legal."""

def apply(
    boards: _Boards, plies: _Plies, *, isa: str | None = None, out: NDArray[np.uint64] | None = None
) -> NDArray[np.uint64]:
    """The boards after a ply each: a square (0 to 63), or a pass (64) where the side to move has to."""

def canonical(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """The lowest of the eight images of each board under the symmetries of the square."""

def stability(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """The discs of the side to move that are known never to turn, as bitboards. For the opponent's give
    ``boards[:, ::-1]``."""

def potential_mobility(
    boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None
) -> NDArray[np.uint64]:
    """The empty squares beside a disc of the opponent, as bitboards: where the side to move may play some day."""

def final_scores(boards: _Boards, *, isa: str | None = None, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
    """The scores of finished games as int8, in discs for the side to move, empty squares to the winner. A board where a
    side has a move is a ``RowError``."""

@overload
def planes(
    boards: _Boards,
    *,
    moves: bool = False,
    dtype: type[np.float32] | None = None,
    isa: str | None = None,
    out: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]: ...
@overload
def planes(
    boards: _Boards,
    *,
    moves: bool = False,
    dtype: DTypeLike | None = None,
    isa: str | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discs as planes of shape (N, 2, 8, 8): those of the side to move, then those of the opponent, 1 where there
    is one. Rows are ranks 1 to 8, columns files A to H. With ``moves=True`` a third plane has the legal moves.
    ``dtype`` is "float32", "uint8" or "bool"."""

def move_masks(boards: _Boards, *, isa: str | None = None, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """The legal moves of the side to move as bool of shape (N, 64), A1 to H8. A board without a legal move has none
    set."""

def symmetries(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """The eight images of each board under the symmetries of the square, of shape (N, 8, 2). Image 0 is the board.
    Image ``s`` exchanges rows and columns where ``s & 4``, then mirrors left to right where ``s & 1``, and upside down
    where ``s & 2``."""

def hash(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """The hash of each board, the same at every level and in every release."""

def perft(
    boards: _Boards,
    depth: int,
    *,
    passes: bool = True,
    isa: str | None = None,
    out: NDArray[np.uint64] | None = None,
) -> NDArray[np.uint64]:
    """The leaves of the game tree ``depth`` plies below each board; a finished game is one leaf. With ``passes=False``
    a pass is not a ply."""

def features(
    boards: _Boards,
    *,
    geometry: Literal["edax", "corner"] = "corner",
    isa: str | None = None,
    out: NDArray[np.uint16] | None = None,
) -> NDArray[np.uint16]:
    """The features of an evaluation, as uint16 of shape (N, 46) for "edax", the linear one, and (N, 32) for "corner",
    the network's. Squares are digits in base 3: 0 the side to move, 1 empty, 2 the opponent."""

def evaluate(
    boards: _Boards,
    *,
    weights: _Weights | None = None,
    isa: str | None = None,
    out: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """Static values in discs from the side to move, as float32; nothing is searched."""

def children(
    boards: _Boards, *, isa: str | None = None
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint8]]:
    """All boards that one ply leads to: ``(children, parents, plies)``, where ``children[i]`` is the board after
    ``plies[i]`` of ``boards[parents[i]]``. A side that has to pass has that ply alone; a finished game has none."""

def isas() -> list[str]:
    """The levels that this CPU has, the best last."""

def selected_isa() -> str:
    """The level that is used where none is named."""

def square_name(index: int) -> str:
    """The name of a square, or of a pass: ``square_name(37) == "F5"``, ``square_name(64) == "PS"``."""

def square_index(name: _Square) -> int:
    """The number of a square, or of a pass: ``square_index("F5") == 37``, ``square_index("PS") == 64``."""

def search_depth(
    empties: int,
    *,
    level: int | None = None,
    depth: int | None = None,
    selectivity: int | None = None,
    exact: int | None = None,
) -> tuple[int, int]:
    """How far a position with so many empty squares is searched: plies (as many as empty squares: to the end of the
    game), and the selectivity in percent."""

def solve_many(
    boards: _Boards,
    *,
    level: int | None = None,
    depth: int | None = None,
    selectivity: int | None = None,
    exact: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    window: tuple[int, int] | None = None,
    threads: int | None = None,
    hash_mib: int = 256,
    weights: _Weights | None = None,
    isa: str | None = None,
    keep_tables: bool = False,
    errors: Literal["raise", "mark"] = "raise",
    progress: Callable[[int, int, int], object] | None = None,
) -> Solutions:
    """Solves many positions on all cores, exactly where no level or depth is given; answers come in the order of the
    rows.

    ``threads`` positions are searched at once, each on one thread with its part of a table of ``hash_mib`` MiB, which
    is cleared for each position unless ``keep_tables`` is set. With ``exact``, positions with no more empty squares are
    solved and the others searched. A row that is no position is raised, or with ``errors="mark"`` marked.
    ``progress(done, all, nodes)`` is called ten times a second; where it returns ``False`` no more is searched."""

@overload
def read(
    source: bytes | bytearray | memoryview,
    format: _Format | None = None,
    *,
    errors: Literal["raise", "skip"] = "raise",
    players: _Path | None = None,
    tournaments: _Path | None = None,
) -> list[Game | Problem]: ...
@overload
def read(
    source: _Path,
    format: _Format | None = None,
    *,
    errors: Literal["raise", "skip"] = "raise",
    players: _Path | None = None,
    tournaments: _Path | None = None,
) -> list[Game | Problem]:
    """Reads the games and positions of a file, given by its path or its contents as bytes: OBF, GGF, SGF, WTHOR,
    transcripts, PGN or games of Othello Quest, which its contents tell unless ``format`` does. With
    ``errors="skip"`` what cannot be read is left out instead of being raised. WTHOR has numbers for names:
    ``players`` and ``tournaments`` are the files ``WTHOR.JOU`` and ``WTHOR.TRN``."""

def write(entries: Iterable[Game | Problem], format: _WrittenFormat) -> bytes:
    """Games and positions as the bytes of a file: "obf" (of a game its last position), "ggf", "wthor" or
    "transcript"."""

def read_records(path: _Path) -> Records:
    """Reads a file of training records."""

def write_records(
    path: _Path,
    boards: _Boards,
    values: NDArray[np.int16],
    sources: NDArray[np.uint8],
    games: NDArray[np.uint32] | None = None,
    *,
    settings: Iterable[tuple[str, str]] = ...,
) -> None:
    """Writes a new file of training records; ``settings`` say how they were made. An older file of this name is an
    error."""
