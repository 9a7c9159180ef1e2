// Loading the WebAssembly module: once per page, and again in each worker from the same compiled module.

import type { Isa } from "./types.js";

/** What wasm-bindgen makes of web/core. */
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

function loadGlue(isa: Isa): Promise<Glue> {
  // Both come from the same sources; only the code differs.
  return isa === "simd128"
    ? import("../wasm/simd128/outflank_web.js")
    : (import("../wasm/portable/outflank_web.js") as Promise<unknown> as Promise<Glue>);
}

/** The module's interface, running in this thread. */
export async function instantiate(isa: Isa, module: WebAssembly.Module): Promise<Glue> {
  const glue = await loadGlue(isa);
  glue.initSync({ module });
  return glue;
}
