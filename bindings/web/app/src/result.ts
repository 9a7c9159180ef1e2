// Dialog at the end of a game.

import type { Position } from "outflank";
import { button, find } from "./dom.js";
import { ownSide } from "./start.js";
import { t } from "./texts/texts.js";

/** Next actions that the player can choose. */
export interface Actions {
  rematch: () => void;
  /** Another game with the colours changed. */
  rematchSwapped: () => void;
  seeMistakes: () => void;
}

export class ResultDialog {
  readonly #dialog = find<HTMLDialogElement>("#result-dialog");

  constructor({ rematch, rematchSwapped, seeMistakes }: Actions) {
    const choices = { rematch, swapped: rematchSwapped, mistakes: seeMistakes, close: () => undefined };
    for (const [name, action] of Object.entries(choices)) {
      button(`#result-${name}`).onclick = () => {
        this.#dialog.close();
        action();
      };
    }
  }

  /** Shows the result of a finished game. */
  show({ score = 0, black, white }: Position): void {
    find("#result-text").textContent = resultText(score);
    find("#result-counts").textContent = t.counts(black, white) + (black + white < 64 ? t.emptyToWinner : "");
    button("#result-swapped").hidden = ownSide() === undefined;
    if (!this.#dialog.open) this.#dialog.showModal();
  }
}

function resultText(score: number): string {
  if (score === 0) return t.draw;
  const [winner, discs] = [score > 0 ? "black" : "white", Math.abs(score)] as const;
  const own = ownSide();
  if (own === undefined) return t.sideWins(winner, discs);
  return own === winner ? t.youWin(discs) : t.youLose(discs);
}
