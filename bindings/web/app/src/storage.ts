// Lists that the browser keeps: saved games, and positions to practise.

import { fail } from "./messages.js";
import { t } from "./texts/texts.js";

/** List of values under a name of the browser's storage. Other tabs of the page may change it, too. */
export class StoredList<T> {
  /** Values that the browser cannot store. They last until the page is closed. */
  #unstored: readonly T[] | undefined;

  /** `isValid` tells values of this kind from others, which another version may have written. */
  constructor(
    private readonly key: string,
    private readonly isValid: (value: unknown) => value is T,
  ) {}

  /** Values, the oldest first. Others are left out. */
  get values(): readonly T[] {
    return this.#unstored ?? this.validOf(this.#stored());
  }

  /**
   * Changes the values; others under the name stay. Returns `false`, and tells the player, if the browser cannot store
   * the new ones.
   */
  change(changed: (values: readonly T[]) => readonly T[]): boolean {
    const others = this.#stored().filter((value) => !this.isValid(value));
    const values = changed(this.values);
    try {
      localStorage.setItem(this.key, JSON.stringify([...others, ...values]));
      this.#unstored = undefined;
      return true;
    } catch (failure) {
      this.#unstored = values;
      fail(t.notStored, failure);
      return false;
    }
  }

  /** Returns the valid values of a parsed list. */
  validOf(parsed: unknown): T[] {
    return Array.isArray(parsed) ? parsed.filter(this.isValid) : [];
  }

  #stored(): unknown[] {
    try {
      const parsed: unknown = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      return Array.isArray(parsed) ? parsed : [];
    } catch {
      // Storage is blocked or damaged: the list is empty.
      return [];
    }
  }
}

/** Returns `true` if a value is an object with these kinds of fields. */
export function hasFields(value: unknown, fields: Record<string, "string" | "number">): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(fields).every(([name, kind]) => typeof (value as Record<string, unknown>)[name] === kind);
}
