// Registration of the service worker, which keeps the page for use without a network.

import type { Isa } from "outflank";

/** Registers the service worker, except during development. It keeps the module of this level. */
export function keepOffline(isa: Isa): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // It may be blocked, or the address not secure: the page then needs a network.
  navigator.serviceWorker.register(`service-worker.js?isa=${isa}`).catch(() => undefined);
}
