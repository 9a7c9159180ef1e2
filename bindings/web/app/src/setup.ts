// Setup of any position.

import type { Game, Outflank, Square } from "outflank";
import { button, find, input } from "./dom.js";
import { fail } from "./messages.js";
import { t } from "./texts/texts.js";

const EMPTY = "-".repeat(64);

export class Setup {
  squares = EMPTY;
  isOpen = false;
  /** Contents that the stroke under way puts on its squares. */
  #stroke = "X";
  /** Position of the game when the setup was last opened. An unfinished setup is kept while the game stays there. */
  #openedAt = "";

  constructor(
    outflank: Outflank,
    begin: (game: Game) => void,
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
        begin(outflank.newGame(input("#setup-text").value.trim()));
        this.#openedAt = "";
      } catch (failure) {
        fail(t.noSuchPosition, failure);
      }
    };
    const text = input("#setup-text");
    text.onchange = () => {
      try {
        const { text: position } = outflank.newGame(text.value.normalize("NFKC").trim()).position();
        this.#show(position);
      } catch (failure) {
        fail(t.noPosition, failure);
        this.#changed();
      }
    };
  }

  /** Opens the setup with a position of the game. */
  open(position: string): void {
    this.isOpen = true;
    const isKept = this.#openedAt === position;
    this.#openedAt = position;
    if (isKept) this.#changed();
    else this.#show(position);
  }

  #show(position: string): void {
    this.squares = position.slice(0, 64);
    find<HTMLInputElement>(`[name=mover][value="${position.slice(-1)}"]`).checked = true;
    this.#changed();
  }

  /**
   * Sets a square to the contents of the brush, or to the other colour. The first square of a stroke is emptied if it has
   * them already, and so are all others of the stroke.
   */
  paint(square: Square, isOther: boolean, isFirst: boolean): void {
    if (isFirst) {
      const brush = find<HTMLInputElement>("[name=brush]:checked").value;
      const wanted = isOther ? (brush === "X" ? "O" : "X") : brush;
      this.#stroke = this.squares[square] === wanted ? "-" : wanted;
    }
    this.squares = this.squares.slice(0, square) + this.#stroke + this.squares.slice(square + 1);
    this.#changed();
  }

  #changed(): void {
    const mover = find<HTMLInputElement>("[name=mover]:checked").value;
    input("#setup-text").value = `${this.squares} ${mover}`;
    this.render();
  }
}
