// Keeps the page for use without a network, and gives it the headers with which it may share memory.
// The build writes VERSION and FILES above this.

const CACHE = `outflank-${VERSION}`;

/** A browser needs one of the two modules; the page names it. */
const SPARE = new URL(self.location.href).searchParams.get("isa") === "portable" ? "simd128" : "portable";

// A new version waits until the last page of the old one is closed: that page may still need its files.
self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(CACHE);
    const files = FILES.filter((file) => !file.startsWith(`assets/${SPARE}-`));
    // Assets have their version in their names: what the page has loaded already is not loaded again.
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
  // A redirect: the browser follows it.
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
