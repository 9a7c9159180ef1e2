// Moves of the engine, and the values of all moves while hints are shown.

import type { Book, BookMove, Engine, Outflank, Ply, SearchLimits, SearchResult, Side, SkillPlayer, Square } from "outflank";
import type { Hint } from "./board.js";
import { button, find, signed } from "./dom.js";
import { fail, say } from "./messages.js";
import { settings } from "./settings.js";
import { lineText, type State } from "./state.js";
import { onLanguage, t } from "./texts/texts.js";

/** Time limit of the search for hints, in milliseconds. */
const HINT_MS = 600_000;

/** Delay before a pass and before a move of the book, in milliseconds. */
const PASS_MS = 900;
const BOOK_MS = 350;

/** Discs that the moves of the book may lose in a game against the best ones, for variety. */
const BOOK_TOLERANCE = 1;

/** Number of lines that are shown with hints, and of their plies. */
const SHOWN_LINES = 3;
const SHOWN_PLIES = 8;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class EnginePlayer {
  #engine: Engine;
  hints: Map<Square, Hint> | undefined;
  /** Best line of the position shown, while hints are shown. */
  line: Ply[] = [];
  /** True while the engine searches its move. */
  isThinking = false;
  #running: AbortController | undefined;
  /** Player of the chosen skill. */
  #skilled: { skill: string; player: SkillPlayer } | undefined;
  /** Opening book, loaded when it is first needed; without it the engine searches every move. */
  #book: Promise<Book | undefined> | undefined;
  /** True while the player sets up a position or practises: nothing is searched. */
  isPaused = false;
  /** Discs that moves of the book have lost in this game. */
  #bookLoss = 0;
  /** Last result that is shown. */
  #shown: SearchResult | undefined;

  constructor(
    private readonly state: State,
    private readonly outflank: Outflank,
    engine: Engine,
    private readonly render: () => void,
    private readonly showHints: () => void,
  ) {
    this.#engine = this.#withMessages(engine);
    onLanguage(() => this.#shown && this.#showSearch(this.#shown));
  }

  #withMessages(engine: Engine): Engine {
    engine.onLost = (message) => say(t.engineLost(message));
    return engine;
  }

  /** Replaces the engine. */
  useEngine(engine: Engine): void {
    this.stop();
    this.#engine.dispose();
    this.#engine = this.#withMessages(engine);
    this.update();
  }

  isEngine(side: Side): boolean {
    return settings.human === "none" || (settings.human !== "both" && settings.human !== side);
  }

  /** Ends the search. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.isThinking = false;
    button("#stop").hidden = true;
  }

  /** Starts the search that the position on the page needs. */
  update(): void {
    this.stop();
    this.hints = undefined;
    this.line = [];
    this.#shown = undefined;
    find("#thinking").textContent = "";
    if (this.state.length === 0) this.#bookLoss = 0;
    const { position, isLatest } = this.state;
    if (!this.isPaused && !position.isOver) {
      const isDue = isLatest && this.state.isLive && this.state.origin === undefined && this.isEngine(position.side);
      if (isDue) void this.#move();
      else if ((settings.hints || settings.evaluation) && !position.mustPass) void this.#hint();
    }
    button("#stop").hidden = this.#running === undefined;
    this.render();
  }

  /** Ends the search; the engine plays the best move found so far. */
  stopEarly(): void {
    if (this.isThinking) this.#running?.abort("play");
    else this.stop();
    button("#stop").hidden = true;
  }

  #limits(): SearchLimits {
    return settings.strength === "level" ? { level: settings.level } : { timeMs: settings.seconds * 1000 };
  }

  /** Player of the chosen skill; undefined if the engine plays as well as it can. */
  #skillPlayer(): SkillPlayer | undefined {
    const { strength, skill } = settings;
    if (strength !== "skill") return undefined;
    if (this.#skilled?.skill !== skill) this.#skilled = { skill, player: this.outflank.newSkillPlayer(skill) };
    return this.#skilled.player;
  }

  /** Book of the settings; undefined if it is off or cannot be loaded, which is said once. */
  async #openBook(): Promise<Book | undefined> {
    if (!settings.book) return undefined;
    this.#book ??= this.outflank.loadBook().catch((failure: unknown) => {
      fail(t.noBook, failure);
      return undefined;
    });
    return this.#book;
  }

  async #move(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.isThinking = true;
    const { position, at } = this.state;
    const isCurrent = () => this.#running === running;
    try {
      if (position.mustPass) {
        await wait(PASS_MS);
        if (isCurrent()) this.state.play(-1);
        return;
      }
      const player = this.#skillPlayer();
      const book = player ? undefined : await this.#openBook();
      if (!isCurrent()) return;
      const known = book?.choose(position.text, BOOK_TOLERANCE - this.#bookLoss);
      if (book && known) {
        find("#thinking").textContent = t.fromBook(signed(known.score));
        await wait(BOOK_MS);
        if (!isCurrent()) return;
        const best = book.moves(position.text)[0]!.score;
        this.#bookLoss += best - known.score;
        this.#keepScore(at, position.side, best);
        this.state.play(known.ply);
        return;
      }
      const found = await this.#engine.search(position.text, player?.limits(position.text) ?? this.#limits(), {
        signal: running.signal,
        // The best moves are not those that a weaker player draws.
        onProgress: (result) => isCurrent() && !player && this.#showSearch(result),
      });
      if (!isCurrent()) return;
      if (found) this.#keepScore(at, position.side, found.score);
      const chosen = found && player ? player.choose(position.text, found) : found?.line[0];
      // Without a result, as after an early stop, the engine plays the first legal move.
      this.state.play(chosen ?? position.moves[0]!);
    } catch (failure) {
      if (!isCurrent()) return;
      this.stop();
      // The engine waits until the player has moved, so that a failure is not repeated.
      this.state.isLive = false;
      fail(t.noEngineMove, failure);
      this.render();
    }
  }

  #keepScore(at: number, side: Side, score: number): void {
    this.state.setScore(at, side === "black" ? score : -score);
  }

  /** Searches the values of all moves, or only that of the position if hints are off. */
  async #hint(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const isCurrent = () => this.#running === running;
    const { at, position } = this.state;
    let known: BookMove[] = [];
    const show = (result: SearchResult) => {
      if (!isCurrent()) return;
      this.#showSearch(result);
      const isExact = this.#isExact(result);
      const ofBook = isExact ? [] : known;
      if (result.bound === "exact") this.#keepScore(at, position.side, ofBook[0]?.score ?? result.score);
      if (!settings.hints) return;
      const first = ofBook[0]?.ply ?? result.line[0];
      this.line = result.candidates.find(({ ply }) => ply === first)?.line ?? result.line;
      this.hints = hintsOf(result, ofBook, isExact);
      this.showHints();
    };
    try {
      known = (await this.#openBook())?.moves(position.text) ?? [];
      if (!isCurrent()) return;
      const limits = { lines: settings.hints ? 64 : 1, timeMs: HINT_MS };
      const found = await this.#engine.search(position.text, limits, { signal: running.signal, onProgress: show });
      if (found && found.line.length > 0) show(found);
    } catch (failure) {
      if (isCurrent()) fail(t.noHints, failure);
    }
    if (isCurrent()) button("#stop").hidden = true;
  }

  /** Returns `true` if the values of a search of the position shown are those of perfect play. */
  #isExact({ complete, bound, selectivity, depth }: SearchResult): boolean {
    const { black, white } = this.state.position;
    return complete && bound === "exact" && selectivity === 100 && depth >= 64 - black - white;
  }

  #showSearch(result: SearchResult): void {
    this.#shown = result;
    const { depth, selectivity, score, nodes, ms, line, bound, candidates } = result;
    const certainty = selectivity < 100 ? `@${selectivity} %` : "";
    const sign = { exact: "", lower: "≥ ", upper: "≤ " }[bound];
    const speed = ms > 0 ? t.speed(nodes / ms / 1000) : "";
    const others = candidates.slice(1, SHOWN_LINES).map((other) => `${signed(other.score)} ${lineText(other.line, SHOWN_PLIES)}`);
    const first = t.searchLine(depth, certainty, `${sign}${signed(score)}`, lineText(line, SHOWN_PLIES), speed);
    find("#thinking").textContent = [first, ...others].join("\n");
  }
}

/** Values of all moves: those of the book, of other moves those of a search. If the book knows moves, one of them is best. */
function hintsOf({ candidates }: SearchResult, known: BookMove[], isExact: boolean): Map<Square, Hint> {
  const ofBook = new Map(known.map(({ ply, score }) => [ply, score]));
  const scoreOf = ({ ply, score }: { ply: Ply; score: number }) => ofBook.get(ply) ?? score;
  const best = known[0]?.score ?? Math.max(...candidates.map(scoreOf));
  return new Map(
    candidates.map((candidate) => {
      const isBook = ofBook.has(candidate.ply);
      const score = scoreOf(candidate);
      return [candidate.ply, { score, isBest: score === best && (isBook || known.length === 0), isExact, isBook }];
    }),
  );
}
