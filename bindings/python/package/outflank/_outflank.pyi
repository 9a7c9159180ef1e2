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
    "Claim",
    "Engine",
    "Game",
    "GameDatabase",
    "GameMove",
    "Judgement",
    "LineCounts",
    "Problem",
    "SearchResult",
    "SkillPlayer",
    "Weights",
    "__version__",
    "add_games",
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
    "skills",
    "solve_many",
    "square_index",
    "square_name",
    "stability",
    "symmetries",
    "verify",
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
    """Position as two bitboards with A1 = bit 0: the discs of the side to move and of the opponent. The default is the
    start of a game. A board has no colours; games and texts have."""

    def __new__(cls, player: int = ..., opponent: int = ...) -> Board: ...
    @classmethod
    def from_text(cls, text: str) -> Board:
        """Reads 64 squares A1 to H8 ("X", "*", "b" black; "O", "w" white; "-", "." empty). After a blank follows the
        side to move, "X" or "O"; the default is black."""
    @property
    def player(self) -> int:
        """Discs of the side to move, as a bitboard."""
    @property
    def opponent(self) -> int:
        """Discs of the opponent, as a bitboard."""
    @property
    def empties(self) -> int:
        """Empty squares, as a bitboard."""
    @property
    def empty_count(self) -> int:
        """Number of empty squares."""
    @property
    def player_count(self) -> int:
        """Number of discs of the side to move."""
    @property
    def opponent_count(self) -> int:
        """Number of discs of the opponent."""
    @property
    def disc_count(self) -> int:
        """Number of discs of both sides."""
    def __contains__(self, square: _Square, /) -> bool:
        """Returns ``True`` if there is a disc on the square: ``"D4" in board``."""
    @property
    def mobility(self) -> int:
        """Legal moves of the side to move, as a bitboard."""
    @property
    def moves(self) -> list[str]:
        """Names of the legal moves of the side to move."""
    @property
    def must_pass(self) -> bool:
        """``True`` if the side to move has no move and the opponent has one."""
    @property
    def is_over(self) -> bool:
        """``True`` if neither side has a move."""
    @property
    def final_score(self) -> int | None:
        """Score of a finished game in discs for the side to move; empty squares go to the winner. ``None`` if the game
        is not over."""
    def flip(self, square: _Square) -> int:
        """Flipped discs of a move, as a bitboard; 0 if the move is not legal."""
    def play(self, square: _Square) -> Board:
        """Position after a move, or after a pass (``"PS"``, 64) if the side to move has to pass."""
    def swapped(self) -> Board:
        """Board with the discs of both sides exchanged: the opponent is to move."""
    def canonical(self) -> Board:
        """Lowest of the eight images under the symmetries of the square."""
    def perft(self, depth: int, *, passes: bool = True) -> int:
        """Number of leaves of the game tree ``depth`` plies below. With ``passes=False`` a pass is not a ply."""
    def to_text(self, side: _Side = "black") -> str:
        """Writes the 64 squares and the side to move."""
    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Board], tuple[int, int]]: ...
    def _repr_svg_(self) -> str: ...

@final
class Game:
    """Game record: plies, and the properties that a file gives. Every ply is legal; a pass that is due is inserted
    before a move."""

    def __new__(
        cls,
        moves: str | Iterable[_Square] | None = None,
        *,
        start: Board | str | None = None,
        side: _Side = "black",
    ) -> Game:
        """Makes a game of ``moves``: a sequence of squares, or a text, which is a transcript or PGN. ``start`` is a
        board with ``side`` to move, or a text that has the side. Without ``start`` and ``side`` the text may be one
        game in any format that ``read`` reads."""
    @classmethod
    def from_ggf(cls, text: str) -> Game:
        """Reads one game of GGF."""
    def play(self, square: _Square) -> None:
        """Plays a move of the side to move. A pass that is due is inserted before."""
    def pass_(self) -> None:
        """Passes, if the side to move has to."""
    def undo(self) -> str | None:
        """Takes back the last ply and returns it. ``None`` at the start."""
    @property
    def board(self) -> Board:
        """Current position."""
    @property
    def side(self) -> _Side:
        """Side to move, "black" or "white"."""
    @property
    def start(self) -> tuple[Board, _Side]:
        """First position of the game, and its side to move."""
    @property
    def plies(self) -> list[str]:
        """Plies of the game; a pass is "PS"."""
    @property
    def moves(self) -> list[str]:
        """Plies of the game, without passes."""
    @property
    def positions(self) -> list[tuple[Board, _Side]]:
        """First position and the position after each ply, with the side to move."""
    def boards(self) -> NDArray[np.uint64]:
        """Boards of ``positions``, as an array of uint64 of shape (N, 2)."""
    @property
    def is_over(self) -> bool:
        """``True`` if neither side has a move."""
    @property
    def score(self) -> int | None:
        """Result in discs for black; empty squares go to the winner. For an unfinished game it is the result that a
        file gives, or ``None``."""
    @property
    def properties(self) -> list[tuple[str, str]]:
        """Properties of the game: pairs of a name of GGF ("PB" and "PW" are the players) and a text."""
    def property(self, name: str) -> str | None:
        """Value of a property; ``None`` if the game lacks it."""
    def set_property(self, name: str, value: str) -> None:
        """Sets a property, by its name in GGF."""
    def to_ggf(self) -> str:
        """Writes the game as GGF, with its properties and notes."""
    def to_transcript(self) -> str:
        """Writes the game as a transcript, "f5d6c3"."""
    def to_obf(self) -> str:
        """Writes the current position as a line of OBF."""
    def __len__(self) -> int:
        """Number of plies."""
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> str: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[str]:
        """Ply of an index, or list of the plies of a slice. Negative indices count from the end."""
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
    """Position of a problem file, with known scores of moves."""

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
        """Position of the problem."""
    @property
    def side(self) -> _Side:
        """Side to move, "black" or "white"."""
    @property
    def scores(self) -> list[tuple[str, int]]:
        """Moves with their exact scores, in discs for the side to move."""
    @property
    def score(self) -> int | None:
        """Best known score, in discs for the side to move."""
    @property
    def name(self) -> str | None:
        """Name of the problem in its file."""
    def to_obf(self) -> str:
        """Writes the problem as a line of OBF."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def _repr_svg_(self) -> str: ...

@final
class BookMove:
    """Move of an opening book."""

    @property
    def move(self) -> str:
        """Move, "F5" or "PS"."""
    @property
    def score(self) -> int:
        """Score after the move, in discs for the side that makes it."""
    @property
    def depth(self) -> int:
        """Depth of the score in plies: book moves from here, then the search that gave the score."""
    @property
    def selectivity(self) -> int:
        """Selectivity of that search: the confidence of its cuts, in percent."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Book:
    """Opening book, open for reading."""

    def __new__(
        cls,
        path: _Path | None = None,
        *,
        tolerance: int = 0,
        game_tolerance: int | None = None,
        seed: int = 0,
    ) -> Book:
        """Opens the book at ``path``, by default the built-in book. ``choose`` picks moves that lose at most
        ``tolerance`` discs against the best one. In one game they lose at most ``game_tolerance`` discs together, by
        default twice the tolerance. Equal seeds make equal choices."""
    def moves(self, position: _Position) -> list[BookMove]:
        """Known moves of a position, the best first. Empty if the book does not know the position."""
    def choose(self, position: _Position) -> BookMove | None:
        """Chooses a move of a position at random, within the tolerance. ``None`` if the book does not know the
        position."""
    def value(self, position: _Position) -> int | None:
        """Value of a position in discs for the side to move: the one set by hand, or that of its best move. ``None`` if
        the book does not know the position."""
    def reason(self, position: _Position) -> str | None:
        """Reason of the value of a position that was set by hand. ``None`` if there is no such value."""
    def line_counts(self, position: _Position) -> LineCounts | None:
        """Numbers of lines of best play from a position. ``None`` if the book does not know the position. The first
        call reads the whole book, and later calls see no change of it."""
    def best_lines(self, position: _Position, *, plies: int = 60, limit: int = 100) -> list[list[str]]:
        """Lines of best play from a position, of at most ``plies`` plies each, the first ``limit`` of them. Empty if
        the book does not know the position, or the game is over. The first call reads the whole book, and later calls
        see no change of it."""
    def __contains__(self, position: _Position, /) -> bool: ...
    def __len__(self) -> int: ...

@final
class LineCounts:
    """Numbers of lines of best play from a position of a book. A line ends where it leaves the book."""

    @property
    def all(self) -> int:
        """Lines in which both sides make best moves."""
    @property
    def mover(self) -> int:
        """Fewest lines that the mover has to know to keep the value."""
    @property
    def opponent(self) -> int:
        """Fewest lines that the opponent has to know to keep the value."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class GameMove:
    """Move that was played in a position, with the results of its games for the side that made it."""

    @property
    def move(self) -> str | None:
        """Move, such as "F5"; ``None`` for the games that ended here."""
    @property
    def games(self) -> int:
        """Number of games."""
    @property
    def wins(self) -> int:
        """Number of games that the side won."""
    @property
    def draws(self) -> int:
        """Number of draws."""
    @property
    def losses(self) -> int:
        """Number of games that the side lost. Games without a result are none of the three."""
    @property
    def mean_score(self) -> float | None:
        """Mean of the final scores in discs; ``None`` without results."""
    @property
    def years(self) -> tuple[int, int] | None:
        """First and last year of the games; ``None`` if no year is known."""
    @property
    def best_players(self) -> list[tuple[str, int]]:
        """Up to three of the strongest players who made the move, with the number of their games here."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class GameDatabase:
    """Database of games, open for reading. It has the games that were there when it was opened."""

    def __new__(cls, path: _Path) -> GameDatabase:
        """Opens the database at ``path``."""
    @property
    def players(self) -> list[str]:
        """Names of players by number. Number 0, "", is an unknown player."""
    @property
    def tournaments(self) -> list[str]:
        """Names of tournaments by number. Number 0, "", is an unknown tournament."""
    def columns(self) -> dict[str, NDArray[Any]]:
        """Data of all games as arrays by number: ``black``, ``white``, ``tournament`` (numbers of names, uint32),
        ``year`` (uint16, 0 if unknown), ``score`` (discs for black, int8, -128 if unknown), ``moves`` (uint8). A table
        of pandas or Arrow can be made of them."""
    def game(self, number: SupportsIndex) -> Game:
        """Game of this number, with its properties. Evaluations and times of its moves were not kept."""
    def select(
        self,
        *,
        player: str | None = None,
        black: str | None = None,
        white: str | None = None,
        tournament: str | None = None,
        years: tuple[int, int] | None = None,
        winner: Literal["black", "white", "draw"] | None = None,
    ) -> NDArray[np.uint32]:
        """Numbers of the games that meet all conditions. A name needs only some of its words or their parts. ``years``
        are the first and the last one; ``winner`` is "black", "white" or "draw"."""
    def at(self, position: _Position) -> NDArray[np.uint32]:
        """Numbers of the games that reach a position, or one that is symmetric to it."""
    def moves(self, position: _Position, games: NDArray[np.uint32] | None = None) -> list[GameMove]:
        """Moves that were played in a position or in one that is symmetric to it, the most frequent first. ``games``
        are the numbers of the games to count, by default all."""
    def __len__(self) -> int: ...

@final
class BookSearch:
    """Search that a ``BookLearner`` requests for its book."""

    @property
    def board(self) -> Board:
        """Position to search."""
    @property
    def depth(self) -> int:
        """Depth of the search, in plies."""
    @property
    def selectivity(self) -> int:
        """Selectivity of the search: the confidence of its cuts, in percent."""
    @property
    def without(self) -> list[str]:
        """Excluded moves: they lead to positions of the book."""

@final
class BookLearner:
    """Opening book that grows by searches of the caller. Any number of searches may be open, and they may be answered
    in any order."""

    def __new__(
        cls,
        path: _Path,
        *,
        level: int = 16,
        empties: int = 30,
        positions: int | None = None,
        weights: _Weights | None = None,
    ) -> BookLearner:
        """Opens the book at ``path``, or makes a new one. Positions are searched at ``level`` of Edax. At most about
        ``positions`` positions are added, none with fewer than ``empties`` empty squares. ``weights`` are those of the
        engines that search."""
    def next(self) -> BookSearch | None:
        """Next search; ``None`` if the book is complete, or needs results of earlier searches first."""
    def found(self, search: BookSearch, move: str | int, score: int, depth: int, selectivity: int) -> None:
        """Adds the result of a search that ``next`` returned. ``score`` is in discs for the side that makes ``move``,
        the best move. ``depth`` (plies) and ``selectivity`` (percent) are those that the search reached."""
    def set_value(self, position: _Position, value: int | None, reason: str = "") -> bool:
        """Sets the value of a position by hand, in discs for the side to move, with a reason of one line. ``None``
        removes such a value. Returns ``False`` if the book does not know the position."""
    def commit(self) -> None:
        """Writes all results to the file. They are safe from then on."""
    def close(self) -> int | None:
        """Links all moves to positions of the book, commits, and unlocks the file. Returns the score of the start of
        the game, which a link can change; ``None`` if it is unknown or the book was closed before."""
    @property
    def added(self) -> int:
        """Number of added positions."""
    @property
    def searches(self) -> int:
        """Number of answered searches."""
    @property
    def start(self) -> int | None:
        """Score of the start of the game in discs for black; ``None`` until it is known."""
    def __len__(self) -> int: ...

@final
class Candidate:
    """Move with its score and principal variation."""

    @property
    def move(self) -> str:
        """Move, "F5" or "PS"."""
    @property
    def score(self) -> int:
        """Score after the move, in discs for the side that makes it."""
    @property
    def bound(self) -> _Bound:
        """Relation of ``score`` to the true score: "exact", "lower" or "upper"."""
    @property
    def line(self) -> list[str]:
        """Principal variation, this move first."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class SearchResult:
    """Result of a search."""

    @property
    def score(self) -> int:
        """Discs for the side to move, -64 to 64. At the end of the game empty squares go to the winner."""
    @property
    def bound(self) -> _Bound:
        """Relation of ``score`` to the score of a search without a window: "exact", "lower" or "upper"."""
    @property
    def best(self) -> str | None:
        """Best move, "F5" or "PS" for a pass; ``None`` if there is none."""
    @property
    def line(self) -> list[str]:
        """Principal variation, the best move first."""
    @property
    def candidates(self) -> list[Candidate]:
        """Best moves, the best first, if several lines were requested."""
    @property
    def depth(self) -> int:
        """Depth of the search in plies. The number of empty squares means the end of the game."""
    @property
    def selectivity(self) -> int:
        """Confidence of the selective cuts, in percent."""
    @property
    def complete(self) -> bool:
        """``True`` if the search reached its limits of depth and selectivity."""
    @property
    def solved(self) -> bool:
        """``True`` if the search is complete, reached the end of the game and made no selective cut."""
    @property
    def nodes(self) -> int:
        """Positions searched."""
    @property
    def time(self) -> float:
        """Wall-clock time, in seconds."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Claim:
    """Claim about a score that a certificate proves."""

    @property
    def board(self) -> Board:
        """Position."""
    @property
    def at_least(self) -> bool:
        """``True`` if the score is at least ``score``, ``False`` if it is at most ``score``."""
    @property
    def score(self) -> int:
        """Discs for the side to move."""
    @property
    def leaf_empties(self) -> int:
        """Greatest number of empty squares of positions that the verifier solved by itself."""
    @property
    def moves(self) -> int:
        """Moves that the certificate gives."""
    @property
    def leaves(self) -> int:
        """Positions that the verifier solved by itself."""
    @property
    def nodes(self) -> int:
        """Positions that the verifier searched to solve these."""
    @property
    def time(self) -> float:
        """Time of the verification, in seconds."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Judgement:
    """Move of a game, compared with the best one of its position. Scores are discs for the side that moved."""

    @property
    def number(self) -> int:
        """Number of the move in the game, from 1. Passes do not count."""
    @property
    def board(self) -> Board:
        """Board before the move."""
    @property
    def side(self) -> _Side:
        """Side that moved, "black" or "white"."""
    @property
    def played(self) -> str:
        """Square of the move."""
    @property
    def best(self) -> str | None:
        """Best move of the position."""
    @property
    def score(self) -> int:
        """Score after the move, with best play by both sides."""
    @property
    def best_score(self) -> int:
        """Score after the best move."""
    @property
    def loss(self) -> int:
        """Discs that the move lost."""
    @property
    def mark(self) -> Literal["", "?!", "?", "??"]:
        """Mark of the loss: "?!" from 3 discs, "?" from 6, "??" from 12, else ""."""
    @property
    def line(self) -> list[str]:
        """Principal variation of the position before the move."""
    @property
    def depth(self) -> int:
        """Plies of the search."""
    @property
    def selectivity(self) -> int:
        """Confidence of the selective cuts, in percent."""
    @property
    def exact(self) -> bool:
        """``True`` if the scores are those of perfect play."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Weights:
    """Weights of an evaluation: the bundled ones, or those of a file."""

    def __new__(cls, path: _Path | None = None) -> Weights:
        """Reads a file of weights, Outflank's or Edax's ``eval.dat``. The default is the bundled weights."""
    @property
    def kind(self) -> Literal["network", "linear"]:
        """Kind of the evaluation, "network" or "linear"."""
    @property
    def about(self) -> str:
        """Origin of the weights, in the words of their maker."""

@final
class SkillPlayer:
    """Player that loses a chosen number of discs over a whole game, for ``Engine.play``.

    ``skill`` is a name of ``skills()``, the discs that a game loses ("40"), those of a move ("1.5/move"), or those of a
    game in the opening, the middle game and the endgame ("5,20,10"). The same seed and the same searches give the same
    moves. One player can play both sides, and any number of games one after another."""

    def __new__(cls, skill: str, *, seed: SupportsIndex = 1) -> SkillPlayer: ...
    @property
    def skill(self) -> str:
        """Name of the skill, or the discs that it loses in the three phases of a game."""
    def lost(self, side: _Side) -> float:
        """Discs that the moves of a side have lost so far in the game, by the searches of the player."""

@final
class Engine:
    """Engine that searches one position at a time. Other Python threads run meanwhile; Ctrl-C ends a search.

    The hash table keeps the results of earlier searches until ``clear``. Searches of several Python threads run one
    after another."""

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
        """Instruction-set level of the kernels."""
    @property
    def threads(self) -> int:
        """Number of search threads."""
    @property
    def hash_mib(self) -> int:
        """Size limit of the hash table, in MiB."""
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
        """Searches a position within at least one limit: ``level``, ``depth``, ``time`` or ``nodes``. ``solve``
        searches to the end of the game.

        - ``level`` sets depth and selectivity as Edax does. It excludes ``depth`` and ``selectivity``.
        - ``depth`` is in plies. ``selectivity`` is the confidence of selective cuts in percent, by default 100: no
          cuts.
        - ``time`` (seconds) and ``nodes`` end a search early. Without ``level`` and ``depth`` they are its only limits.
        - Positions with at most ``exact`` empty squares are solved instead, without selective cuts. ``time`` and
          ``nodes`` still limit the search.
        - ``window`` is a pair of scores; a score outside it is only a bound. ``lines`` is the number of best moves to
          find. Moves in ``without`` are excluded, unless there are no others.
        - ``progress`` is called with the result so far after each depth."""
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
        """Searches a position to the end of the game for its exact score. A score outside ``window`` is a bound.
        ``time`` and ``nodes`` may end the search early."""
    def certify(self, position: _Position, *, leaf_empties: int = 12, time: float | None = None) -> bytes:
        """Solves a position and returns the bytes of a file that proves its exact score. ``verify`` and ``outflank
        verify`` check such files. The verifier solves positions with at most ``leaf_empties`` empty squares, 0 to 14,
        by itself. Fewer make a larger file, which is verified faster. Raises ``EngineError`` if the position is not
        solved within ``time`` seconds."""
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
        skill: SkillPlayer | None = None,
    ) -> str | None:
        """Searches the current position of a game, plays the best move, and returns it. Returns ``None`` if the game is
        over. The limits are those of ``search``; without any of them the level is 16. A ``skill`` draws a move instead,
        for weaker play; it sets the depth of the search, which ``time`` and ``nodes`` may end early."""
    def analyze(
        self,
        game: Game,
        *,
        level: int | None = None,
        depth: int | None = None,
        selectivity: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> list[Judgement]:
        """Judges every move of a game: its loss against the best one. The default is level 16. A ``selectivity`` needs
        a ``depth``. ``progress`` is called with the number of judged moves."""
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
        """Searches boards one after another and returns ``Solutions``. The default is an exact search. Results of
        earlier boards speed up later ones. The arguments have the same meaning as in ``outflank.solve_many``."""
    def stop(self) -> None:
        """Ends the search of another Python thread, which returns its result so far."""
    def clear(self) -> None:
        """Clears the hash table, so that the next search counts the same nodes as that of a new engine."""

def mobility(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """Legal moves of the side to move, as bitboards."""

def flip(
    boards: _Boards, squares: _Plies, *, isa: str | None = None, out: NDArray[np.uint64] | None = None
) -> NDArray[np.uint64]:
    """Flipped discs of a move on each board, as bitboards; 0 if the move is not legal."""

def add_games(path: _Path, games: Iterable[Game]) -> int:
    """Adds games to the database at ``path``, which is made if there is none. Games that are there are left out: those
    with the same moves, up to symmetry, whose players and years do not contradict each other. Many games, over 100,000,
    are committed in parts. Returns the number of added games. A game without moves is an error."""

def apply(
    boards: _Boards, plies: _Plies, *, isa: str | None = None, out: NDArray[np.uint64] | None = None
) -> NDArray[np.uint64]:
    """Boards after one ply each: a square (0 to 63), or a pass (64) if the side to move has to pass."""

def canonical(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """Lowest of the eight images of each board under the symmetries of the square."""

def stability(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """Stable discs of the side to move, as bitboards. Not all stable discs are found. Pass ``boards[:, ::-1]`` for the
    discs of the opponent."""

def potential_mobility(
    boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None
) -> NDArray[np.uint64]:
    """Potential mobility of the side to move, as bitboards: the empty squares beside a disc of the opponent."""

def final_scores(boards: _Boards, *, isa: str | None = None, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
    """Scores of finished games as int8, in discs for the side to move; empty squares go to the winner. Raises
    ``RowError`` for a board where a side has a move."""

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
    """Discs as planes of shape (N, 2, 8, 8): those of the side to move, then those of the opponent; 1 is a disc. Rows
    are ranks 1 to 8, columns files A to H. With ``moves=True`` a third plane has the legal moves. ``dtype`` is
    "float32", "uint8" or "bool"."""

def move_masks(boards: _Boards, *, isa: str | None = None, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Legal moves of the side to move as bool of shape (N, 64), A1 to H8. A row without a legal move has none set."""

def symmetries(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """All eight images of each board under the symmetries of the square, of shape (N, 8, 2). Image 0 is the board.
    Image ``s`` exchanges rows and columns if ``s & 4``, then mirrors left to right if ``s & 1``, and upside down if ``s
    & 2``."""

def hash(boards: _Boards, *, isa: str | None = None, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """Hash of each board. It is equal at every level and in every release."""

def perft(
    boards: _Boards,
    depth: int,
    *,
    passes: bool = True,
    isa: str | None = None,
    out: NDArray[np.uint64] | None = None,
) -> NDArray[np.uint64]:
    """Number of leaves of the game tree ``depth`` plies below each board. A finished game is one leaf. With
    ``passes=False`` a pass is not a ply."""

def features(
    boards: _Boards,
    *,
    geometry: Literal["edax", "corner"] = "corner",
    isa: str | None = None,
    out: NDArray[np.uint16] | None = None,
) -> NDArray[np.uint16]:
    """Features of an evaluation as uint16. The shape is (N, 46) for "edax", the linear evaluation, and (N, 32) for
    "corner", the network. A feature is a number in base 3 with a digit for each square: 0 the side to move, 1 empty, 2
    the opponent."""

def evaluate(
    boards: _Boards,
    *,
    weights: _Weights | None = None,
    isa: str | None = None,
    out: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """Static values in discs for the side to move, as float32. Nothing is searched."""

def children(
    boards: _Boards, *, isa: str | None = None
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint8]]:
    """All boards one ply below: ``(children, parents, plies)``, where ``children[i]`` is the board after ``plies[i]``
    of ``boards[parents[i]]``. A board whose side to move has to pass has one child, after the pass. A finished game has
    no children."""

def isas() -> list[str]:
    """Names of the instruction-set levels that this CPU has, the best last."""

def selected_isa() -> str:
    """Name of the level that runs unless another one is named."""

def square_name(index: int) -> str:
    """Name of a square, or of a pass: ``square_name(37) == "F5"``, ``square_name(64) == "PS"``."""

def square_index(name: _Square) -> int:
    """Number of a square, or of a pass: ``square_index("F5") == 37``, ``square_index("PS") == 64``."""

def search_depth(
    empties: int,
    *,
    level: int | None = None,
    depth: int | None = None,
    selectivity: int | None = None,
    exact: int | None = None,
) -> tuple[int, int]:
    """Depth in plies and selectivity in percent of a search of a board with ``empties`` empty squares. A depth equal to
    ``empties`` reaches the end of the game."""

def skills() -> dict[str, int]:
    """Names of skills with their Elo ratings, the weakest first. A player of random moves has 0."""

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
    """Searches many positions on all cores and returns ``Solutions`` in the order of the rows. The default is an exact
    search. The limits are those of ``Engine.search``, for each position. A ``selectivity`` without a ``depth`` holds
    for a search to the end of the game.

    ``threads`` positions are searched at once, each on one thread with its part of a table of ``hash_mib`` MiB. The
    table is cleared for each position unless ``keep_tables`` is set. With ``exact``, positions with at most that many
    empty squares are solved and the others searched. An invalid row raises ``RowError``, or is marked with
    ``errors="mark"``. ``progress(done, all, nodes)`` is called at most ten times a second. If it returns ``False``, the
    search ends."""

def verify(certificates: bytes) -> list[Claim]:
    """Verifies a file of certificates, given as bytes, and returns its claims. Raises ``CertificateError`` if one is
    refused.

    The verifier has rules and a search of its own, and uses nothing of the engine. It refuses certificates of more than
    20 million moves."""

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
    """Reads the games and positions of a file, given by its path or its contents as bytes. Formats are OBF, GGF, SGF,
    WTHOR, transcripts, PGN and games of Othello Quest; the default is detected from the contents. ``errors="skip"``
    leaves out entries that cannot be read, instead of raising. WTHOR files have numbers instead of names. ``players``
    and ``tournaments`` are the paths of ``WTHOR.JOU`` and ``WTHOR.TRN``, which have the names."""

def write(entries: Iterable[Game | Problem], format: _WrittenFormat) -> bytes:
    """Writes games and positions as the bytes of a file: "obf" (the last position of a game), "ggf", "wthor" or
    "transcript"."""

def read_records(path: _Path) -> Records:
    """Reads a file of training records: boards, values in 1/128 disc, sources (255 exact, 254 the result of a game,
    else the plies of a search), games, and settings."""

def write_records(
    path: _Path,
    boards: _Boards,
    values: NDArray[np.int16],
    sources: NDArray[np.uint8],
    games: NDArray[np.uint32] | None = None,
    *,
    settings: Iterable[tuple[str, str]] = ...,
) -> None:
    """Writes a new file of training records. ``settings`` say how they were made. An existing file is an error."""
