// Analysis of a game: its progress, the graph of the score, and the loss of every move. Scores are black's.

import type { Engine, Game, Judgement, Side } from "outflank";
import { button, find, input, keepNumber, make, showBoard, signed } from "./dom.js";
import { ScoreGraph, type Point } from "./graph.js";
import { fail, say } from "./messages.js";
import { settings } from "./settings.js";
import { ownSide } from "./start.js";
import { lineText, moveName, squareName, type State } from "./state.js";
import { onLanguage, t } from "./texts/texts.js";

const MARK_NAMES = { "": "", "?!": "inaccurate", "?": "mistake", "??": "blunder" } as const;

/** Number of plies of a better line in the table. */
const SHOWN_PLIES = 4;

/** Returns the side whose mistakes count: the player's in a game played here, else undefined for both. */
function judgedSide(state: State): Side | undefined {
  return state.isLive ? ownSide() : undefined;
}

/** Returns the mistakes of the judged side that the analysis has found. */
export function mistakes(state: State): Judgement[] {
  const own = judgedSide(state);
  return inOrder(state).filter(({ mark, side }) => mark !== "" && (own === undefined || side === own));
}

/** Returns the judgements in the order of the moves. */
function inOrder(state: State): Judgement[] {
  return [...state.judgements.values()].sort((a, b) => a.number - b.number);
}

const forBlack = ({ side, score }: Judgement) => (side === "black" ? score : -score);

export class Analysis {
  #engine: Engine | undefined;
  #running: AbortController | undefined;
  /** Game of the last analysis. */
  #game: Game | undefined;
  #rows = new Map<Judgement, HTMLTableRowElement>();
  readonly #graphs: readonly [ScoreGraph, ScoreGraph];
  /** Mistake before which the board stands, after a step to it. */
  #shownMistake: Judgement | undefined;

  constructor(
    private readonly newEngine: () => Engine,
    private readonly state: State,
    private readonly showMistake: () => void,
  ) {
    // The graph beside the moves has those of a variation, too.
    const leave = () => state.leaveVariation();
    this.#graphs = [
      new ScoreGraph(find("#graph"), (number) => (leave(), this.#goTo(number))),
      new ScoreGraph(find("#play-graph"), (number) => this.#goTo(number)),
    ];
    button("#analyze").onclick = () => (this.#running ? this.#running.abort() : void this.analyze());
    button("#previous-mistake").onclick = () => this.stepMistakes(-1);
    button("#next-mistake").onclick = () => this.stepMistakes(1);
    input("#only-mistakes").onchange = () => this.render();
    keepNumber("analysis-level", "analysisLevel", () => t.wrongAnalysisLevel);
    state.addEventListener("change", () => {
      this.#shownMistake = undefined;
      if (state.main !== this.#game) this.#running?.abort();
      this.render();
    });
    state.addEventListener("score", () => this.#showGraphs());
    onLanguage(() => {
      this.#rows = new Map();
      find<HTMLTableElement>("#judgements").tBodies[0]!.replaceChildren();
      this.render();
    });
  }

  /** Ends the analysis. The next one uses another engine. */
  dropEngine(): void {
    this.#running?.abort();
    this.#engine?.dispose();
    this.#engine = undefined;
  }

  /** Analyses the game on the page. Returns true once all moves are judged. */
  async analyze(): Promise<boolean> {
    const { state } = this;
    state.leaveVariation();
    const { game } = state;
    const moves = state.moveNumber(game.plies.length);
    if (moves === 0) {
      say(t.nothingToAnalyse);
      return false;
    }
    const judgements = new Map<number, Judgement>();
    state.judgements = judgements;
    const progress = find<HTMLProgressElement>("#analysis-progress");
    progress.max = moves;
    progress.value = 0;
    progress.hidden = false;
    const { signal } = (this.#running = new AbortController());
    this.#game = game;
    this.render();
    let isDone = false;
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
      isDone = all !== null && !signal.aborted;
      if (isDone) say(t.analysed(moves));
    } catch (failure) {
      fail(t.analysisFailed, failure);
    }
    this.#running = undefined;
    progress.hidden = true;
    this.render();
    return isDone;
  }

  /** Mistake before which the board stands, after a step to it. */
  get shownMistake(): Judgement | undefined {
    return this.#shownMistake;
  }

  /** Shows the position before the next mistake in a direction, or from the other end, and says what was better. */
  stepMistakes(by: 1 | -1): void {
    const known = mistakes(this.state);
    if (known.length === 0) {
      say(judgedSide(this.state) ? t.noOwnMistakes : t.noMoreMistakes);
      return;
    }
    this.state.leaveVariation();
    const now = this.state.moveNumber(this.state.at);
    const last = this.#shownMistake?.number ?? (by > 0 ? now : now + 1);
    const isBeyond = ({ number }: Judgement) => (by > 0 ? number > last : number < last);
    const beyond = known.filter(isBeyond);
    const next = (beyond.length > 0 ? beyond : known).at(by > 0 ? 0 : -1)!;
    this.state.goTo(this.#before(next));
    this.#shownMistake = next;
    this.render();
    this.showMistake();
    showBoard();
    say(t.mistakeText(next.number, squareName(next.played), next.loss, lineText(next.line, SHOWN_PLIES)), "moment");
  }

  render(): void {
    const known = inOrder(this.state);
    button("#analyze").textContent = this.#running ? t.stop : t.analyze;
    for (const name of ["#mistake-row", "#keep-mistakes"]) find(name).hidden = known.length === 0;
    this.#showGraphs();
    this.#table(input("#only-mistakes").checked ? known.filter(({ mark }) => mark !== "") : known);
    this.#summary(known);
  }

  /** Number of plies before a move of the game. */
  #before(judgement: Judgement): number {
    return this.state.plyOfMove(judgement.number, this.state.main.plies);
  }

  #summary(known: Judgement[]): void {
    const losses = (side: string) =>
      known.filter((judgement) => judgement.side === side).reduce((sum, judgement) => sum + judgement.loss, 0);
    find("#analysis-summary").textContent =
      known.length === 0 ? t.analysisIntro : t.analysisLosses(losses("black"), losses("white"));
  }

  /** Adds new rows. Old rows stay, with their focus, and so does the scroll position. */
  #table(known: Judgement[]): void {
    const table = find<HTMLTableElement>("#judgements");
    table.hidden = known.length === 0;
    table.tHead!.rows[0]!.replaceChildren(...t.columns.map((name) => make("th", name, { scope: "col" })));
    const body = table.tBodies[0]!;
    const old = this.#rows;
    this.#rows = new Map(known.map((judgement) => [judgement, old.get(judgement) ?? this.#row(judgement)]));
    for (const [judgement, row] of old) if (!this.#rows.has(judgement)) row.remove();
    for (const [index, row] of [...this.#rows.values()].entries()) {
      if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
    }
    const now = this.#shownMistake?.number ?? this.state.moveNumber(this.state.at);
    const shown = this.state.origin ? undefined : now;
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
    const name = make("button", `${judgement.number}. ${squareName(judgement.played)} ${judgement.mark}`, { class: "link" });
    name.onclick = () => {
      this.state.leaveVariation();
      this.state.goTo(this.#before(judgement) + 1);
    };
    const move = make("th", "", { scope: "row" });
    move.append(make("span", "", { class: `disc small ${judgement.side}`, title: t.sideName(judgement.side) }), name);
    const better = make("td");
    if (judgement.loss > 0) {
      const line = lineText(judgement.line, SHOWN_PLIES);
      const play = make("button", line, { class: "link line", "aria-label": t.playBetter(line) });
      play.onclick = () => this.state.vary(this.#before(judgement), judgement.line);
      better.append(play);
    }
    const certainty = judgement.exact ? t.exact : `${judgement.depth}${judgement.selectivity < 100 ? `@${judgement.selectivity} %` : ""}`;
    row.append(
      move,
      make("td", signed(forBlack(judgement))),
      make("td", judgement.loss > 0 ? String(judgement.loss) : ""),
      make("td", certainty),
      better,
    );
    return row;
  }

  /** Draws the scores of the analysis, and beside the moves those of all searches, if the player wants to see them. */
  #showGraphs(): void {
    const known = inOrder(this.state);
    const count = (mark: string) => known.filter((judgement) => judgement.mark === mark).length;
    const label = known.length === 0 ? t.scoreGraph : t.graphLabel(count("??"), count("?"));
    const judged: Point[] = known.map((judgement) => {
      const [move, score] = [squareName(judgement.played), signed(forBlack(judgement))];
      return {
        number: judgement.number,
        score: forBlack(judgement),
        text: t.graphPoint(judgement.number, move, score, judgement.loss),
        ...(judgement.mark ? { mark: { side: judgement.side, kind: MARK_NAMES[judgement.mark] } } : {}),
      };
    });
    const now = this.state.moveNumber(this.state.at);
    const [inAnalysis, inPlay] = this.#graphs;
    inAnalysis.show(judged, now, label);
    inPlay.show(settings.evaluation ? this.#searched(judged) : [], now, label);
  }

  /** Points of searched scores. Those of the analysis come first. */
  #searched(judged: Point[]): Point[] {
    const points = new Map<number, Point>();
    for (const [plies, score] of this.state.scores) {
      const ply = this.state.game.plies[plies - 1] ?? -1;
      const number = this.state.moveNumber(plies);
      if (ply < 0) continue;
      points.set(number, { number, score, text: t.graphPoint(number, moveName(ply), signed(score), 0) });
    }
    if (!this.state.origin) for (const point of judged) points.set(point.number, point);
    return [...points.values()].sort((a, b) => a.number - b.number);
  }

  #goTo(number: number): void {
    const last = this.state.moveNumber(this.state.length);
    this.state.goTo(this.state.plyOfMove(Math.min(Math.max(number, 1), last)) + 1);
  }
}
