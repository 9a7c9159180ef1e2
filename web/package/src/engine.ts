// An engine in its workers, as the page sees it.

import { sharedMemory } from "./core.js";
import type { Reply, Request, Setup, Task } from "./protocol.js";
import type { Isa, Judgement, KernelCheck, KernelCost, PositionText, SearchLimits, SearchResult } from "./types.js";

/** What a call can be given besides what it is about. */
export interface CallOptions<Progress> {
  /** Stops the call. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** The worker was lost, twice for the same call; the next call gets another one. */
export class WorkerLost extends Error {}

/** What an engine is made of. */
export interface Source {
  isa: Isa;
  module: WebAssembly.Module;
  /** The module for several threads, loaded where it is needed. */
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
 * An engine with its hash table, in a worker for each of its threads. Calls are answered one after another, in their
 * order.
 *
 * Workers that crash or disappear are replaced, and the call is made again, once.
 */
export class Engine {
  readonly #source: Source;
  /** A word that workers read while they search, where the page may share memory with them. */
  readonly #stopWord = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  #threads: number;
  /** The engine's, and those that help it. None after one was lost, until there is a call for them. */
  #workers: Worker[] = [];
  /** Workers that are not set up yet. */
  #starting = 0;
  /** Workers that have not said yet that they do what they were told last. */
  #awaited = new Set<Worker>();
  #isDisposed = false;
  #queue: Job[] = [];
  #running: Job | undefined;
  #next = 1;
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  /** Called where workers were lost and replaced. */
  onLost: ((message: string) => void) | undefined;

  /** @internal */
  constructor(source: Source) {
    this.#source = source;
    this.#threads = source.threads;
    this.#spawn();
  }

  /** The number of threads; 1 also where more were asked for, and could not be started. */
  get threads(): number {
    return this.#threads;
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
      worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#hear(worker, data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#lose(event.message || "the worker cannot be started");
      };
      return worker;
    };
    this.#workers = Array.from({ length: this.#threads }, start);
    this.#starting = this.#threads;
    if (this.#threads === 1) this.#setUp(this.#source.module);
    else void this.#setUpThreads(this.#workers);
  }

  async #setUpThreads(workers: Worker[]): Promise<void> {
    try {
      const module = await this.#source.loadThreads();
      // Others may have taken their place meanwhile.
      if (workers === this.#workers) this.#setUp(module, sharedMemory(this.#source.hashMib, this.#threads));
    } catch (failure) {
      if (workers === this.#workers) this.#lose((failure as Error).message);
    }
  }

  #setUp(module: WebAssembly.Module, memory?: WebAssembly.Memory): void {
    const { isa, weights, hashMib } = this.#source;
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
      const [own, ...helpers] = this.#workers;
      own!.postMessage({ id, task } satisfies Request);
      if (isSearch(task)) {
        for (const helper of helpers) helper.postMessage({ id, task: { kind: "help" } } satisfies Request);
      }
      this.#awaited = new Set(isSearch(task) ? this.#workers : [own!]);
      this.#watch(this.#starting === 0 ? BEGIN_MS : SILENT_MS);
    }
  }

  #stop(job: Job): void {
    if (job !== this.#running) return;
    job.stopped = true;
    if (this.#stopWord && isSearch(job.task)) {
      Atomics.store(this.#stopWord, 0, 1);
    } else {
      // Nothing reaches a worker that computes: another one takes its place.
      this.#terminate();
      this.#spawn();
      this.#finish(job);
      this.#settle(job);
    }
  }

  /** A job that was stopped has what it knew. */
  #settle(job: Job): void {
    const known = job.task.kind === "search" && job.progress !== null;
    job.resolve((known ? { ...(job.progress as SearchResult), complete: false } : null) as never);
  }

  #hear(worker: Worker, reply: Reply): void {
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
        this.#awaited.delete(worker);
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
    if (this.#awaited.size > 0) return;
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
    this.#terminate();
    if (this.#starting > 0 && this.#threads > 1) {
      // A browser that cannot start several may start one.
      this.#threads = 1;
      message += "; it goes on with one thread";
    }
    // Not again and again where none can be started: the next call tries.
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
