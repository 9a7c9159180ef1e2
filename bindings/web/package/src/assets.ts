// Files that the page fetches: the module, the weights and the opening book. Workers get the first two from the page.

import type { Build } from "./types.js";

function moduleUrl(build: Build): URL {
  switch (build) {
    case "simd128":
      return new URL("../wasm/simd128/outflank_web_bg.wasm", import.meta.url);
    case "portable":
      return new URL("../wasm/portable/outflank_web_bg.wasm", import.meta.url);
    case "simd128-threads":
      return new URL("../wasm/simd128-threads/outflank_web_bg.wasm", import.meta.url);
  }
}

function weightsUrl(): URL {
  return new URL("../wasm/outflank.weights.gz", import.meta.url);
}

function bookUrl(): URL {
  return new URL("../wasm/outflank.book.gz", import.meta.url);
}

async function fetchChecked(url: URL): Promise<Response> {
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

export async function fetchModule(build: Build): Promise<WebAssembly.Module> {
  const response = await fetchChecked(moduleUrl(build));
  // The module is compiled while it loads, if the server sends it as application/wasm.
  return response.headers.get("Content-Type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

export const fetchWeights = (): Promise<Uint8Array> => fetchPacked(weightsUrl());

export const fetchBook = (): Promise<Uint8Array> => fetchPacked(bookUrl());

/** Fetches a file that is compressed by gzip. */
async function fetchPacked(url: URL): Promise<Uint8Array> {
  const bytes = new Uint8Array(await (await fetchChecked(url)).arrayBuffer());
  // Servers that declare the file as compressed make the browser unpack it.
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isPacked) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
