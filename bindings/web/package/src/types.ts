/** Square, A1 = 0 to H1 = 7 to H8 = 63. */
export type Square = number;

/** Square of a move, or -1 for a pass. */
export type Ply = number;

/** 64 squares A1 to H8 (`X` black, `O` white, `-` empty), a blank, and the side to move (`X` or `O`). */
export type PositionText = string;

export type Side = "black" | "white";

/** Instruction-set levels of WebAssembly. */
export type Isa = "portable" | "simd128";

/** Builds of the module: one for each level, and one for engines with several threads. */
export type Build = Isa | "simd128-threads";

/** Position of a game. */
export interface Position {
  text: PositionText;
  /** Side to move, even if it has to pass or the game is over. */
  side: Side;
  /** Legal moves of the side to move. */
  moves: Square[];
  /** Number of black discs. */
  black: number;
  /** Number of white discs. */
  white: number;
  /** Last ply. */
  last?: Ply;
  /** Discs that the last ply flipped. */
  turned: Square[];
  mustPass: boolean;
  isOver: boolean;
  /** Score of a finished game in discs for black, -64 to 64. Empty squares go to the winner. */
  score?: number;
}

/** Limits of a search. Without a level and a depth it reaches the end of the game. */
export interface SearchLimits {
  /** Playing strength, 0 to 60, as in Edax. It excludes a depth. */
  level?: number;
  /** Plies, 0 to 64. */
  depth?: number;
  /** Confidence of selective cuts in percent: 73, 87, 95, 98, 99 or 100, the default. */
  selectivity?: number;
  /** Time limit in milliseconds. */
  timeMs?: number;
  /** Node limit, observed to within some ten thousand nodes for each thread. */
  nodes?: number;
  /** Number of best moves to find, each with its score. The default is 1. */
  lines?: number;
}

export type Bound = "exact" | "lower" | "upper";

/** Move with its score and line. */
export interface Candidate {
  ply: Ply;
  /** Discs for the side to move, -64 to 64. */
  score: number;
  bound: Bound;
  /** Principal variation, this move first. */
  line: Ply[];
}

export interface SearchResult {
  /** Discs for the side to move, -64 to 64. At the end of the game empty squares go to the winner. */
  score: number;
  /** Relation of the true score to `score`: equal, at least, or at most. */
  bound: Bound;
  /** Plies searched. */
  depth: number;
  /** Confidence of selective cuts, in percent. */
  selectivity: number;
  /** True if the search reached its depth; false if it was stopped. */
  complete: boolean;
  /** Principal variation, the best move first. */
  line: Ply[];
  /** Best moves, if several were requested. */
  candidates: Candidate[];
  nodes: number;
  ms: number;
}

/** Loss of a move of a game. Scores are in discs for the side that moved. */
export interface Judgement {
  /** Number of the move in the game, from 1. Passes do not count. */
  number: number;
  side: Side;
  played: Square;
  /** Name of the square, `F5`. */
  playedName: string;
  score: number;
  bestScore: number;
  /** `bestScore - score`, 0 to 128. */
  loss: number;
  /** `?!` from 3 discs, `?` from 6, `??` from 12. */
  mark: "" | "?!" | "?" | "??";
  /** Principal variation of the position before the move. */
  line: Ply[];
  depth: number;
  selectivity: number;
  /** True if the scores are those of perfect play. */
  exact: boolean;
}

/** Move that an opening book knows. */
export interface BookMove {
  ply: Ply;
  /** Value after the move in discs for the side that makes it, -64 to 64. */
  score: number;
}

/** Established names of an opening. At least one of them is there. */
export interface OpeningName {
  /** English name. " / " separates alternatives. */
  english?: string;
  japanese?: string;
}

/** Skill of a player that is weaker on purpose. */
export interface NamedSkill {
  /** Name for `newSkillPlayer`. */
  name: string;
  /** Elo rating. A player of random moves has 0. */
  rating: number;
}

/** Entry of a file of games or positions. */
export interface Summary {
  /** Place in the file. */
  place: string;
  /** Players, or the name of a position. */
  name: string;
  /** Number of plies; 0 for a position. */
  plies: number;
  /** Empty squares at the end. */
  empties: number;
  /** Result in discs for black. */
  score?: number;
  year?: number;
  /** Name of the tournament. */
  event?: string;
}

/** Game of a file that reaches a position. */
export interface Reached {
  /** Index of the game in its file. */
  index: number;
  /** Plies before the position. */
  plies: number;
  /** Next ply on the position's board, of symmetric ones the lowest. Undefined at the end of the game. */
  next?: Ply;
}

/** Result of the check of a kernel. */
export interface KernelCheck {
  kernel: string;
  algorithms: number;
  comparisons: number;
  /** First difference; undefined if all algorithms agree. */
  difference?: string;
}

/** Cost of an algorithm of a kernel, in nanoseconds. */
export interface KernelCost {
  kernel: string;
  algorithm: string;
  isa: Isa;
  /** True if searches use the algorithm. */
  selected: boolean;
  unit: "call" | "KiB";
  throughput: number;
  spread: number;
  latency?: number;
}
