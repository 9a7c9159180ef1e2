// Settings of the player, kept in the browser.

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
  /** True if the bar and the graph of the score are shown. */
  evaluation: boolean;
  /** True if the engine plays by its opening book. */
  book: boolean;
  /** Code of the language; empty for that of the browser. */
  language: string;
  /** Quarter turns of the board, clockwise. */
  turns: number;
  /** True if discs turn one after another. */
  animation: boolean;
  sounds: boolean;
  clocks: boolean;
  /** Empty squares of the random positions to practise. */
  practiceEmpties: number;
}

const USUAL: Settings = {
  theme: "auto",
  human: "black",
  strength: "skill",
  level: 10,
  seconds: 2,
  skill: "casual",
  analysisLevel: 12,
  threads: 0,
  hints: false,
  evaluation: false,
  book: true,
  language: "",
  turns: 0,
  animation: true,
  sounds: false,
  clocks: false,
  practiceEmpties: 16,
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
let warn: (failure: unknown) => void = () => undefined;

/** Calls `handler` when the browser first fails to store a setting. */
export function onStoreFailure(handler: (failure: unknown) => void): void {
  warn = handler;
}

/** Changes a setting. A setting that the browser cannot store lasts until the page is closed. */
export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings[name] = value;
  try {
    // Another tab may have changed other settings.
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [name]: value }));
  } catch (failure) {
    if (!hasWarned) warn(failure);
    hasWarned = true;
  }
}

/** Applies the theme to the page. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = settings.theme;
}
