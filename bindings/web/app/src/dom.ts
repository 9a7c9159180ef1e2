// Small helpers for the document.

import { say } from "./messages.js";
import { set, settings, type Settings } from "./settings.js";
import { t } from "./texts/texts.js";

/** Returns the element of a selector. The page must have it. */
export function find<E extends Element = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}

export const input = (selector: string): HTMLInputElement => find<HTMLInputElement>(selector);
export const select = (selector: string): HTMLSelectElement => find<HTMLSelectElement>(selector);
export const button = (selector: string): HTMLButtonElement => find<HTMLButtonElement>(selector);

/** Makes an element with a text and attributes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text = "",
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Replaces the children of an element. A child with the same `data-key` keeps the focus. */
export function refill(parent: HTMLElement, children: HTMLElement[]): void {
  const focused = document.activeElement as HTMLElement | null;
  const key = parent.contains(focused) ? focused?.dataset["key"] : undefined;
  parent.replaceChildren(...children);
  if (key) parent.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus({ preventScroll: true });
}

/** Names of settings that are numbers. */
type NumberName = { [K in keyof Settings]: Settings[K] extends number ? K : never }[keyof Settings];

/** Shows a setting in a field, and keeps what the player enters. `expected` tells what is possible. */
export function keepNumber(id: string, name: NumberName, expected: () => string): void {
  const field = input(`#${id}`);
  field.value = String(settings[name]);
  field.onchange = () => {
    if (field.checkValidity() && field.value !== "") set(name, field.valueAsNumber);
    else {
      say(t.wrongValue(field.value, expected()), "error");
      field.value = String(settings[name]);
    }
  };
}

/** Scrolls to the board, if it is out of view as on a phone. */
export function showBoard(): void {
  find("#board").scrollIntoView({ block: "nearest" });
}

/** Offers a file to save. */
export function save(name: string, contents: Blob): void {
  const url = URL.createObjectURL(contents);
  const link = make("a", "", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Formats the score of a finished game as the discs of both sides, in which empty squares are the winner's: `40–24`. */
export function discsText(score: number): string {
  return `${32 + score / 2}–${32 - score / 2}`;
}

/** Formats a score with its sign. */
export function signed(score: number): string {
  return score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0";
}
