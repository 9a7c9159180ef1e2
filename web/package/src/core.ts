// Loading the WebAssembly module: once per page, and again in each worker from the same compiled module.

import type { Build } from "./types.js";

/** What wasm-bindgen makes of web/core. @internal */
export type Glue = typeof import("../wasm/simd128/outflank_web.js");

/** Whether this browser has the fixed-width vectors of WebAssembly. */
export function hasSimd(): boolean {
  // (module (func (result v128) i32.const 0 i8x16.splat))
  return WebAssembly.validate(
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
    ]),
  );
}

function loadGlue(build: Build): Promise<Glue> {
  // All come from the same sources; only the code differs.
  switch (build) {
    case "simd128":
      return import("../wasm/simd128/outflank_web.js");
    case "portable":
      return import("../wasm/portable/outflank_web.js") as Promise<unknown> as Promise<Glue>;
    case "simd128-threads":
      return import("../wasm/simd128-threads/outflank_web.js") as Promise<unknown> as Promise<Glue>;
  }
}

/** The stack of each thread, in bytes: that of web/core/build.rs. */
const STACK = 4 << 20;

/** The module's interface, running in this thread; with several threads, in the memory that they share. @internal */
export async function instantiate(
  build: Build,
  module: WebAssembly.Module,
  memory?: WebAssembly.Memory,
): Promise<Glue> {
  const glue = await loadGlue(build);
  const init = memory ? { module, memory, thread_stack_size: STACK } : { module };
  glue.initSync(init);
  return glue;
}

/** Bytes of a page of WebAssembly. */
const PAGE = 64 << 10;

/**
 * Memory for an engine's threads. It can grow to what they need and no further, because some browsers set all of it
 * aside at once.
 */
export function sharedMemory(hashMib: number, threads: number): WebAssembly.Memory {
  const needed = 64 * 2 ** 20 + hashMib * 2 ** 20 + threads * 2 * STACK;
  const maximum = Math.min(Math.ceil(needed / PAGE), 65536);
  return new WebAssembly.Memory({ initial: Math.ceil((16 << 20) / PAGE), maximum, shared: true });
}
