// An engine in a worker, as the page sees it.

import type { Reply, Request, Setup, Task } from "./protocol.js";
import type { Judgement, KernelCheck, KernelCost, PositionText, SearchLimits, SearchResult } from "./types.js";

/** What a call can be given besides what it is about. */
export interface CallOptions<Progress> {
  /** Stops the call. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** The worker was lost, twice for the same call; the next call gets another one. */
export class WorkerLost extends Error {}

interface Job {
  id: number;
  task: Task;
  signal: AbortSignal | undefined;
  onProgress: ((progress: never) => void) | undefined;
  /** What was told last. */
  progress: unknown;
  lost: boolean;
  stopped: boolean;
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** A worker that is set up and says nothing for so many milliseconds at the beginning of a task is lost, */
const BEGIN_MS = 5_000;
/** and so is one that says nothing for so long before it is set up, or during a task. */
const SILENT_MS = 30_000;

/**
 * An engine in a worker of its own, with its hash table. Calls are answered one after another, in their order.
 *
 * A worker that crashes or disappears is replaced, and the call is made again, once.
 */
export class Engine {
  readonly #setup: Setup;
  /** None after one was lost, until there is a call for it. */
  #worker: Worker | undefined;
  /** Whether the worker is set up. */
  #isReady = false;
  #isDisposed = false;
  #queue: Job[] = [];
  #running: Job | undefined;
  #next = 1;
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  /** Called where a worker was lost and replaced. */
  onLost: ((message: string) => void) | undefined;

  /** @internal */
  constructor(setup: Setup) {
    this.#setup = setup;
    this.#worker = this.#spawn();
  }

  /**
   * Searches a position. A search that is stopped resolves with what it knew last, `null` where that is nothing.
   * `onProgress` gets what was found so far after every depth.
   */
  search(
    position: PositionText,
    limits: SearchLimits = {},
    options: CallOptions<SearchResult> = {},
  ): Promise<SearchResult | null> {
    return this.#call({ kind: "search", position, limits }, options);
  }

  /**
   * Judges the moves of a game in GGF, from the last one to the first; `onProgress` gets each. Resolves with all of
   * them in the order of the game, `null` where it was stopped.
   */
  analyze(ggf: string, limits: SearchLimits, options: CallOptions<Judgement> = {}): Promise<Judgement[] | null> {
    return this.#call({ kind: "analyze", ggf, limits }, options);
  }

  /** Forgets what earlier searches found, so that the next one counts the same nodes as that of a new engine. */
  clear(): Promise<void> {
    return this.#call({ kind: "clear" }, {});
  }

  /**
   * Compares all algorithms of a kernel with its reference, on all sweeps and so many random cases. Resolves with
   * `null` where it was stopped.
   */
  checkKernel(
    kernel: string,
    seed: number,
    cases: number,
    options: CallOptions<never> = {},
  ): Promise<KernelCheck | null> {
    return this.#call({ kind: "check", kernel, seed, cases }, options);
  }

  /** Measures all algorithms of a kernel. Resolves with `null` where it was stopped. */
  benchKernel(kernel: string, samples: number, options: CallOptions<undefined> = {}): Promise<KernelCost[] | null> {
    return this.#call({ kind: "bench", kernel, samples }, options);
  }

  /** Stops all calls, and the worker. Later calls are rejected. */
  dispose(): void {
    this.#isDisposed = true;
    this.#worker?.terminate();
    clearTimeout(this.#watchdog);
    const jobs = [this.#running, ...this.#queue];
    this.#running = undefined;
    this.#queue = [];
    for (const job of jobs) job?.resolve(null as never);
  }

  #spawn(): Worker {
    this.#isReady = false;
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(event.message || "the worker cannot be started");
    };
    worker.postMessage(this.#setup);
    return worker;
  }

  #call<Progress, Result>(task: Task, { signal, onProgress }: CallOptions<Progress>): Promise<Result> {
    if (this.#isDisposed) return Promise.reject(new Error("the engine was disposed of"));
    return new Promise((resolve, reject) => {
      const job: Job = {
        id: this.#next++,
        task,
        signal,
        onProgress,
        progress: null,
        lost: false,
        stopped: false,
        resolve,
        reject,
      };
      signal?.addEventListener("abort", () => this.#stop(job), { once: true });
      this.#queue.push(job);
      this.#advance();
    });
  }

  #advance(): void {
    while (this.#running === undefined) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      if (job.signal?.aborted) {
        job.resolve(null as never);
        continue;
      }
      this.#running = job;
      if (this.#setup.stop) Atomics.store(this.#setup.stop, 0, 0);
      this.#worker ??= this.#spawn();
      this.#worker.postMessage({ id: job.id, task: job.task } satisfies Request);
      this.#watch(this.#isReady ? BEGIN_MS : SILENT_MS);
    }
  }

  #stop(job: Job): void {
    if (job !== this.#running) return;
    job.stopped = true;
    const isSearch = job.task.kind === "search" || job.task.kind === "analyze";
    if (this.#setup.stop && isSearch) {
      Atomics.store(this.#setup.stop, 0, 1);
    } else {
      // Nothing reaches a worker that computes: another one takes its place.
      this.#worker?.terminate();
      this.#worker = this.#spawn();
      this.#finish(job);
      this.#settle(job);
    }
  }

  /** A job that was stopped has what it knew. */
  #settle(job: Job): void {
    const known = job.task.kind === "search" && job.progress !== null;
    job.resolve((known ? { ...(job.progress as SearchResult), complete: false } : null) as never);
  }

  #hear(reply: Reply): void {
    const job = this.#running;
    if (reply.kind === "ready") {
      this.#isReady = true;
      if (job) this.#watch(BEGIN_MS);
      return;
    }
    if (job === undefined || reply.id !== job.id) return;
    switch (reply.kind) {
      case "alive":
        break;
      case "progress":
        job.progress = reply.value;
        if (!job.stopped) job.onProgress?.(reply.value as never);
        break;
      case "done":
        this.#finish(job);
        job.resolve((reply.value ?? null) as never);
        return;
      case "error":
        this.#finish(job);
        job.reject(new Error(reply.message));
        return;
      case "broken":
        this.#lose(reply.message);
        return;
    }
    // A check says nothing until it is done.
    if (job.task.kind === "check") clearTimeout(this.#watchdog);
    else this.#watch(SILENT_MS);
  }

  #finish(job: Job): void {
    if (this.#running === job) {
      this.#running = undefined;
      clearTimeout(this.#watchdog);
      // What the caller does next comes before.
      queueMicrotask(() => this.#advance());
    }
  }

  #watch(ms: number): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lose("the worker does not answer"), ms);
  }

  #lose(message: string): void {
    const job = this.#running;
    clearTimeout(this.#watchdog);
    this.#running = undefined;
    this.#worker?.terminate();
    this.#worker = undefined;
    // Not again and again where no worker can be started: the next call tries.
    if (job === undefined && this.#queue.length === 0) return;
    this.onLost?.(message);
    if (job?.stopped) {
      this.#settle(job);
    } else if (job?.lost) {
      job.reject(new WorkerLost(`the engine's worker was lost: ${message}`));
    } else if (job) {
      job.lost = true;
      this.#queue.unshift(job);
    }
    this.#advance();
  }
}
