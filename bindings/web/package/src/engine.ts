// Engine that runs in workers of the page.

import { sharedMemory } from "./core.js";
import type { Reply, Request, Setup, Task } from "./protocol.js";
import type { Isa, Judgement, KernelCheck, KernelCost, PositionText, SearchLimits, SearchResult } from "./types.js";

/** Options of all calls of an engine. */
export interface CallOptions<Progress> {
  /** Stops the call when it is aborted. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Error of a call that lost its worker twice. The next call gets another worker. */
export class WorkerLost extends Error {}

/** Parts and options of an engine. */
export interface EngineParts {
  isa: Isa;
  module: WebAssembly.Module;
  /** Loads the module for several threads. */
  loadThreads: () => Promise<WebAssembly.Module>;
  weights: Uint8Array;
  hashMib: number;
  threads: number;
}

interface Job {
  id: number;
  task: Task;
  signal: AbortSignal | undefined;
  onProgress: ((progress: never) => void) | undefined;
  /** Last progress report. */
  progress: unknown;
  /** True after the call lost its worker once. */
  lost: boolean;
  stopped: boolean;
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** Milliseconds within which a worker must answer a task after its setup. A silent worker counts as lost. */
const BEGIN_MS = 5_000;
/** Maximum milliseconds between two messages of a worker during its setup or a task. */
const SILENT_MS = 30_000;

/**
 * Engine with its hash table, in a worker for each of its threads. Calls run one after another, in their order.
 *
 * Workers that crash or disappear are replaced, and their call is repeated once.
 */
export class Engine {
  readonly #parts: EngineParts;
  /** Shared word that workers read while they search: 1 stops them. Undefined without shared memory. */
  readonly #stopWord = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  #threads: number;
  /** Worker of the engine, followed by its helpers. Empty after a loss, until the next call. */
  #workers: Worker[] = [];
  /** Number of workers that are not set up yet. */
  #starting = 0;
  /** Workers that have not answered to the running task yet. */
  #unanswered = new Set<Worker>();
  #isDisposed = false;
  #queue: Job[] = [];
  #running: Job | undefined;
  #next = 1;
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  /** Called after lost workers were replaced. */
  onLost: ((message: string) => void) | undefined;

  /** @internal */
  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#threads = parts.threads;
    this.#spawn();
  }

  /** Number of threads. It is 1 if more were requested, but could not be started. */
  get threads(): number {
    return this.#threads;
  }

  /**
   * Searches a position. A stopped search resolves with its last result, or with `null` if it had none. `onProgress`
   * gets the result so far after every depth.
   */
  search(
    position: PositionText,
    limits: SearchLimits = {},
    options: CallOptions<SearchResult> = {},
  ): Promise<SearchResult | null> {
    return this.#call({ kind: "search", position, limits }, options);
  }

  /**
   * Judges the moves of a game in GGF, from the last one to the first; `onProgress` gets each judgement. Resolves with
   * all judgements in the order of the game, or with `null` if the analysis was stopped.
   */
  analyze(ggf: string, limits: SearchLimits, options: CallOptions<Judgement> = {}): Promise<Judgement[] | null> {
    return this.#call({ kind: "analyze", ggf, limits }, options);
  }

  /** Clears the hash table, so that the next search counts the same nodes as that of a new engine. */
  clear(): Promise<void> {
    return this.#call({ kind: "clear" }, {});
  }

  /**
   * Compares all algorithms of a kernel with its reference, on all sweeps and on `cases` random cases. Resolves with
   * `null` if the call was stopped.
   */
  checkKernel(
    kernel: string,
    seed: number,
    cases: number,
    options: CallOptions<never> = {},
  ): Promise<KernelCheck | null> {
    return this.#call({ kind: "check", kernel, seed, cases }, options);
  }

  /** Measures all algorithms of a kernel. Resolves with `null` if the call was stopped. */
  benchKernel(kernel: string, samples: number, options: CallOptions<undefined> = {}): Promise<KernelCost[] | null> {
    return this.#call({ kind: "bench", kernel, samples }, options);
  }

  /** Stops all calls and workers. Later calls are rejected. */
  dispose(): void {
    this.#isDisposed = true;
    this.#terminate();
    clearTimeout(this.#watchdog);
    const jobs = [this.#running, ...this.#queue];
    this.#running = undefined;
    this.#queue = [];
    for (const job of jobs) job?.resolve(null as never);
  }

  #spawn(): void {
    const start = () => {
      const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#receive(worker, data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#replaceLost(event.message || "the worker cannot be started");
      };
      return worker;
    };
    this.#workers = Array.from({ length: this.#threads }, start);
    this.#starting = this.#threads;
    if (this.#threads === 1) this.#setUp(this.#parts.module);
    else void this.#setUpThreads(this.#workers);
  }

  async #setUpThreads(workers: Worker[]): Promise<void> {
    try {
      const module = await this.#parts.loadThreads();
      // The workers may have been replaced meanwhile.
      if (workers === this.#workers) this.#setUp(module, sharedMemory(this.#parts.hashMib, this.#threads));
    } catch (failure) {
      if (workers === this.#workers) this.#replaceLost((failure as Error).message);
    }
  }

  #setUp(module: WebAssembly.Module, memory?: WebAssembly.Memory): void {
    const { isa, weights, hashMib } = this.#parts;
    const engine = { isa, weights, hashMib, threads: this.#threads };
    const common = { build: memory ? ("simd128-threads" as const) : isa, module, memory, stop: this.#stopWord };
    for (const [index, worker] of this.#workers.entries()) {
      worker.postMessage({ ...common, engine: index === 0 ? engine : undefined } satisfies Setup);
    }
  }

  #terminate(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers = [];
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
      if (this.#stopWord) Atomics.store(this.#stopWord, 0, 0);
      if (this.#workers.length === 0) this.#spawn();
      const { id, task } = job;
      const [main, ...helpers] = this.#workers;
      main!.postMessage({ id, task } satisfies Request);
      if (isSearch(task)) {
        for (const helper of helpers) helper.postMessage({ id, task: { kind: "help" } } satisfies Request);
      }
      this.#unanswered = new Set(isSearch(task) ? this.#workers : [main!]);
      this.#watch(this.#starting === 0 ? BEGIN_MS : SILENT_MS);
    }
  }

  #stop(job: Job): void {
    if (job !== this.#running) return;
    job.stopped = true;
    if (this.#stopWord && isSearch(job.task)) {
      Atomics.store(this.#stopWord, 0, 1);
    } else {
      // A worker that computes receives no message, so it is replaced.
      this.#terminate();
      this.#spawn();
      this.#finish(job);
      this.#settle(job);
    }
  }

  /** Resolves a stopped job with its last result. */
  #settle(job: Job): void {
    const known = job.task.kind === "search" && job.progress !== null;
    job.resolve((known ? { ...(job.progress as SearchResult), complete: false } : null) as never);
  }

  #receive(worker: Worker, reply: Reply): void {
    if (!this.#workers.includes(worker)) return;
    const job = this.#running;
    if (reply.kind === "ready") {
      this.#starting -= 1;
      if (job && this.#starting === 0) this.#watch(BEGIN_MS);
      return;
    }
    if (job === undefined || reply.id !== job.id) return;
    switch (reply.kind) {
      case "alive":
        this.#unanswered.delete(worker);
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
        this.#replaceLost(reply.message);
        return;
    }
    if (this.#unanswered.size > 0) return;
    // A check reports nothing until it is done.
    if (job.task.kind === "check") clearTimeout(this.#watchdog);
    else this.#watch(SILENT_MS);
  }

  #finish(job: Job): void {
    if (this.#running === job) {
      this.#running = undefined;
      clearTimeout(this.#watchdog);
      // The caller continues before the next job starts.
      queueMicrotask(() => this.#advance());
    }
  }

  #watch(ms: number): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#replaceLost("the worker does not answer"), ms);
  }

  #replaceLost(message: string): void {
    const job = this.#running;
    clearTimeout(this.#watchdog);
    this.#running = undefined;
    this.#terminate();
    if (this.#starting > 0 && this.#threads > 1) {
      // A browser that cannot start several workers may start one.
      this.#threads = 1;
      message += "; it goes on with one thread";
    }
    // No worker is started without a call: a start that always fails would repeat forever.
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

function isSearch(task: Task): boolean {
  return task.kind === "search" || task.kind === "analyze";
}
