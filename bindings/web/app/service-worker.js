// Keeps the page for use without a network, and adds the headers that allow shared memory. The build writes VERSION and
// FILES above this.

const CACHE = `outflank-${VERSION}`;

/** Module that this browser does not need. The page names the one that it needs. */
const SPARE = new URL(self.location.href).searchParams.get("isa") === "portable" ? "simd128" : "portable";

// A new version waits until the last page of the old one is closed: that page may still need its files.
self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(CACHE);
    const files = FILES.filter((file) => !file.startsWith(`assets/${SPARE}-`));
    // Names of assets contain a hash, so the browser's cache is valid for them.
    const kept = (file) => new Request(file, { cache: file.startsWith("assets/") ? "default" : "reload" });
    await cache.addAll(files.map(kept));
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("outflank-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
  const response = found ?? (await fetch(request));
  // A redirect is passed on: the browser follows it.
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === self.location.origin) event.respondWith(answer(event.request));
});
