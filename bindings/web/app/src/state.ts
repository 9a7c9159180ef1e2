// Game on the page, and the shown position.

import type { Game, Judgement, Outflank, Ply, Position, Square } from "outflank";
import { t } from "./texts/texts.js";

/** Main game that a variation starts from, and the position that it showed. */
interface Branch {
  game: Game;
  at: number;
  scores: Map<number, number>;
}

/**
 * State of the page. Its event `change` follows every change of the game or of the position shown, and `score` a new
 * score.
 */
export class State extends EventTarget {
  game: Game;
  /** Plies before the position shown. */
  at = 0;
  /** Known scores after the plies of the game shown, in discs for black, by the number of plies. */
  scores = new Map<number, number>();
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
    this.scores = new Map();
    this.origin = undefined;
    this.changed();
  }

  /** Takes the score of the position after `at` plies, in discs for black. */
  setScore(at: number, score: number): void {
    this.scores.set(at, score);
    this.dispatchEvent(new Event("score"));
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
      if (this.origin === undefined) this.isLive = true;
      for (const plies of this.scores.keys()) if (plies > this.at) this.scores.delete(plies);
      if (this.origin === undefined) {
        const moves = this.moveNumber(this.at);
        for (const number of this.judgements.keys()) if (number > moves) this.judgements.delete(number);
      }
    }
    this.at += 1;
    this.changed();
  }

  /** Shows a variation: best play from `at` on. */
  vary(at: number, line: Ply[]): void {
    const origin = this.origin ?? { game: this.game, at: this.at, scores: this.scores };
    const game = origin.game.prefix(at);
    for (const ply of line) {
      if (ply < 0) game.pass();
      else game.play(ply);
    }
    this.game = game;
    this.scores = new Map([...origin.scores].filter(([plies]) => plies <= at));
    this.at = Math.min(at + 1, game.plies.length);
    this.origin = origin;
    this.changed();
  }

  /** Shows another game as a variation of this one. */
  explore(game: Game): void {
    this.origin ??= { game: this.game, at: this.at, scores: this.scores };
    this.game = game;
    this.at = game.plies.length;
    this.scores = new Map();
    this.changed();
  }

  /** Returns from a variation to the game. */
  leaveVariation(): void {
    if (this.origin === undefined) return;
    ({ game: this.game, at: this.at, scores: this.scores } = this.origin);
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

/** Name of a ply in the language of the page: `f5`, or a pass. */
export function moveName(ply: Ply): string {
  return ply < 0 ? t.passMove : squareName(ply);
}

/** Names of the first plies of a line. */
export function lineText(line: Ply[], plies: number): string {
  return line.slice(0, plies).map(moveName).join(" ");
}

/** Reason why a square is no legal move. */
export function illegalText({ text, side }: Position, square: Square): string {
  return text[square] === "-" ? t.illegalNoFlip(squareName(square), side) : t.illegalTaken(squareName(square));
}

/** Squares and side to move of the usual start. */
export const START = "---------------------------OX------XO--------------------------- X";

/** Name of a square, `f5`. */
export function squareName(square: Square): string {
  return "abcdefgh".charAt(square % 8) + (Math.floor(square / 8) + 1);
}
