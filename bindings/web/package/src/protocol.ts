// Messages between the page and a worker.

import type { Build, Isa, SearchLimits } from "./types.js";

/** First message to a worker. */
export interface Setup {
  build: Build;
  module: WebAssembly.Module;
  /** Shared memory of the threads of an engine; undefined for a single thread. */
  memory: WebAssembly.Memory | undefined;
  /** Shared word: 1 stops the search. Undefined if the page is not isolated. */
  stop: Int32Array | undefined;
  /** Options of the engine; undefined for a helper. */
  engine: { isa: Isa; weights: Uint8Array; hashMib: number; threads: number } | undefined;
}

export type Task =
  | { kind: "search"; position: string; limits: SearchLimits }
  | { kind: "analyze"; ggf: string; limits: SearchLimits }
  | { kind: "clear" }
  | { kind: "check"; kernel: string; seed: number; cases: number }
  | { kind: "bench"; kernel: string; samples: number };

/** Later message to a worker: a task to run or to help with. The ids of tasks ascend. */
export interface Request {
  id: number;
  task: Task | { kind: "help" };
}

/**
 * Message of a worker. A worker sends `ready` after its setup, and `alive` at the beginning of every task and during a
 * search. Helpers send no other messages.
 */
export type Reply =
  | { kind: "ready" }
  | { id: number; kind: "alive" }
  | { id: number; kind: "progress"; value: unknown }
  | { id: number; kind: "done"; value: unknown }
  /** The task is invalid. */
  | { id: number; kind: "error"; message: string }
  /** The module cannot be used any more. */
  | { id: number; kind: "broken"; message: string };
