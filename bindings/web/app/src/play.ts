// Moves of the engine, and the values of all moves while hints are shown.

import type { Engine, Outflank, SearchLimits, SearchResult, Side, SkillPlayer, Square } from "outflank";
import { plyName } from "outflank";
import type { Hint } from "./board.js";
import { button, find, signed } from "./dom.js";
import { fail, say } from "./messages.js";
import { settings } from "./settings.js";
import type { State } from "./state.js";

/** Time limit of the search for hints, in milliseconds. */
const HINT_MS = 60_000;

/** Delay before a pass of the engine, in milliseconds. */
const PASS_MS = 900;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class Player {
  #engine: Engine;
  hints: Map<Square, Hint> | undefined;
  /** True while the engine searches its move. */
  isThinking = false;
  #running: AbortController | undefined;
  /** Player of the chosen skill. */
  #skilled: { skill: string; player: SkillPlayer } | undefined;
  /** True while the player sets up a position: nothing is searched. */
  isPaused = false;

  constructor(
    private readonly state: State,
    private readonly outflank: Outflank,
    engine: Engine,
    private readonly render: () => void,
    private readonly showHints: () => void,
  ) {
    this.#engine = this.#withMessages(engine);
  }

  #withMessages(engine: Engine): Engine {
    engine.onLost = (message) => say(`The engine was lost and has been started again (${message}).`);
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
    find("#thinking").textContent = "";
    const { position, isLatest } = this.state;
    if (!this.isPaused && !position.isOver) {
      const isDue = isLatest && this.state.isLive && this.state.origin === undefined && this.isEngine(position.side);
      if (isDue) void this.#move();
      else if (settings.hints && !position.mustPass) void this.#hint();
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

  async #move(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.isThinking = true;
    const { position } = this.state;
    const isCurrent = () => this.#running === running;
    try {
      if (position.mustPass) {
        await wait(PASS_MS);
        if (isCurrent()) this.state.play(-1);
        return;
      }
      const player = this.#skillPlayer();
      const found = await this.#engine.search(position.text, player?.limits(position.text) ?? this.#limits(), {
        signal: running.signal,
        // The best moves are not those that a weaker player draws.
        onProgress: (result) => isCurrent() && !player && this.#showSearch(result),
      });
      if (!isCurrent()) return;
      const chosen = found && player ? player.choose(position.text, found) : found?.line[0];
      // Without a result, as after an early stop, the engine plays the first legal move.
      this.state.play(chosen ?? position.moves[0]!);
    } catch (failure) {
      if (!isCurrent()) return;
      this.stop();
      // The engine waits until the player has moved, so that a failure is not repeated.
      this.state.isLive = false;
      fail("The engine has no move", failure);
      this.render();
    }
  }

  async #hint(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const isCurrent = () => this.#running === running;
    const show = (result: SearchResult) => {
      if (!isCurrent()) return;
      this.#showSearch(result);
      const best = result.candidates[0]?.score;
      const isWhole = result.complete && result.bound === "exact";
      const isExact = isWhole && result.selectivity === 100 && result.depth >= this.#empties();
      this.hints = new Map(
        result.candidates.map(({ ply, score }) => [ply, { score, isBest: score === best, isExact }]),
      );
      this.showHints();
    };
    try {
      const limits = { lines: 64, timeMs: HINT_MS };
      const found = await this.#engine.search(this.state.position.text, limits, {
        signal: running.signal,
        onProgress: show,
      });
      if (found && found.candidates.length > 0) show(found);
    } catch (failure) {
      if (isCurrent()) fail("There are no hints", failure);
    }
    if (isCurrent()) button("#stop").hidden = true;
  }

  #empties(): number {
    const { black, white } = this.state.position;
    return 64 - black - white;
  }

  #showSearch({ depth, selectivity, score, nodes, ms, line, bound }: SearchResult): void {
    const certainty = selectivity < 100 ? `@${selectivity} %` : "";
    const sign = { exact: "", lower: "≥ ", upper: "≤ " }[bound];
    const speed = ms > 0 ? `, ${(nodes / ms / 1000).toFixed(1)} million nodes a second` : "";
    const moves = line.slice(0, 8).map((ply) => plyName(ply).toLowerCase());
    find("#thinking").textContent = `${depth} plies${certainty}: ${sign}${signed(score)} with ${moves.join(" ")}${speed}`;
  }
}
