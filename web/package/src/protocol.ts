// What the page and a worker tell each other.

import type { Build, Isa, SearchLimits } from "./types.js";

/** What a worker is told before it can do anything. */
export interface Setup {
  build: Build;
  module: WebAssembly.Module;
  /** The memory of all threads of an engine; none where there is one thread. */
  memory: WebAssembly.Memory | undefined;
  /** A word of shared memory that is 1 while a search is to stop; none where the page is not isolated. */
  stop: Int32Array | undefined;
  /** The engine; none in a worker that only helps. */
  engine: { isa: Isa; weights: Uint8Array; hashMib: number; threads: number } | undefined;
}

export type Task =
  | { kind: "search"; position: string; limits: SearchLimits }
  | { kind: "analyze"; ggf: string; limits: SearchLimits }
  | { kind: "clear" }
  | { kind: "check"; kernel: string; seed: number; cases: number }
  | { kind: "bench"; kernel: string; samples: number };

/** Another message to a worker: a task, whose numbers ascend, or to help with it. */
export interface Request {
  id: number;
  task: Task | { kind: "help" };
}

/** What a worker says. `ready` comes once it is set up, `alive` at the beginning of every task, and while a search
 * runs. A worker that helps says nothing else. */
export type Reply =
  | { kind: "ready" }
  | { id: number; kind: "alive" }
  | { id: number; kind: "progress"; value: unknown }
  | { id: number; kind: "done"; value: unknown }
  /** What was asked for is wrong. */
  | { id: number; kind: "error"; message: string }
  /** The module is of no more use. */
  | { id: number; kind: "broken"; message: string };
