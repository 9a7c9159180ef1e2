// Graph of the score along a game, black's side up.

import { make, signed } from "./dom.js";

/** Score after a move. */
export interface Point {
  /** Number of the move, from 1. */
  number: number;
  /** Discs for black. */
  score: number;
  /** Text for the pointer. */
  text: string;
  /** Disc of a mistake: its side, and its kind as a class. */
  mark?: { side: string; kind: string };
}

const [WIDTH, HEIGHT, LEFT, TOP] = [640, 200, 34, 12];

/** Graph in an element. It keeps its readout while the scores change. */
export class ScoreGraph {
  readonly #picture = make("div");
  readonly #readout = make("output", "", { class: "readout" });
  #points: Point[] = [];
  #moves = 10;

  /** Calls `choose` with the number of a move that the player chooses. */
  constructor(
    private readonly parent: HTMLElement,
    private readonly choose: (number: number) => void,
  ) {
    parent.append(this.#picture, this.#readout);
    this.#picture.onclick = (event) => this.choose(this.#numberAt(event));
    this.#picture.onpointermove = (event) => {
      const number = this.#numberAt(event);
      this.#readout.textContent = this.#points.find((point) => point.number === number)?.text ?? "";
    };
    this.#picture.onpointerleave = () => (this.#readout.textContent = "");
  }

  #x(number: number): number {
    return LEFT + ((number - 0.5) / this.#moves) * (WIDTH - LEFT - 8);
  }

  #numberAt(event: MouseEvent): number {
    const area = this.#picture.getBoundingClientRect();
    const x = ((event.clientX - area.left) / area.width) * WIDTH;
    const number = Math.round(((x - LEFT) / (WIDTH - LEFT - 8)) * this.#moves + 0.5);
    return Math.min(Math.max(number, 1), this.#points.at(-1)?.number ?? 1);
  }

  /** Draws points in the order of their numbers. A line is at move `now`. Without points the graph is hidden. */
  show(points: Point[], now: number, label: string): void {
    this.#points = points;
    this.parent.hidden = points.length === 0;
    if (points.length === 0) {
      this.#picture.replaceChildren();
      return;
    }
    this.#moves = Math.max(points.at(-1)!.number, 10);
    const most = Math.max(8, ...points.map(({ score }) => Math.abs(score))) * 1.15;
    const y = (score: number) => (TOP + (1 - (score / most + 1) / 2) * (HEIGHT - 2 * TOP)).toFixed(1);
    const step = (WIDTH - LEFT - 8) / this.#moves / 2;
    const path = points.map(({ number, score }, index) => {
      const follows = points[index - 1]?.number === number - 1;
      return `${follows ? "L" : "M"}${(this.#x(number) - step).toFixed(1)} ${y(score)}H${(this.#x(number) + step).toFixed(1)}`;
    });
    const discs = points.flatMap(({ number, score, mark }) =>
      mark ? [`<circle class="${mark.side} ${mark.kind}" cx="${this.#x(number).toFixed(1)}" cy="${y(score)}" r="5"/>`] : [],
    );
    const round = most > 48 ? 32 : most > 24 ? 16 : most > 12 ? 8 : 4;
    const lines = [-3, -2, -1, 0, 1, 2, 3].map((k) => k * round).filter((score) => Math.abs(score) < most);
    const ticks = lines.map(
      (score) =>
        `<path class="${score === 0 ? "zero" : "tick"}" d="M${LEFT} ${y(score)}H${WIDTH - 8}"/>` +
        `<text x="${LEFT - 6}" y="${(Number(y(score)) + 4).toFixed(1)}">${signed(score)}</text>`,
    );
    const cursor = now > 0 ? `<path class="now" d="M${this.#x(now).toFixed(1)} ${TOP}V${HEIGHT - TOP}"/>` : "";
    this.#picture.innerHTML =
      `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${ticks.join("")}` +
      `<path class="score" d="${path.join("")}"/>${cursor}${discs.join("")}</svg>`;
    this.#picture.querySelector("svg")!.ariaLabel = label;
  }
}
