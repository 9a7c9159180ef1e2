// Board: 64 buttons in a grid, for mouse, touch, keyboard and screen reader.

import type { Ply, Position, Square } from "outflank";
import { find, make, signed } from "./dom.js";
import { settings } from "./settings.js";
import { playSound } from "./sound.js";
import { squareName } from "./state.js";
import { t } from "./texts/texts.js";

/** Value on a square. */
export interface Hint {
  score: number;
  isBest: boolean;
  isExact: boolean;
  isBook: boolean;
}

/** Contents of the board. */
export interface View {
  /** `X`, `O` or `-` for each square. */
  squares: string;
  position?: Position;
  hints?: Map<Square, Hint>;
  /** Line that arrows show. */
  line?: Ply[];
  /** Square that the player has chosen. */
  chosen?: Square;
  /** True if legal moves are marked. */
  showsMoves: boolean;
}

const DISCS: Record<string, string> = { X: "black", O: "white" };

/** Milliseconds between the turns of two discs in a line. */
const TURN_STEP_MS = 55;

/** Pixels between two points of a stroke. */
const STROKE_STEP = 8;

/** Maximum number of arrows. */
const MAX_ARROWS = 2;

export class BoardView {
  /** Cells in the order of the screen. */
  readonly #cells: HTMLButtonElement[] = [];
  readonly #board = find("#board");
  readonly #arrows: SVGSVGElement;
  /** Index of the focused cell. */
  #focus = 19;
  /** True if the focus came by a click. */
  #isClicked = false;
  #shown = "-".repeat(64);
  #view: View | undefined;
  /** Called for each square that a stroke of the pointer enters. The right button makes it `isOther`. */
  onPaint: ((square: Square, isOther: boolean, isFirst: boolean) => void) | undefined;

  /** Called with a square that the player chooses. */
  onChoose: (square: Square) => void = () => undefined;

  constructor() {
    const board = this.#board;
    for (let row = 0; row < 8; row++) {
      const line = make("div", "", { role: "row" });
      for (let column = 0; column < 8; column++) {
        const index = 8 * row + column;
        const cell = make("button", "", { role: "gridcell", type: "button", tabindex: "-1" });
        cell.append(make("span", "", { class: "disc" }), make("span", "", { class: "value" }));
        cell.onclick = () => {
          this.#isClicked = true;
          this.#move(index);
          if (!this.onPaint) this.onChoose(this.#square(index));
        };
        this.#cells.push(cell);
        line.append(cell);
      }
      board.append(line);
    }
    const marks = make("div", "", { class: "marks", "aria-hidden": "true" });
    marks.innerHTML =
      '<svg viewBox="0 0 8 8"><defs><marker id="tip" viewBox="0 0 4 4" refX="3" refY="2" markerWidth="3.4" markerHeight="3.4" orient="auto">' +
      '<path d="M0 0L4 2L0 4z"/></marker></defs>' +
      '<circle cx="2" cy="2" r=".07"/><circle cx="6" cy="2" r=".07"/><circle cx="2" cy="6" r=".07"/><circle cx="6" cy="6" r=".07"/><g></g></svg>';
    board.append(marks);
    this.#arrows = marks.querySelector("svg")!;
    this.#cells[this.#focus]!.tabIndex = 0;
    this.#label();
    board.addEventListener("keydown", (event) => this.#key(event));
    board.addEventListener("focusout", () => (this.#isClicked = false));
    this.#acceptStrokes();
  }

  /** Turns the board to the setting. */
  turn(): void {
    this.#label();
    if (!this.#view) return;
    this.#shown = "";
    this.show(this.#view);
  }

  /** Square of a cell. The setting turns the board by quarters, clockwise. */
  #square(index: number): Square {
    let [row, column] = [Math.floor(index / 8), index % 8];
    for (let turns = 0; turns < settings.turns % 4; turns++) [row, column] = [7 - column, row];
    return 8 * row + column;
  }

  /** Names the cells, and writes the letters and numbers at the edges. */
  #label(): void {
    this.#cells.forEach((cell, index) => {
      const name = squareName(this.#square(index));
      const isAcross = settings.turns % 2 === 0;
      cell.dataset["square"] = name;
      delete cell.dataset["top"];
      delete cell.dataset["left"];
      if (index < 8) cell.dataset["top"] = name[isAcross ? 0 : 1]!;
      if (index % 8 === 0) cell.dataset["left"] = name[isAcross ? 1 : 0]!;
    });
  }

  #move(index: number): void {
    this.#cells[this.#focus]!.tabIndex = -1;
    this.#focus = index;
    this.#cells[index]!.tabIndex = 0;
    this.#cells[index]!.focus({ preventScroll: true });
  }

  /** Moves the focus. After a click, left and right step through the game until an arrow up or down moves the focus. */
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
    if (step[0] === 0 && this.#isClicked) return;
    this.#isClicked = false;
    event.preventDefault();
    event.stopPropagation();
    const [down, right] = [row + step[0], column + step[1]];
    if (down >= 0 && down < 8 && right >= 0 && right < 8) this.#move(8 * down + right);
  }

  /** Passes strokes of the pointer to `onPaint`. */
  #acceptStrokes(): void {
    const board = this.#board;
    let last: Element | undefined;
    let from = { x: 0, y: 0 };
    const paint = (x: number, y: number, isOther: boolean, isFirst: boolean) => {
      const cell = document.elementFromPoint(x, y)?.closest("#board button");
      if (!cell || cell === last) return;
      last = cell;
      this.onPaint?.(this.#square(this.#cells.indexOf(cell as HTMLButtonElement)), isOther, isFirst);
    };
    board.addEventListener("pointerdown", (event) => {
      if (!this.onPaint || event.buttons > 2) return;
      board.setPointerCapture(event.pointerId);
      last = undefined;
      from = { x: event.clientX, y: event.clientY };
      paint(from.x, from.y, event.buttons === 2, true);
    });
    board.addEventListener("pointermove", (event) => {
      if (!this.onPaint || !board.hasPointerCapture(event.pointerId)) return;
      // A fast pointer leaves out squares between two events.
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy) / STROKE_STEP));
      for (let step = 1; step <= steps; step++) {
        paint(from.x + (dx * step) / steps, from.y + (dy * step) / steps, event.buttons === 2, false);
      }
      from = { x: event.clientX, y: event.clientY };
    });
    board.addEventListener("contextmenu", (event) => {
      if (this.onPaint) event.preventDefault();
    });
    // Enter and the space bar click without a pointer.
    board.addEventListener("click", (event) => {
      const cell = (event.target as Element).closest("#board button");
      if (this.onPaint && event.detail === 0 && cell) {
        this.onPaint(this.#square(this.#cells.indexOf(cell as HTMLButtonElement)), false, true);
      }
    });
  }

  show(view: View): void {
    const { squares, position, hints, line, chosen, showsMoves } = view;
    this.#view = view;
    const hasChanged = squares.slice(0, 64) !== this.#shown;
    const delays = hasChanged ? this.#delays(squares, position) : undefined;
    this.#cells.forEach((cell, index) => {
      const square = this.#square(index);
      const disc = DISCS[squares[square] ?? "-"];
      const isLegal = position?.moves.includes(square) ?? false;
      const isLast = position?.last === square;
      const hint = hints?.get(square);
      const [shape, value] = cell.children as unknown as [HTMLElement, HTMLElement];
      if (delays) {
        const delay = delays.get(square);
        shape.className = `disc ${disc ?? ""}${delay === undefined ? "" : " turns"}`;
        shape.style.animationDelay = `${delay ?? 0}ms`;
      }
      cell.classList.toggle("legal", isLegal && showsMoves);
      cell.classList.toggle("last", isLast);
      cell.classList.toggle("chosen", square === chosen);
      cell.classList.toggle("best", hint?.isBest ?? false);
      cell.classList.toggle("exact", hint?.isExact ?? false);
      cell.classList.toggle("book", hint?.isBook ?? false);
      value.textContent = hint ? signed(hint.score) : "";
      const words = [squareName(square), disc ? t.sideName(disc as "black") : t.squareEmpty];
      if (isLast) words.push(t.squareLast);
      if (isLegal && showsMoves) words.push(t.squareLegal);
      if (square === chosen) words.push(t.squareChosen);
      if (hint) words.push(t.squareValue(signed(hint.score), hint.isBest, hint.isBook));
      cell.ariaLabel = words.join(", ");
    });
    this.#drawArrows(line ?? []);
    this.#shown = squares.slice(0, 64);
  }

  /**
   * Milliseconds before each disc that a move turns, the nearest to the move first. Without a move, as after a step
   * back, all turn at once.
   */
  #delays(squares: string, position: Position | undefined): Map<Square, number> {
    const turned = [...this.#shown].flatMap((was, square) =>
      was !== "-" && squares[square] !== "-" && was !== squares[square] ? [square] : [],
    );
    const last = position?.last ?? -1;
    const isMove = last >= 0 && this.#shown[last] === "-";
    if (isMove) playSound(turned.length);
    const distance = (square: Square) =>
      Math.max(Math.abs(Math.floor(square / 8) - Math.floor(last / 8)), Math.abs((square % 8) - (last % 8)));
    const isSlow = isMove && settings.animation;
    return new Map(turned.map((square) => [square, isSlow ? distance(square) * TURN_STEP_MS : 0]));
  }

  #drawArrows(line: Ply[]): void {
    const indices = new Map(this.#cells.map((_, index) => [this.#square(index), index]));
    const centre = (square: Square): [number, number] => {
      const index = indices.get(square)!;
      return [(index % 8) + 0.5, Math.floor(index / 8) + 0.5];
    };
    const moves = line.filter((ply) => ply >= 0).slice(0, MAX_ARROWS + 1);
    const arrows = moves.slice(1).map((to, index) => {
      const [[x1, y1], [x2, y2]] = [centre(moves[index]!), centre(to)];
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [((x2 - x1) / length) * 0.3, ((y2 - y1) / length) * 0.3];
      const ends = [x1 + dx, y1 + dy, x2 - dx, y2 - dy].map((end) => end.toFixed(2));
      return `<path class="arrow" d="M${ends[0]} ${ends[1]}L${ends[2]} ${ends[3]}" marker-end="url(#tip)"/>`;
    });
    this.#arrows.querySelector("g")!.innerHTML = arrows.join("");
  }
}
