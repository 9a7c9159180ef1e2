// The analysis of a game: its progress, the graph of the score, and what every move cost.

import type { Engine, Game, Judgement } from "outflank";
import { plyName } from "outflank";
import { button, find, input, make, signed } from "./dom.js";
import { fail, say } from "./messages.js";
import { set, settings } from "./settings.js";
import type { State } from "./state.js";

const MARK_NAMES = { "": "", "?!": "inaccurate", "?": "mistake", "??": "blunder" } as const;

export class Analysis {
  #engine: Engine | undefined;
  #running: AbortController | undefined;
  /** The game that is analysed. */
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

  /** Ends what is analysed; the next analysis begins with another engine. */
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
        say(`${moves} moves analysed.`);
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
      known.filter((one) => one.side === side).reduce((sum, one) => sum + one.loss, 0);
    find("#analysis-summary").textContent =
      known.length === 0
        ? "The score after every move with best play, and what each move cost."
        : `Discs lost: black ${losses("black")}, white ${losses("white")}.`;
  }

  /** Rows stay where they are while others come: what is clicked, focused or scrolled to is not lost. */
  #table(known: Judgement[]): void {
    const table = find<HTMLTableElement>("#judgements");
    table.hidden = known.length === 0;
    const body = table.tBodies[0]!;
    const old = this.#rows;
    this.#rows = new Map(known.map((one) => [one, old.get(one) ?? this.#row(one)]));
    for (const [one, row] of old) if (!this.#rows.has(one)) row.remove();
    for (const [place, row] of [...this.#rows.values()].entries()) {
      if (body.rows[place] !== row) body.insertBefore(row, body.rows[place] ?? null);
    }
    const shown = this.state.origin ? undefined : this.state.moveNumber(this.state.at);
    for (const [one, row] of this.#rows) {
      const isShown = one.number === shown;
      if (isShown === row.hasAttribute("aria-current")) continue;
      row.toggleAttribute("aria-current", isShown);
      if (!isShown) continue;
      row.setAttribute("aria-current", "true");
      const list = find("#judgement-list");
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
    }
  }

  #row(one: Judgement): HTMLTableRowElement {
    const row = make("tr", "", { class: MARK_NAMES[one.mark] });
    const before = () => this.state.plyOfMove(one.number, this.state.main.plies);
    const name = make("button", `${one.number}. ${one.playedName.toLowerCase()} ${one.mark}`, { class: "link" });
    name.onclick = () => {
      this.state.leaveVariation();
      this.state.goTo(before() + 1);
    };
    const move = make("th", "", { scope: "row" });
    move.append(make("span", "", { class: `disc small ${one.side}`, title: one.side }), name);
    const better = make("td");
    if (one.loss > 0) {
      const line = one.line.slice(0, 4).map((ply) => plyName(ply).toLowerCase());
      const play = make("button", line.join(" "), {
        class: "link line",
        "aria-label": `Play the better line ${line.join(" ")}`,
      });
      play.onclick = () => this.state.vary(before(), one.line);
      better.append(play);
    }
    const certainty = one.exact ? "exact" : `${one.depth}${one.selectivity < 100 ? `@${one.selectivity} %` : ""}`;
    row.append(
      move,
      make("td", signed(one.score)),
      make("td", one.loss > 0 ? String(one.loss) : ""),
      make("td", certainty),
      better,
    );
    return row;
  }

  /** The score after every move as steps, black's side up, with a disc on every move that cost something. */
  #graph(known: Judgement[]): void {
    const [width, height, left, top] = [640, 220, 34, 12];
    const graph = find("#graph");
    if (known.length === 0) {
      graph.replaceChildren();
      return;
    }
    const moves = Math.max(known.at(-1)!.number, 10);
    const forBlack = (one: Judgement) => (one.side === "black" ? one.score : -one.score);
    const most = Math.max(8, ...known.map((one) => Math.abs(one.score))) * 1.15;
    const x = (number: number) => left + ((number - 0.5) / moves) * (width - left - 8);
    const y = (score: number) => top + (1 - (score / most + 1) / 2) * (height - 2 * top);
    const step = (width - left - 8) / moves / 2;
    const path = known.map((one, index) => {
      const follows = known[index - 1]?.number === one.number - 1;
      const at = y(forBlack(one)).toFixed(1);
      return `${follows ? "L" : "M"}${(x(one.number) - step).toFixed(1)} ${at}H${(x(one.number) + step).toFixed(1)}`;
    });
    const discs = known.filter((one) => one.mark !== "").map((one) => {
      const title = `${one.number}. ${one.playedName.toLowerCase()} ${one.mark} loses ${one.loss}`;
      const at = `cx="${x(one.number).toFixed(1)}" cy="${y(forBlack(one)).toFixed(1)}"`;
      return `<circle class="${one.side} ${MARK_NAMES[one.mark]}" ${at} r="5"><title>${title}</title></circle>`;
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
    const counts = (mark: string) => known.filter((one) => one.mark === mark).length;
    const title = `The score along the game, black's side up: ${counts("??")} blunders, ${counts("?")} mistakes`;
    graph.innerHTML =
      `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${ticks.join("")}` +
      `<path class="score" d="${path.join("")}"/>${cursor}${discs.join("")}</svg>`;
    graph.onclick = (event) => {
      const area = graph.getBoundingClientRect();
      const place = ((event.clientX - area.left) / area.width) * width;
      const number = Math.round(((place - left) / (width - left - 8)) * moves + 0.5);
      this.state.leaveVariation();
      const last = this.state.moveNumber(this.state.length);
      this.state.goTo(this.state.plyOfMove(Math.min(Math.max(number, 1), last)) + 1);
    };
  }
}
