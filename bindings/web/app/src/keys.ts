// Keys of the page, and the list of them.

import { button, find, make } from "./dom.js";
import { t } from "./texts/texts.js";

/** Keys with the buttons that they press. */
const KEYS: Record<string, string> = {
  Home: "first",
  PageUp: "back",
  ArrowLeft: "back",
  PageDown: "forward",
  ArrowRight: "forward",
  End: "last",
  u: "undo",
  r: "redo",
  h: "hints",
  s: "evaluation",
  p: "pass",
  m: "next-mistake",
  n: "new",
  "?": "keys",
};

/** Buttons in panels that may be closed. Their keys work all the same. */
const ANYWHERE = ["new", "next-mistake"];

/** Lets keys press the buttons of the page. `isOff` tells which buttons do nothing now. */
export function setUpKeys(isOff: (button: string) => boolean): void {
  const dialog = find<HTMLDialogElement>("#keys-dialog");
  button("#keys").onclick = () => {
    const rows = t.keyList.flatMap(([keys, what]) => [make("dt", keys), make("dd", what)]);
    find("#key-list").replaceChildren(...rows);
    dialog.showModal();
  };
  button("#keys-close").onclick = () => dialog.close();
  addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    const focused = event.target as Element;
    const isTyping = focused.matches("input, textarea, select, [role=tab]");
    // Screen readers and voice control may use letters for something else.
    const isElsewhere = event.key.length === 1 && focused !== document.body && !focused.closest(".table, .buttons");
    const isModal = document.querySelector("dialog[open]") !== null;
    if (name === undefined || isTyping || isElsewhere || isModal || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = button(`#${name}`);
    if (target.disabled || isOff(name) || !(target.checkVisibility() || ANYWHERE.includes(name))) return;
    event.preventDefault();
    target.click();
  });
}
