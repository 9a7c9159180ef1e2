// Small helpers for the document.

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

/** Offers a text as a file to save. */
export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", "", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Formats a count with its noun. */
export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Formats a score with its sign. */
export function signed(score: number): string {
  return score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0";
}
