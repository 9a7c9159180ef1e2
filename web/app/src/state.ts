// The game on the page, and which of its positions is shown.

import type { Game, Judgement, Outflank, Ply, Position, Square } from "outflank";

/** A game that a variation was begun from. */
interface Branch {
  game: Game;
  at: number;
}

/** Tells `change` after every change of the game or of the position shown. */
export class State extends EventTarget {
  game: Game;
  /** Plies played before the position that is shown. */
  at = 0;
  /** What is known of the moves, by their number; in a variation, of those of the game itself. */
  judgements = new Map<number, Judgement>();
  /** Whether the engine answers: not before the player has moved in a game that was read. */
  isLive = false;
  /** The game that this one is a variation of. */
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

  /** The game itself, where a variation is shown. */
  get main(): Game {
    return (this.origin ?? this).game;
  }

  /** Whether nothing was played after the position that is shown. */
  get isLatest(): boolean {
    return this.at === this.length;
  }

  changed(): void {
    this.dispatchEvent(new Event("change"));
  }

  /** Shows a game that was read, from its last position or the one named. */
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

  /** Plays on a square, or passes, in the position that is shown. What was played after it is dropped, unless it is
   * the same. */
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

  /** Shows best play instead of what was played from `at` on. */
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

  /** Back from a variation. */
  leaveVariation(): void {
    if (this.origin === undefined) return;
    ({ game: this.game, at: this.at } = this.origin);
    this.origin = undefined;
    this.changed();
  }

  /** The number of moves, without passes, among the first `plies`. */
  moveNumber(plies: number): number {
    return this.game.plies.slice(0, plies).filter((ply) => ply >= 0).length;
  }

  /** The plies before move `number` of a game. */
  plyOfMove(number: number, plies: Ply[] = this.game.plies): number {
    let moves = 0;
    const found = plies.findIndex((ply) => ply >= 0 && ++moves === number);
    return found < 0 ? plies.length : found;
  }
}

/** The name of a square, `f5`. */
export function squareName(square: Square): string {
  return "abcdefgh".charAt(square % 8) + (Math.floor(square / 8) + 1);
}
