// Clocks: the time that each side has used in the game played here.

import type { Side } from "outflank";
import { find } from "./dom.js";
import { settings } from "./settings.js";

const SHOW_MS = 250;

export class Clock {
  #used: Record<Side, number> = { black: 0, white: 0 };
  /** Side whose clock runs, and the time since when. */
  #running: { side: Side; since: number } | undefined;

  constructor() {
    setInterval(() => this.show(), SHOW_MS);
  }

  /** Begins a game: no time is used. */
  reset(): void {
    this.#used = { black: 0, white: 0 };
    this.#running = undefined;
  }

  /** Lets the clock of a side run, and stops the other; undefined stops both. */
  run(side: Side | undefined): void {
    if (this.#running?.side === side) return;
    if (this.#running) this.#used[this.#running.side] = this.#time(this.#running.side);
    this.#running = side && { side, since: performance.now() };
  }

  show(): void {
    for (const side of ["black", "white"] as const) {
      const clock = find(`#${side}-player .clock`);
      const seconds = Math.floor(this.#time(side) / 1000);
      const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      clock.hidden = !settings.clocks;
      if (clock.textContent !== text) clock.textContent = text;
    }
  }

  /** Milliseconds that a side has used. */
  #time(side: Side): number {
    const since = this.#running?.side === side ? performance.now() - this.#running.since : 0;
    return this.#used[side] + since;
  }
}
