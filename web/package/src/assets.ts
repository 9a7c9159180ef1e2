// The files that the page fetches: the module and the weights. Workers get both from the page.

import type { Isa } from "./types.js";

function moduleUrl(isa: Isa): URL {
  return isa === "simd128"
    ? new URL("../wasm/simd128/outflank_web_bg.wasm", import.meta.url)
    : new URL("../wasm/portable/outflank_web_bg.wasm", import.meta.url);
}

function weightsUrl(): URL {
  return new URL("../wasm/outflank.weights", import.meta.url);
}

async function fetched(url: URL): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new Error(`${url.pathname} cannot be loaded: the server does not answer`, { cause });
  }
  if (!response.ok) {
    throw new Error(`${url.pathname} cannot be loaded: the server answers ${response.status}`);
  }
  return response;
}

export async function fetchModule(isa: Isa): Promise<WebAssembly.Module> {
  const response = await fetched(moduleUrl(isa));
  // Compiled while it arrives, unless the server calls it something else than application/wasm.
  return response.headers.get("Content-Type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

export async function fetchWeights(): Promise<Uint8Array> {
  return new Uint8Array(await (await fetched(weightsUrl())).arrayBuffer());
}
