// Loading of the WebAssembly module: once per page, and again in each worker from the same compiled module.

import type { Build } from "./types.js";

/** JavaScript that wasm-bindgen generates from bindings/web/core. @internal */
export type Glue = typeof import("../wasm/simd128/outflank_web.js");

/** Returns `true` if this browser has the fixed-width vectors of WebAssembly. */
export function hasSimd(): boolean {
  // (module (func (result v128) i32.const 0 i8x16.splat))
  return WebAssembly.validate(
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
    ]),
  );
}

function loadGlue(build: Build): Promise<Glue> {
  // All modules have the same interface.
  switch (build) {
    case "simd128":
      return import("../wasm/simd128/outflank_web.js");
    case "portable":
      return import("../wasm/portable/outflank_web.js") as Promise<unknown> as Promise<Glue>;
    case "simd128-threads":
      return import("../wasm/simd128-threads/outflank_web.js") as Promise<unknown> as Promise<Glue>;
  }
}

/** Stack of each thread in bytes, as in bindings/web/core/build.rs. */
const STACK_SIZE = 4 << 20;

/** Instantiates the module in this thread; with several threads, in their shared memory. @internal */
export async function instantiate(
  build: Build,
  module: WebAssembly.Module,
  memory?: WebAssembly.Memory,
): Promise<Glue> {
  const glue = await loadGlue(build);
  const init = memory ? { module, memory, thread_stack_size: STACK_SIZE } : { module };
  glue.initSync(init);
  return glue;
}

/** Bytes of a page of WebAssembly memory. */
const PAGE_SIZE = 64 << 10;

/**
 * Makes the shared memory of an engine's threads. Its maximum is what they need, because some browsers reserve all of
 * it at once.
 */
export function sharedMemory(hashMib: number, threads: number): WebAssembly.Memory {
  const needed = 64 * 2 ** 20 + hashMib * 2 ** 20 + threads * 2 * STACK_SIZE;
  const maximum = Math.min(Math.ceil(needed / PAGE_SIZE), 65536);
  return new WebAssembly.Memory({ initial: Math.ceil((16 << 20) / PAGE_SIZE), maximum, shared: true });
}
