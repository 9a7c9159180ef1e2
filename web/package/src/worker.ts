// The worker: an engine that does one task after another.

import { instantiate, type Glue } from "./core.js";
import type { Reply, Request, Setup, Task } from "./protocol.js";

declare const self: DedicatedWorkerGlobalScope;

/** Milliseconds between two signs of life while a search runs. */
const BEAT = 500;

let glue: Glue;
let engine: InstanceType<Glue["CoreEngine"]>;
let current = 0;
let lastBeat = 0;

function reply(message: Reply): void {
  self.postMessage(message);
}

async function setUp({ isa, module, weights, hashMib, stop }: Setup): Promise<void> {
  glue = await instantiate(isa, module);
  const interrupt = () => {
    const now = performance.now();
    if (now - lastBeat > BEAT) {
      lastBeat = now;
      reply({ id: current, kind: "alive" });
    }
    return stop !== undefined && Atomics.load(stop, 0) === 1;
  };
  engine = new glue.CoreEngine(weights, hashMib, isa, interrupt);
  reply({ kind: "ready" });
}

function run(task: Task): unknown {
  const report = (value: unknown) => reply({ id: current, kind: "progress", value });
  switch (task.kind) {
    case "search":
      return engine.search(task.position, task.limits, report);
    case "analyze":
      return engine.analyze(task.ggf, task.limits, report);
    case "clear":
      return engine.clear();
    case "check":
      return glue.checkKernel(task.kernel, task.seed, task.cases);
    case "bench":
      return glue.benchKernel(task.kernel, task.samples, report);
  }
}

let ready: Promise<void> | undefined;

self.onmessage = async ({ data }: MessageEvent<Setup | Request>) => {
  if (!("task" in data)) {
    ready = setUp(data);
    // Told with the first task.
    ready.catch(() => undefined);
    return;
  }
  try {
    await ready;
  } catch (fault) {
    reply({ id: data.id, kind: "broken", message: (fault as Error).message });
    return;
  }
  current = data.id;
  lastBeat = performance.now();
  reply({ id: current, kind: "alive" });
  try {
    reply({ id: current, kind: "done", value: run(data.task) });
  } catch (fault) {
    const kind = fault instanceof WebAssembly.RuntimeError || fault instanceof RangeError ? "broken" : "error";
    reply({ id: current, kind, message: (fault as Error).message });
  }
};
