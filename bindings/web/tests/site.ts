// Server of static files, for tests that build their own pages.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

export interface Site {
  base: string;
  close(): void;
}

/**
 * Serves the folder that `root` returns, evaluated at each request. An isolated site has the headers for shared memory.
 */
export async function serve(root: () => string, { isolated = false } = {}): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    const path = pathname === "/" ? "/index.html" : pathname;
    try {
      const contents = readFileSync(join(root(), path));
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
      if (isolated) {
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
      }
      response.end(contents);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  return { base: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
