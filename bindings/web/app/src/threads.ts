// Choice of the number of threads of an engine.

import type { Outflank } from "outflank";
import { find, make, select } from "./dom.js";
import { set, settings } from "./settings.js";
import { onLanguage, t } from "./texts/texts.js";

/** Maximum of the default number of threads. More are rarely free in a browser. */
const MAX_USUAL = 8;
const MAX = 64;

const available = () => Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), MAX);
const usual = () => Math.min(available(), MAX_USUAL);
/** Clamps the kept setting: it may come from another device. */
const kept = () => Math.min(Math.max(Math.floor(settings.threads), 0), MAX);

/** Number of threads that the player has chosen, or the default. */
export function chosenThreads(): number {
  return kept() || usual();
}

/** Fills the choice of the number of threads: the options `first`, then numbers up to `most`. */
export function offerThreads(outflank: Outflank, first: HTMLOptionElement[], most = available()): HTMLSelectElement {
  find("#threads-label").hidden = !outflank.hasThreads;
  const counts = [1, 2, 4, 8, 16, 32].filter((count) => count < most);
  const choice = select("#threads");
  choice.replaceChildren(
    ...first,
    ...[...counts, most].map((count) => make("option", String(count), { value: String(count) })),
  );
  return choice;
}

let change = (): void => undefined;

/** Fills the choice of the player, and calls `onChange` after each change. */
export function setUpThreads(outflank: Outflank, onChange: () => void): void {
  const asUsual = make("option", t.threadsUsual(usual()), { value: "0" });
  onLanguage(() => (asUsual.textContent = t.threadsUsual(usual())));
  offerThreads(outflank, [asUsual], Math.max(available(), kept()));
  change = onChange;
  showThreads();
}

/** Shows the kept choice. */
export function showThreads(): void {
  select("#threads").value = String(kept());
}

/** Keeps the choice shown. */
export function keepThreads(): void {
  const count = Number(select("#threads").value);
  if (count === kept()) return;
  set("threads", count);
  change();
}
