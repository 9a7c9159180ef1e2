// Settings of the player, kept in the browser.

import { fail } from "./messages.js";

export interface Settings {
  theme: "auto" | "light" | "dark";
  human: "black" | "white" | "both" | "none";
  strength: "level" | "time" | "skill";
  level: number;
  seconds: number;
  /** Name of the skill of a weaker opponent. */
  skill: string;
  analysisLevel: number;
  /** Number of threads of each engine; 0 means the default for this processor. */
  threads: number;
  hints: boolean;
}

const USUAL: Settings = {
  theme: "auto",
  human: "black",
  strength: "level",
  level: 10,
  seconds: 2,
  skill: "casual",
  analysisLevel: 12,
  threads: 0,
  hints: false,
};

const KEY = "outflank";

/** Reads the settings. Values of a wrong type are ignored: another version may have written them. */
function read(): Settings {
  const settings: Record<string, unknown> = { ...USUAL };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const [name, value] of Object.entries(kept ?? {})) {
      if (typeof value === typeof settings[name]) settings[name] = value;
    }
  } catch {
    // Storage is blocked or damaged: the defaults hold.
  }
  return settings as unknown as Settings;
}

export const settings: Settings = read();

let hasWarned = false;

/** Changes a setting. A setting that the browser cannot store lasts until the page is closed. */
export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch (failure) {
    if (!hasWarned) fail("Settings are not kept, because the browser's storage is full or blocked", failure);
    hasWarned = true;
  }
}

/** Applies the theme to the page. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = settings.theme;
}
