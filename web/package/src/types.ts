/** A square, A1 = 0 to H1 = 7 to H8 = 63. */
export type Square = number;

/** A move, or -1 for a pass. */
export type Ply = number;

/** 64 squares A1 to H8 (`X` black, `O` white, `-` empty), a blank, and the side to move (`X` or `O`). */
export type PositionText = string;

export type Side = "black" | "white";

/** The instruction-set levels of WebAssembly. */
export type Isa = "portable" | "simd128";

/** The modules that there are: for each level, and one for engines with several threads. */
export type Build = Isa | "simd128-threads";

/** A position of a game. */
export interface Position {
  text: PositionText;
  /** Who is to move, also where that side has to pass or the game is over. */
  side: Side;
  /** The legal moves of that side. */
  moves: Square[];
  /** Black's discs. */
  black: number;
  /** White's discs. */
  white: number;
  /** What was played last, and the discs that it turned. */
  last?: Ply;
  turned: Square[];
  mustPass: boolean;
  isOver: boolean;
  /** Where the game is over: discs from black's side, -64 to 64, empty squares to the winner. */
  score?: number;
}

/** How far to search; without a level and a depth to the end of the game. */
export interface SearchLimits {
  /** Playing strength, 0 to 60, as users of Edax know it. Not together with a depth. */
  level?: number;
  /** Plies, 0 to 64. */
  depth?: number;
  /** The certainty of selective cuts in percent: 73, 87, 95, 98, 99 or 100, which is usual. */
  selectivity?: number;
  /** After so many milliseconds nothing more is searched. */
  timeMs?: number;
  /** After so many nodes nothing more is searched, give or take some ten thousand. */
  nodes?: number;
  /** How many of the best moves to find, each with its score; 1 is usual. */
  lines?: number;
}

export type Bound = "exact" | "lower" | "upper";

/** A move and what it leads to. */
export interface Candidate {
  ply: Ply;
  /** In discs for the side to move, -64 to 64. */
  score: number;
  bound: Bound;
  /** Best play, the move itself first. */
  line: Ply[];
}

export interface SearchResult {
  /** In discs for the side to move, -64 to 64; at the end of the game empty squares go to the winner. */
  score: number;
  /** What `score` says about the exact one: equal, at least or at most this. */
  bound: Bound;
  /** Plies searched. */
  depth: number;
  /** The certainty of selective cuts, in percent. */
  selectivity: number;
  /** Whether the search reached its limits; false where it was stopped. */
  complete: boolean;
  /** Best play, the best move first. */
  line: Ply[];
  /** The best moves, where several were asked for. */
  candidates: Candidate[];
  nodes: number;
  ms: number;
}

/** What a move of a game cost. Scores are in discs for who moved. */
export interface Judgement {
  /** Which move of the game, from 1; passes are not counted. */
  number: number;
  side: Side;
  played: Square;
  /** Its name, `F5`. */
  playedName: string;
  score: number;
  bestScore: number;
  /** `bestScore - score`, 0 to 128. */
  loss: number;
  /** `?!` from 3 discs, `?` from 6, `??` from 12. */
  mark: "" | "?!" | "?" | "??";
  /** Best play from before the move. */
  line: Ply[];
  depth: number;
  selectivity: number;
  /** Whether the scores are those of perfect play. */
  exact: boolean;
}

/** An entry of a file of games or positions. */
export interface Summary {
  /** Where in the file. */
  place: string;
  /** The players, or the name of a position. */
  name: string;
  /** 0 for a position. */
  plies: number;
  /** Empty squares at the end. */
  empties: number;
  /** The result in discs from black's side. */
  score?: number;
  year?: number;
  /** The name of the tournament. */
  event?: string;
}

/** What was compared of a kernel with its reference. */
export interface KernelCheck {
  kernel: string;
  algorithms: number;
  comparisons: number;
  /** The first difference; none where all agree. */
  difference?: string;
}

/** What an algorithm of a kernel costs, in nanoseconds. */
export interface KernelCost {
  kernel: string;
  algorithm: string;
  isa: Isa;
  /** Whether searches use it. */
  selected: boolean;
  unit: "call" | "KiB";
  throughput: number;
  spread: number;
  latency?: number;
}
