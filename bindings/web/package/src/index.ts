/**
 * Outflank, an Othello engine in WebAssembly.
 *
 * ```ts
 * import { load } from "outflank";
 *
 * const outflank = await load();
 * const game = outflank.newGame();
 * game.play(37); // F5
 * const engine = outflank.newEngine();
 * const found = await engine.search(game.position().text, { level: 12 });
 * ```
 */

import { fetchBook, fetchModule, fetchWeights } from "./assets.js";
import { hasSimd, instantiate, type Glue } from "./core.js";
import { Engine } from "./engine.js";
import type {
  BookMove,
  Isa,
  NamedSkill,
  OpeningName,
  Ply,
  Position,
  PositionText,
  Reached,
  SearchLimits,
  SearchResult,
  Square,
  Summary,
} from "./types.js";

export * from "./types.js";
export { Engine, WorkerLost, type CallOptions } from "./engine.js";
export { hasSimd } from "./core.js";

type CoreBook = InstanceType<Glue["CoreBook"]>;
type CoreGame = InstanceType<Glue["CoreGame"]>;
type CoreCollection = InstanceType<Glue["CoreCollection"]>;
type CoreNames = InstanceType<Glue["CoreNames"]>;
type CoreSkillPlayer = InstanceType<Glue["CoreSkillPlayer"]>;

/** Returns the name of a ply: `F5`, or `PS` for a pass. */
export function plyName(ply: Ply): string {
  return ply < 0 ? "PS" : "ABCDEFGH".charAt(ply % 8) + (Math.floor(ply / 8) + 1);
}

/** Game with its properties. An illegal move throws an error with the reason. */
export class Game {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreGame) {}

  /** Plays a move. A pass that is due is inserted before. */
  play(square: Square): void {
    this.core.play(square);
  }

  pass(): void {
    this.core.pass();
  }

  /** Takes back the last ply. Returns `false` at the start. */
  undo(): boolean {
    return this.core.undo();
  }

  get plies(): Ply[] {
    return [...this.core.plies()];
  }

  /** Position after `plies` plies, by default the last one. */
  position(plies: number = this.core.plies().length): Position {
    const position = this.core.position(plies) as Position | undefined;
    if (position === undefined) throw new RangeError(`the game has no ${plies} plies`);
    return position;
  }

  /** Copy of the game with only the first `plies` plies. */
  prefix(plies: number): Game {
    return new Game(this.core.prefix(plies));
  }

  /** Value of a property by its name in GGF: `PB` is the black player. */
  property(name: string): string | undefined {
    return this.core.property(name);
  }

  setProperty(name: string, value: string): void {
    this.core.setProperty(name, value);
  }

  /** Moves as `f5d6c3`. Throws an error for a game from an unusual start or without moves. */
  transcript(): string {
    return this.core.transcript();
  }

  /** Names of the most specific opening that the game passes through, such as Tiger. */
  opening(): OpeningName | undefined {
    return this.core.opening() as OpeningName | undefined;
  }

  ggf(): string {
    return this.core.ggf();
  }

  /** SVG picture of the position after `plies` plies. */
  svg(plies: number = this.core.plies().length): string {
    return this.core.svg(plies);
  }
}

/** Games and positions of a file. */
export class Collection {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreCollection) {}

  get format(): "obf" | "ggf" | "sgf" | "wthor" | "transcript" | "othello-quest" {
    return this.core.format as "obf";
  }

  /** Number of games and positions. */
  get size(): number {
    return this.core.size();
  }

  /** First faults of the file, at most twenty, each with its place. */
  get faults(): string[] {
    return this.core.faults;
  }

  get faultCount(): number {
    return this.core.faultCount;
  }

  /** Descriptions of at most `count` entries, from index `first` on. */
  summaries(first = 0, count = this.size): Summary[] {
    return this.core.summaries(first, count) as Summary[];
  }

  /** Games that reach a position, or one that is symmetric to it. */
  reaching(position: PositionText): Reached[] {
    return this.core.reaching(position) as Reached[];
  }

  /** Game of an index. A position is a game without moves. */
  game(index: number): Game {
    return new Game(this.core.game(index));
  }
}

/** Opening book. */
export class Book {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreBook) {}

  /** Number of positions, of which symmetric ones are one. */
  get size(): number {
    return this.core.size();
  }

  /** Known moves of a position, the best first. Empty if the book lacks the position. */
  moves(position: PositionText): BookMove[] {
    return this.core.moves(position) as BookMove[];
  }

  /**
   * Chooses one of the known moves that lose at most `tolerance` discs against the best one; undefined if the book lacks
   * the position. `random` returns numbers from 0 to 1, 1 excluded.
   */
  choose(position: PositionText, tolerance = 0, random: () => number = Math.random): BookMove | undefined {
    const moves = this.moves(position);
    const near = moves.filter(({ score }) => moves[0]!.score - score <= tolerance);
    return near[Math.floor(random() * near.length)];
  }
}

/** Names of players and tournaments, for the numbers in WTHOR databases. */
export class Names {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreNames) {}

  /** Reads `WTHOR.JOU`. A damaged file throws an error and changes nothing. */
  readPlayers(file: Uint8Array): void {
    this.core.readPlayers(file);
  }

  /** Reads `WTHOR.TRN`. A damaged file throws an error and changes nothing. */
  readTournaments(file: Uint8Array): void {
    this.core.readTournaments(file);
  }
}

/**
 * Player that is weaker on purpose: it loses a chosen number of discs over a whole game. One player can play both sides,
 * and any number of games one after another.
 */
export class SkillPlayer {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreSkillPlayer) {}

  /** Limits of the search whose result {@link choose} needs. */
  limits(position: PositionText): SearchLimits {
    return this.core.limits(position) as SearchLimits;
  }

  /** Draws a move among those that a search of the position has scored; undefined if it has scored none. */
  choose(position: PositionText, { candidates, line }: SearchResult): Ply | undefined {
    const plies = Int32Array.from(candidates, ({ ply }) => ply);
    const scores = Int32Array.from(candidates, ({ score }) => score);
    const index = this.core.choose(position, plies, scores);
    return index === undefined ? line[0] : candidates[index]!.ply;
  }
}

export interface LoadOptions {
  /** Instruction-set level of the kernels. The default is the best one of the browser. */
  isa?: Isa;
}

export interface EngineOptions {
  hashMib?: number;
  /** Number of threads. Node counts are reproducible with one thread only. */
  threads?: number;
}

/** Loaded engine module. It makes games and engines, and reads files. */
export class Outflank {
  readonly #module: WebAssembly.Module;
  readonly #weights: Uint8Array;
  #threads: Promise<WebAssembly.Module> | undefined;

  /** @internal */
  constructor(
    readonly isa: Isa,
    /** @internal */ readonly glue: Glue,
    module: WebAssembly.Module,
    weights: Uint8Array,
  ) {
    this.#module = module;
    this.#weights = weights;
  }

  /** Makes a game from a position, by default the usual start. */
  newGame(position?: PositionText): Game {
    return new Game(new this.glue.CoreGame(position));
  }

  /** Makes an object without names, for {@link Outflank.read}. */
  newNames(): Names {
    return new Names(new this.glue.CoreNames());
  }

  /**
   * Reads a file of games or positions in any supported format. `names` are those for the numbers of WTHOR. Throws an
   * error if no entry can be read.
   */
  read(file: Uint8Array, name: string, names: Names = this.newNames()): Collection {
    return new Collection(new this.glue.CoreCollection(file, name, names.core));
  }

  /** Loads the book that comes with the package. An error tells why the server has not sent it. */
  async loadBook(): Promise<Book> {
    return new Book(new this.glue.CoreBook(await fetchBook()));
  }

  /** Names of skills for {@link newSkillPlayer} with their ratings, the weakest first. */
  get skills(): NamedSkill[] {
    return this.glue.skills() as NamedSkill[];
  }

  /**
   * Makes a player that is weaker on purpose. A skill is a name, the discs that a game loses (`40`), those of a move
   * (`1.5/move`), or those of a game in the opening, the middle game and the endgame (`5,20,10`). The seed is a whole
   * number. The same seed and the same searches give the same moves.
   */
  newSkillPlayer(skill: string, seed: number = Math.floor(Math.random() * 2 ** 32)): SkillPlayer {
    return new SkillPlayer(new this.glue.CoreSkillPlayer(skill, seed));
  }

  /** True if engines can have several threads. The page must be isolated, and the browser must have vectors. */
  get hasThreads(): boolean {
    return this.isa === "simd128" && globalThis.crossOriginIsolated;
  }

  /**
   * Makes an engine with a hash table of `hashMib` MiB, 1 to 2047, and 1 to 512 threads, each in a worker. It has one
   * thread if {@link hasThreads} is false.
   */
  newEngine({ hashMib = 64, threads = 1 }: EngineOptions = {}): Engine {
    if (!(Number.isInteger(threads) && threads >= 1 && threads <= 512)) {
      throw new RangeError(`${threads} threads: an engine has 1 to 512`);
    }
    return new Engine({
      isa: this.isa,
      module: this.#module,
      loadThreads: () => this.#threads ??= this.#loadThreads(),
      weights: this.#weights,
      hashMib,
      threads: this.hasThreads ? threads : 1,
    });
  }

  /** Loads the module for several threads. After a failure the next call tries again. */
  async #loadThreads(): Promise<WebAssembly.Module> {
    try {
      return await fetchModule("simd128-threads");
    } catch (failure) {
      this.#threads = undefined;
      throw failure;
    }
  }

  /** Names of all kernels. */
  get kernels(): string[] {
    return this.glue.kernelNames();
  }
}

function bestIsa(): Isa {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  return hasSimd() ? "simd128" : "portable";
}

/** Loads the module and its weights. An error names the missing feature of the browser, or the answer of the server. */
export async function load({ isa = bestIsa() }: LoadOptions = {}): Promise<Outflank> {
  if (typeof Worker !== "function") throw new Error("this browser has no web workers");
  const [module, weights] = await Promise.all([fetchModule(isa), fetchWeights()]);
  return new Outflank(isa, await instantiate(isa, module), module, weights);
}
