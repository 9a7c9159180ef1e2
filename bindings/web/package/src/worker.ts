// Worker: runs the tasks of an engine one after another, or helps the engine of another worker.

import { instantiate, type Glue } from "./core.js";
import type { Reply, Request, Setup } from "./protocol.js";

declare const self: DedicatedWorkerGlobalScope;

/** Milliseconds between two `alive` messages of a search. */
const ALIVE_MS = 500;

let glue: Glue;
let engine: InstanceType<Glue["CoreEngine"]> | undefined;
let isShared = false;
let stop: Int32Array | undefined;
let current = 0;
let lastAlive = 0;

function reply(message: Reply): void {
  self.postMessage(message);
}

function interrupt(): boolean {
  const now = performance.now();
  if (now - lastAlive > ALIVE_MS) {
    lastAlive = now;
    reply({ id: current, kind: "alive" });
  }
  return stop !== undefined && Atomics.load(stop, 0) === 1;
}

async function setUp(setup: Setup): Promise<void> {
  glue = await instantiate(setup.build, setup.module, setup.memory);
  ({ stop } = setup);
  isShared = setup.memory !== undefined;
  if (setup.engine) {
    const { isa, weights, hashMib, threads } = setup.engine;
    engine = new glue.CoreEngine(weights, hashMib, threads, isa, interrupt);
  }
  reply({ kind: "ready" });
}

function run({ id, task }: Request): unknown {
  const report = (value: unknown) => reply({ id, kind: "progress", value });
  switch (task.kind) {
    case "search":
      return engine!.search(task.position, task.limits, report);
    case "analyze":
      return engine!.analyze(task.ggf, task.limits, report);
    case "clear":
      return engine!.clear();
    case "check":
      return glue.checkKernel(task.kernel, task.seed, task.cases);
    case "bench":
      return glue.benchKernel(task.kernel, task.samples, report);
    case "help":
      return glue.help(id, interrupt);
  }
}

let resolveSetup: (setup: Setup) => void;
/** Resolves after the setup. Tasks may arrive before. */
const ready = new Promise<Setup>((resolve) => (resolveSetup = resolve)).then(setUp);
// The first task reports a failure.
ready.catch(() => undefined);

self.onmessage = async ({ data }: MessageEvent<Setup | Request>) => {
  if (!("task" in data)) {
    resolveSetup(data);
    return;
  }
  try {
    await ready;
  } catch (fault) {
    reply({ id: data.id, kind: "broken", message: (fault as Error).message });
    return;
  }
  current = data.id;
  lastAlive = performance.now();
  reply({ id: current, kind: "alive" });
  try {
    const value = run(data);
    // Helpers return before the page sends the next task.
    if (isShared && engine) glue.endTask(data.id);
    if (engine) reply({ id: data.id, kind: "done", value });
  } catch (fault) {
    const isBroken = !engine || fault instanceof WebAssembly.RuntimeError || fault instanceof RangeError;
    if (isShared && !isBroken) glue.endTask(data.id);
    reply({ id: data.id, kind: isBroken ? "broken" : "error", message: (fault as Error).message });
  }
};
