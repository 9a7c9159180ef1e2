// Setup of any position.

import type { Outflank, Square } from "outflank";
import { button, find, input } from "./dom.js";
import { fail } from "./messages.js";
import type { State } from "./state.js";

const EMPTY = "-".repeat(64);

export class Setup {
  squares = EMPTY;
  isOpen = false;

  constructor(
    outflank: Outflank,
    state: State,
    private readonly render: () => void,
  ) {
    const put = (squares: string) => {
      this.squares = squares;
      this.#changed();
    };
    button("#setup-empty").onclick = () => put(EMPTY);
    button("#setup-start").onclick = () => put(outflank.newGame().position().text.slice(0, 64));
    find("#panel-setup").addEventListener("change", (event) => {
      if ((event.target as HTMLElement).matches("[name=mover]")) this.#changed();
    });
    button("#setup-use").onclick = () => {
      try {
        state.begin(outflank.newGame(input("#setup-text").value.trim()));
      } catch (failure) {
        fail("There is no such position", failure);
      }
    };
    const text = input("#setup-text");
    text.onchange = () => {
      try {
        const { text: position } = outflank.newGame(text.value.trim()).position();
        this.open(position);
      } catch (failure) {
        fail("This line is no position", failure);
      }
    };
  }

  /** Opens the setup with a position. */
  open(position: string): void {
    this.isOpen = true;
    this.squares = position.slice(0, 64);
    find<HTMLInputElement>(`[name=mover][value="${position.slice(-1)}"]`).checked = true;
    this.#changed();
  }

  /** Sets a square to the contents of the brush, or empties it if it has them already. */
  paint(square: Square): void {
    const brush = find<HTMLInputElement>("[name=brush]:checked").value;
    const shown = this.squares[square] === brush ? "-" : brush;
    this.squares = this.squares.slice(0, square) + shown + this.squares.slice(square + 1);
    this.#changed();
  }

  #changed(): void {
    const mover = find<HTMLInputElement>("[name=mover]:checked").value;
    input("#setup-text").value = `${this.squares} ${mover}`;
    this.render();
  }
}
