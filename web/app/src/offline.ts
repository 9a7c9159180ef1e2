// The service worker, which keeps the page for use without a network.

import type { Isa } from "outflank";

/** Registers it, where there is one: not while the page is developed. It keeps the module of this level. */
export function keepOffline(isa: Isa): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Blocked, or no secure address: the page works as long as there is a network.
  navigator.serviceWorker.register(`service-worker.js?isa=${isa}`).catch(() => undefined);
}
