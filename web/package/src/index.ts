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

import { fetchModule, fetchWeights } from "./assets.js";
import { hasSimd, instantiate, type Glue } from "./core.js";
import { Engine } from "./engine.js";
import type { Isa, Ply, Position, PositionText, Square, Summary } from "./types.js";

export * from "./types.js";
export { Engine, WorkerLost, type CallOptions } from "./engine.js";
export { hasSimd } from "./core.js";

type CoreGame = InstanceType<Glue["CoreGame"]>;
type CoreCollection = InstanceType<Glue["CoreCollection"]>;
type CoreNames = InstanceType<Glue["CoreNames"]>;

/** The name of a ply: `F5`, `PS` for a pass. */
export function plyName(ply: Ply): string {
  return ply < 0 ? "PS" : "ABCDEFGH".charAt(ply % 8) + (Math.floor(ply / 8) + 1);
}

/** A game, with what is said about it. Moves that are not legal throw an error that says why. */
export class Game {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreGame) {}

  /** Plays on a square. A pass that is due before is made. */
  play(square: Square): void {
    this.core.play(square);
  }

  pass(): void {
    this.core.pass();
  }

  /** Takes back the last ply; false at the start. */
  undo(): boolean {
    return this.core.undo();
  }

  get plies(): Ply[] {
    return [...this.core.plies()];
  }

  /** The position after so many plies, of which the game has as many or more; the last one without a number. */
  position(plies: number = this.core.plies().length): Position {
    const position = this.core.position(plies) as Position | undefined;
    if (position === undefined) throw new RangeError(`the game has no ${plies} plies`);
    return position;
  }

  /** The same game up to so many plies. */
  prefix(plies: number): Game {
    return new Game(this.core.prefix(plies));
  }

  /** A property by its name in GGF, `PB` for who plays black. */
  property(name: string): string | undefined {
    return this.core.property(name);
  }

  setProperty(name: string, value: string): void {
    this.core.setProperty(name, value);
  }

  /** The moves as `f5d6c3`; an error for a game from another start than the usual one, or without moves. */
  transcript(): string {
    return this.core.transcript();
  }

  ggf(): string {
    return this.core.ggf();
  }

  /** A picture of the position after so many plies. */
  svg(plies: number = this.core.plies().length): string {
    return this.core.svg(plies);
  }
}

/** The games and positions of a file. */
export class Collection {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreCollection) {}

  get format(): "obf" | "ggf" | "wthor" | "transcript" {
    return this.core.format() as "obf";
  }

  /** The number of games and positions. */
  get size(): number {
    return this.core.size();
  }

  /** What cannot be read, with its place; the first twenty. */
  get faults(): string[] {
    return this.core.faults();
  }

  get faultCount(): number {
    return this.core.faultCount();
  }

  /** What a list shows of `count` entries from `first` on. */
  summaries(first = 0, count = this.size): Summary[] {
    return this.core.summaries(first, count) as Summary[];
  }

  /** An entry as a game; a position is one without moves. */
  game(index: number): Game {
    return new Game(this.core.game(index));
  }
}

/** What the numbers of players and tournaments in WTHOR databases stand for. */
export class Names {
  /** @internal */
  constructor(/** @internal */ readonly core: CoreNames) {}

  /** Reads `WTHOR.JOU`. What is damaged throws an error, and changes nothing. */
  readPlayers(file: Uint8Array): void {
    this.core.readPlayers(file);
  }

  /** Reads `WTHOR.TRN`, in the same way. */
  readTournaments(file: Uint8Array): void {
    this.core.readTournaments(file);
  }
}

export interface LoadOptions {
  /** The level of the kernels; the best that the browser has without it. */
  isa?: Isa;
}

export interface EngineOptions {
  hashMib?: number;
  /** Node counts of one thread are the same each time; those of several are not. */
  threads?: number;
}

/** The loaded module. */
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

  /** A game from a position, from the usual start without one. */
  newGame(position?: PositionText): Game {
    return new Game(new this.glue.CoreGame(position));
  }

  /** No names, until lists of them are read. */
  newNames(): Names {
    return new Names(new this.glue.CoreNames());
  }

  /** Reads a file of OBF, GGF, WTHOR, which has numbers for `names`, or transcripts. Throws where nothing of it can be
   * read. */
  read(file: Uint8Array, name: string, names: Names = this.newNames()): Collection {
    return new Collection(new this.glue.CoreCollection(file, name, names.core));
  }

  /** Whether engines can have several threads: the page may share memory, and the browser has vectors. */
  get hasThreads(): boolean {
    return this.isa === "simd128" && globalThis.crossOriginIsolated;
  }

  /**
   * An engine with a hash table of so many MiB, 1 to 2047, in as many workers as it has threads, 1 to 512. It has one
   * where {@link hasThreads} is false.
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

  /** What failed is tried again. */
  async #loadThreads(): Promise<WebAssembly.Module> {
    try {
      return await fetchModule("simd128-threads");
    } catch (failure) {
      this.#threads = undefined;
      throw failure;
    }
  }

  /** The names of all kernels. */
  get kernels(): string[] {
    return this.glue.kernelNames();
  }
}

function bestIsa(): Isa {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  return hasSimd() ? "simd128" : "portable";
}

/** Loads the module and its weights. An error says what the browser lacks, or what the server answers. */
export async function load({ isa = bestIsa() }: LoadOptions = {}): Promise<Outflank> {
  if (typeof Worker !== "function") throw new Error("this browser has no web workers");
  const [module, weights] = await Promise.all([fetchModule(isa), fetchWeights()]);
  return new Outflank(isa, await instantiate(isa, module), module, weights);
}
