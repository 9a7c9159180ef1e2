// Start of a page: loading of the engine, and registration of the service worker.

import { load, type Isa, type Outflank } from "outflank";
import { find } from "./dom.js";
import { fail } from "./messages.js";
import { t } from "./texts/texts.js";

/** Loads the engine and sets up the page with it. A failure is shown on the page. */
export async function begin(setUp: (outflank: Outflank) => void): Promise<void> {
  try {
    const outflank = await load();
    setUp(outflank);
    document.documentElement.dataset["ready"] = "true";
    performance.mark("ready");
    keepOffline(outflank.isa);
  } catch (failure) {
    find("#status").dataset["text"] = "noEngine";
    find("#status").textContent = t.noEngine;
    fail(t.noEngine, failure);
  }
}

/** Registers the service worker, which keeps the page and the module of this level for use without a network. */
function keepOffline(isa: Isa): void {
  // The server of a page under development has no service worker.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // It may be blocked, or the address not secure: the page then needs a network.
  navigator.serviceWorker.register(`service-worker.js?isa=${isa}`).catch(() => undefined);
}
