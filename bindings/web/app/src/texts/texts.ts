// Texts of the page in the language of the player.

import { set, settings } from "../settings.js";
import { en, type Texts } from "./en.js";
import { ja } from "./ja.js";

export type { Texts } from "./en.js";

/** Languages by their codes, with the name of each in itself. */
export const LANGUAGES = { en: { name: "English", texts: en }, ja: { name: "日本語", texts: ja } } as const;

export type Language = keyof typeof LANGUAGES;

const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

/** Language of the settings; without one, the first of the browser that the page has. */
export function language(): Language {
  const codes = [settings.language, ...navigator.languages.map((code) => code.split("-")[0]!)];
  return codes.find(isLanguage) ?? "en";
}

/** Texts of the current language. */
export let t: Texts = LANGUAGES[language()].texts;

const listeners: (() => void)[] = [];

/** Calls `update` after each change of the language. */
export function onLanguage(update: () => void): void {
  listeners.push(update);
}

/** Changes the language of the page, and keeps it. */
export function useLanguage(code: string): void {
  set("language", isLanguage(code) ? code : "");
  t = LANGUAGES[language()].texts;
  fillTexts();
  for (const update of listeners) update();
}

/** Names of plain texts. */
type Name = { [K in keyof Texts]: Texts[K] extends string ? K : never }[keyof Texts];

/**
 * Writes the texts of the document. `data-text` names the text of an element, `data-label`, `data-title` and
 * `data-placeholder` those of its attributes.
 */
export function fillTexts(): void {
  document.documentElement.lang = language();
  const text = (name: string | undefined) => t[name as Name];
  const fill = (key: string, apply: (element: HTMLElement, text: string) => void) => {
    for (const element of document.querySelectorAll<HTMLElement>(`[data-${key}]`)) apply(element, text(element.dataset[key]));
  };
  fill("text", (element, text) => (element.textContent = text));
  fill("label", (element, text) => element.setAttribute("aria-label", text));
  fill("title", (element, text) => (element.title = text));
  fill("placeholder", (element, text) => element.setAttribute("placeholder", text));
}
