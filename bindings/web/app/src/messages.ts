// Messages to the player, such as errors and their place.

import { find } from "./dom.js";

const SHOWN_MS = 12_000;

/** Shows a message for some seconds, or until it is dismissed. Screen readers read it at once. */
export function say(text: string, kind: "info" | "error" = "info"): void {
  const message = document.createElement("div");
  message.className = `message ${kind}`;
  const words = document.createElement("span");
  words.textContent = text;
  const dismiss = document.createElement("button");
  dismiss.textContent = "✕";
  dismiss.ariaLabel = "Dismiss";
  dismiss.onclick = () => message.remove();
  message.append(words, dismiss);
  const messages = find("#messages");
  while (messages.childElementCount >= 3) messages.firstElementChild?.remove();
  messages.append(message);
  setTimeout(() => message.remove(), SHOWN_MS);
}

/** Shows the message of a failure. The page goes on. */
export function fail(what: string, failure: unknown): void {
  say(`${what}: ${failure instanceof Error ? failure.message : String(failure)}`, "error");
}
