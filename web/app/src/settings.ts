// What the player chose, kept in the browser.

import { fail } from "./messages.js";

export interface Settings {
  theme: "auto" | "light" | "dark";
  human: "black" | "white" | "both" | "none";
  strength: "level" | "time";
  level: number;
  seconds: number;
  analysisLevel: number;
  /** Of each engine; 0 for as many as the processor runs at once. */
  threads: number;
  hints: boolean;
}

const USUAL: Settings = {
  theme: "auto",
  human: "black",
  strength: "level",
  level: 10,
  seconds: 2,
  analysisLevel: 12,
  threads: 0,
  hints: false,
};

const KEY = "outflank";

/** Only what has the type of a setting is taken: another version may have written it. */
function read(): Settings {
  const settings: Record<string, unknown> = { ...USUAL };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const [name, value] of Object.entries(kept ?? {})) {
      if (typeof value === typeof settings[name]) settings[name] = value;
    }
  } catch {
    // Blocked or damaged: the usual ones hold.
  }
  return settings as unknown as Settings;
}

export const settings: Settings = read();

let told = false;

/** Changes a setting. Where the browser keeps nothing, it holds until the page is left. */
export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch (failure) {
    if (!told) fail("Settings are not kept, because the browser's storage is full or blocked", failure);
    told = true;
  }
}

/** Shows the theme. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = settings.theme;
}
