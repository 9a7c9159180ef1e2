// What the page and a worker tell each other.

import type { Isa, SearchLimits } from "./types.js";

/** The first message to a worker. */
export interface Setup {
  isa: Isa;
  module: WebAssembly.Module;
  weights: Uint8Array;
  hashMib: number;
  /** A word of shared memory that is 1 while a search is to stop; none where the page is not isolated. */
  stop: Int32Array | undefined;
}

export type Task =
  | { kind: "search"; position: string; limits: SearchLimits }
  | { kind: "analyze"; ggf: string; limits: SearchLimits }
  | { kind: "clear" }
  | { kind: "check"; kernel: string; seed: number; cases: number }
  | { kind: "bench"; kernel: string; samples: number };

/** A later message to a worker. */
export interface Request {
  id: number;
  task: Task;
}

/** What a worker says. `ready` comes once it is set up, `alive` at the beginning of every task, and while a search
 * runs. */
export type Reply =
  | { kind: "ready" }
  | { id: number; kind: "alive" }
  | { id: number; kind: "progress"; value: unknown }
  | { id: number; kind: "done"; value: unknown }
  /** What was asked for is wrong. */
  | { id: number; kind: "error"; message: string }
  /** The module is of no more use. */
  | { id: number; kind: "broken"; message: string };
