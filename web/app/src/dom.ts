// Small helpers around the document.

/** The element of a selector, which the page has. */
export function find<E extends Element = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}

export const input = (selector: string): HTMLInputElement => find<HTMLInputElement>(selector);
export const select = (selector: string): HTMLSelectElement => find<HTMLSelectElement>(selector);
export const button = (selector: string): HTMLButtonElement => find<HTMLButtonElement>(selector);

/** An element with a text and attributes. */
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

/** Puts other children into an element; the one with the same `data-key` keeps the focus. */
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

/** A score with its sign. */
export function signed(score: number): string {
  return score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0";
}
