// Messages to the player, such as errors and their place, one at a time in a line below the page.

import { find, make } from "./dom.js";
import { t } from "./texts/texts.js";

/** Milliseconds that messages are shown, by their kind. One of a moment ends with the position that it is about. */
const SHOWN_MS = { moment: 6_000, info: 6_000, error: 12_000 };

type Kind = keyof typeof SHOWN_MS;

let due: ReturnType<typeof setTimeout> | undefined;
let shown: Kind | undefined;

/** Shows a message for some seconds, or until it is dismissed or another one comes. Screen readers read it at once. */
export function say(text: string, kind: Kind = "info"): void {
  const message = make("div", "", { class: `message ${kind}` });
  const dismiss = make("button", "✕", { "aria-label": t.dismiss });
  dismiss.onclick = dismissMessage;
  message.append(make("span", text), dismiss);
  const messages = find("#messages");
  messages.replaceChildren(message);
  // Shown again, it lies above an open dialog.
  messages.hidePopover();
  messages.showPopover();
  shown = kind;
  clearTimeout(due);
  due = setTimeout(dismissMessage, SHOWN_MS[kind]);
}

/** Removes the message. */
export function dismissMessage(): void {
  find("#messages").replaceChildren();
  find("#messages").hidePopover();
  shown = undefined;
}

/** Removes a message of the moment. */
export function endMoment(): void {
  if (shown === "moment") dismissMessage();
}

/** Shows the message of a failure. The page goes on. */
export function fail(what: string, failure: unknown): void {
  say(`${what}: ${t.fault(failure instanceof Error ? failure.message : String(failure))}`, "error");
}
