// Game on the page, and the shown position.

import type { Game, Judgement, Outflank, Ply, Position, Square } from "outflank";

/** Main game that a variation starts from, and the position that it showed. */
interface Branch {
  game: Game;
  at: number;
}

/** State of the page. Calls `change` after every change of the game or of the position shown. */
export class State extends EventTarget {
  game: Game;
  /** Plies before the position shown. */
  at = 0;
  /** Known judgements of the moves of the main game, by number. */
  judgements = new Map<number, Judgement>();
  /** True if the engine plays its moves. In a game from a file or an address it waits for a move of the player. */
  isLive = false;
  /** Main game while a variation is shown. */
  origin: Branch | undefined;

  constructor(readonly outflank: Outflank) {
    super();
    this.game = outflank.newGame();
  }

  get position(): Position {
    return this.game.position(this.at);
  }

  get length(): number {
    return this.game.plies.length;
  }

  /** Main game, even while a variation is shown. */
  get main(): Game {
    return (this.origin ?? this).game;
  }

  /** True if the position shown is the last one. */
  get isLatest(): boolean {
    return this.at === this.length;
  }

  changed(): void {
    this.dispatchEvent(new Event("change"));
  }

  /** Shows a game at the position after `at` plies, by default the last one. */
  load(game: Game, at: number = game.plies.length, isLive = false): void {
    this.#set(game, at, isLive);
  }

  /** Begins to play a game. */
  begin(game: Game): void {
    this.#set(game, 0, true);
  }

  #set(game: Game, at: number, isLive: boolean): void {
    this.game = game;
    this.isLive = isLive;
    this.at = Math.min(Math.max(at, 0), game.plies.length);
    this.judgements = new Map();
    this.origin = undefined;
    this.changed();
  }

  goTo(at: number): void {
    const bounded = Math.min(Math.max(at, 0), this.length);
    if (bounded === this.at) return;
    this.at = bounded;
    this.changed();
  }

  /** Plays a move, or passes, in the position shown. Later plies are dropped, unless the first of them is the same. */
  play(ply: Ply): void {
    if (this.game.plies[this.at] !== ply) {
      const game = this.game.prefix(this.at);
      if (ply < 0) game.pass();
      else game.play(ply);
      this.game = game;
      if (this.origin === undefined) {
        const moves = this.moveNumber(this.at);
        for (const number of this.judgements.keys()) if (number > moves) this.judgements.delete(number);
      }
    }
    this.at += 1;
    if (this.origin === undefined) this.isLive = true;
    this.changed();
  }

  /** Shows a variation: best play from `at` on. */
  vary(at: number, line: Ply[]): void {
    const origin = this.origin ?? { game: this.game, at: this.at };
    const game = origin.game.prefix(at);
    for (const ply of line) {
      if (ply < 0) game.pass();
      else game.play(ply);
    }
    this.game = game;
    this.at = Math.min(at + 1, game.plies.length);
    this.origin = origin;
    this.changed();
  }

  /** Returns from a variation to the game. */
  leaveVariation(): void {
    if (this.origin === undefined) return;
    ({ game: this.game, at: this.at } = this.origin);
    this.origin = undefined;
    this.changed();
  }

  /** Counts the moves, without passes, among the first `plies`. */
  moveNumber(plies: number): number {
    return this.game.plies.slice(0, plies).filter((ply) => ply >= 0).length;
  }

  /** Counts the plies before move `number` of a game. */
  plyOfMove(number: number, plies: Ply[] = this.game.plies): number {
    let moves = 0;
    const index = plies.findIndex((ply) => ply >= 0 && ++moves === number);
    return index < 0 ? plies.length : index;
  }
}

/** Name of a square, `f5`. */
export function squareName(square: Square): string {
  return "abcdefgh".charAt(square % 8) + (Math.floor(square / 8) + 1);
}
