// Board: 64 buttons in a grid, for mouse, touch, keyboard and screen reader.

import type { Position, Square } from "outflank";
import { find, make, signed } from "./dom.js";
import { squareName } from "./state.js";

/** Value on a square. */
export interface Hint {
  score: number;
  isBest: boolean;
  isExact: boolean;
}

/** Contents of the board. */
export interface View {
  /** `X`, `O` or `-` for each square. */
  squares: string;
  position?: Position;
  hints?: Map<Square, Hint>;
  /** True if legal moves are marked. */
  showsMoves: boolean;
}

const DISCS: Record<string, string> = { X: "black", O: "white" };

export class BoardView {
  readonly #cells: HTMLButtonElement[] = [];
  #focus: Square = 19;
  #shown = "";

  constructor(onChoose: (square: Square) => void) {
    const board = find("#board");
    for (let row = 0; row < 8; row++) {
      const line = make("div", "", { role: "row" });
      for (let column = 0; column < 8; column++) {
        const square = 8 * row + column;
        const cell = make("button", "", { role: "gridcell", type: "button", tabindex: "-1" });
        cell.dataset["square"] = squareName(square);
        if (row === 7) cell.dataset["column"] = "abcdefgh".charAt(column);
        if (column === 0) cell.dataset["row"] = String(row + 1);
        cell.append(make("span", "", { class: "disc" }), make("span", "", { class: "value" }));
        cell.onclick = () => {
          this.#move(square);
          onChoose(square);
        };
        this.#cells.push(cell);
        line.append(cell);
      }
      board.append(line);
    }
    this.#cells[this.#focus]!.tabIndex = 0;
    board.addEventListener("keydown", (event) => this.#key(event));
  }

  #move(square: Square): void {
    this.#cells[this.#focus]!.tabIndex = -1;
    this.#focus = square;
    this.#cells[square]!.tabIndex = 0;
    this.#cells[square]!.focus({ preventScroll: true });
  }

  #key(event: KeyboardEvent): void {
    const [row, column] = [Math.floor(this.#focus / 8), this.#focus % 8];
    const steps: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [down, right] = [row + step[0], column + step[1]];
    if (down >= 0 && down < 8 && right >= 0 && right < 8) this.#move(8 * down + right);
  }

  show({ squares, position, hints, showsMoves }: View): void {
    this.#cells.forEach((cell, square) => {
      const disc = DISCS[squares[square] ?? "-"];
      const isLegal = position?.moves.includes(square) ?? false;
      const isLast = position?.last === square;
      const hint = hints?.get(square);
      const [shape, value] = cell.children as unknown as [HTMLElement, HTMLElement];
      const was = DISCS[this.#shown[square] ?? "-"];
      const turns = was !== undefined && disc !== undefined && was !== disc;
      shape.className = `disc ${disc ?? ""}${turns ? " turns" : ""}`;
      cell.classList.toggle("legal", isLegal && showsMoves);
      cell.classList.toggle("last", isLast);
      cell.classList.toggle("best", hint?.isBest ?? false);
      cell.classList.toggle("exact", hint?.isExact ?? false);
      value.textContent = hint ? signed(hint.score) : "";
      const words = [squareName(square), disc ?? "empty"];
      if (isLast) words.push("last move");
      if (isLegal) words.push("legal move");
      if (hint) words.push(`value ${signed(hint.score)}${hint.isBest ? ", best" : ""}`);
      cell.ariaLabel = words.join(", ");
    });
    this.#shown = squares;
  }
}
