// Analysis of a game: its progress, the graph of the score, and the loss of every move.

import type { Engine, Game, Judgement } from "outflank";
import { plyName } from "outflank";
import { button, find, input, make, plural, signed } from "./dom.js";
import { fail, say } from "./messages.js";
import { set, settings } from "./settings.js";
import type { State } from "./state.js";

const MARK_NAMES = { "": "", "?!": "inaccurate", "?": "mistake", "??": "blunder" } as const;

export class Analysis {
  #engine: Engine | undefined;
  #running: AbortController | undefined;
  /** Game of the last analysis. */
  #game: Game | undefined;
  #rows = new Map<Judgement, HTMLTableRowElement>();

  constructor(
    private readonly newEngine: () => Engine,
    private readonly state: State,
  ) {
    button("#analyze").onclick = () => (this.#running ? this.#running.abort() : void this.#analyze());
    input("#analysis-level").value = String(settings.analysisLevel);
    input("#analysis-level").onchange = () => {
      const level = input("#analysis-level");
      if (level.checkValidity() && level.value !== "") set("analysisLevel", level.valueAsNumber);
      else {
        say("The level of an analysis is a whole number from 1 to 60.", "error");
        level.value = String(settings.analysisLevel);
      }
    };
    state.addEventListener("change", () => {
      if (state.main !== this.#game) this.#running?.abort();
      this.render();
    });
  }

  /** Ends the analysis. The next one uses another engine. */
  dropEngine(): void {
    this.#running?.abort();
    this.#engine?.dispose();
    this.#engine = undefined;
  }

  async #analyze(): Promise<void> {
    const { state } = this;
    state.leaveVariation();
    const { game } = state;
    const moves = state.moveNumber(game.plies.length);
    if (moves === 0) {
      say("There is no move to analyse: play some, or read a game under Files.");
      return;
    }
    const judgements = new Map<number, Judgement>();
    state.judgements = judgements;
    const progress = find<HTMLProgressElement>("#analysis-progress");
    progress.max = moves;
    progress.value = 0;
    progress.hidden = false;
    button("#analyze").textContent = "Stop";
    const { signal } = (this.#running = new AbortController());
    this.#game = game;
    try {
      this.#engine ??= this.newEngine();
      const all = await this.#engine.analyze(
        game.ggf(),
        { level: settings.analysisLevel },
        {
          signal,
          onProgress: (judgement) => {
            if (signal.aborted) return;
            judgements.set(judgement.number, judgement);
            progress.value = judgements.size;
            this.render();
          },
        },
      );
      if (all && !signal.aborted) {
        say(`${plural(moves, "move", "moves")} analysed.`);
      }
    } catch (failure) {
      fail("The analysis ended early", failure);
    }
    this.#running = undefined;
    progress.hidden = true;
    button("#analyze").textContent = "Analyse the game";
    this.render();
  }

  render(): void {
    const known = [...this.state.judgements.values()].sort((a, b) => a.number - b.number);
    this.#graph(known);
    this.#table(known);
    this.#summary(known);
  }

  #summary(known: Judgement[]): void {
    const losses = (side: string) =>
      known.filter((judgement) => judgement.side === side).reduce((sum, judgement) => sum + judgement.loss, 0);
    find("#analysis-summary").textContent =
      known.length === 0
        ? "The score after every move with best play, and what each move cost."
        : `Discs lost: black ${losses("black")}, white ${losses("white")}.`;
  }

  /** Adds new rows. Old rows stay, with their focus, and so does the scroll position. */
  #table(known: Judgement[]): void {
    const table = find<HTMLTableElement>("#judgements");
    table.hidden = known.length === 0;
    const body = table.tBodies[0]!;
    const old = this.#rows;
    this.#rows = new Map(known.map((judgement) => [judgement, old.get(judgement) ?? this.#row(judgement)]));
    for (const [judgement, row] of old) if (!this.#rows.has(judgement)) row.remove();
    for (const [index, row] of [...this.#rows.values()].entries()) {
      if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
    }
    const shown = this.state.origin ? undefined : this.state.moveNumber(this.state.at);
    for (const [judgement, row] of this.#rows) {
      const isShown = judgement.number === shown;
      if (isShown === row.hasAttribute("aria-current")) continue;
      row.toggleAttribute("aria-current", isShown);
      if (!isShown) continue;
      row.setAttribute("aria-current", "true");
      const list = find("#judgement-list");
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
    }
  }

  #row(judgement: Judgement): HTMLTableRowElement {
    const row = make("tr", "", { class: MARK_NAMES[judgement.mark] });
    const before = () => this.state.plyOfMove(judgement.number, this.state.main.plies);
    const name = make("button", `${judgement.number}. ${judgement.playedName.toLowerCase()} ${judgement.mark}`, { class: "link" });
    name.onclick = () => {
      this.state.leaveVariation();
      this.state.goTo(before() + 1);
    };
    const move = make("th", "", { scope: "row" });
    move.append(make("span", "", { class: `disc small ${judgement.side}`, title: judgement.side }), name);
    const better = make("td");
    if (judgement.loss > 0) {
      const line = judgement.line.slice(0, 4).map((ply) => plyName(ply).toLowerCase());
      const play = make("button", line.join(" "), {
        class: "link line",
        "aria-label": `Play the better line ${line.join(" ")}`,
      });
      play.onclick = () => this.state.vary(before(), judgement.line);
      better.append(play);
    }
    const certainty = judgement.exact ? "exact" : `${judgement.depth}${judgement.selectivity < 100 ? `@${judgement.selectivity} %` : ""}`;
    row.append(
      move,
      make("td", signed(judgement.score)),
      make("td", judgement.loss > 0 ? String(judgement.loss) : ""),
      make("td", certainty),
      better,
    );
    return row;
  }

  /** Draws the score after every move as steps, black's side up. Moves with a mark have a disc. */
  #graph(known: Judgement[]): void {
    const [width, height, left, top] = [640, 220, 34, 12];
    const graph = find("#graph");
    if (known.length === 0) {
      graph.replaceChildren();
      return;
    }
    const moves = Math.max(known.at(-1)!.number, 10);
    const forBlack = (judgement: Judgement) => (judgement.side === "black" ? judgement.score : -judgement.score);
    const most = Math.max(8, ...known.map((judgement) => Math.abs(judgement.score))) * 1.15;
    const x = (number: number) => left + ((number - 0.5) / moves) * (width - left - 8);
    const y = (score: number) => top + (1 - (score / most + 1) / 2) * (height - 2 * top);
    const step = (width - left - 8) / moves / 2;
    const path = known.map((judgement, index) => {
      const follows = known[index - 1]?.number === judgement.number - 1;
      const at = y(forBlack(judgement)).toFixed(1);
      return `${follows ? "L" : "M"}${(x(judgement.number) - step).toFixed(1)} ${at}H${(x(judgement.number) + step).toFixed(1)}`;
    });
    const discs = known.filter((judgement) => judgement.mark !== "").map((judgement) => {
      const title = `${judgement.number}. ${judgement.playedName.toLowerCase()} ${judgement.mark} loses ${judgement.loss}`;
      const at = `cx="${x(judgement.number).toFixed(1)}" cy="${y(forBlack(judgement)).toFixed(1)}"`;
      return `<circle class="${judgement.side} ${MARK_NAMES[judgement.mark]}" ${at} r="5"><title>${title}</title></circle>`;
    });
    const round = most > 48 ? 32 : most > 24 ? 16 : most > 12 ? 8 : 4;
    const lines = [-3, -2, -1, 0, 1, 2, 3].map((k) => k * round).filter((score) => Math.abs(score) < most);
    const ticks = lines.map(
      (score) =>
        `<path class="${score === 0 ? "zero" : "tick"}" d="M${left} ${y(score).toFixed(1)}H${width - 8}"/>` +
        `<text x="${left - 6}" y="${(y(score) + 4).toFixed(1)}">${signed(score)}</text>`,
    );
    const now = this.state.moveNumber(this.state.at);
    const cursor = now > 0 ? `<path class="now" d="M${x(now).toFixed(1)} ${top}V${height - top}"/>` : "";
    const count = (mark: string) => known.filter((judgement) => judgement.mark === mark).length;
    const [blunders, mistakes] = [plural(count("??"), "blunder", "blunders"), plural(count("?"), "mistake", "mistakes")];
    const title = `The score along the game, black's side up: ${blunders}, ${mistakes}`;
    graph.innerHTML =
      `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${ticks.join("")}` +
      `<path class="score" d="${path.join("")}"/>${cursor}${discs.join("")}</svg>`;
    graph.onclick = (event) => {
      const area = graph.getBoundingClientRect();
      const x = ((event.clientX - area.left) / area.width) * width;
      const number = Math.round(((x - left) / (width - left - 8)) * moves + 0.5);
      this.state.leaveVariation();
      const last = this.state.moveNumber(this.state.length);
      this.state.goTo(this.state.plyOfMove(Math.min(Math.max(number, 1), last)) + 1);
    };
  }
}
