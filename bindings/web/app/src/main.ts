// Main page: a board to play, analyse and read games on.

import { type Game, type Judgement, type OpeningName, type Outflank, type Position, type Side, type Square } from "outflank";
import { keepAddress, openAddress } from "./address.js";
import { Analysis } from "./analysis.js";
import { begin } from "./begin.js";
import { BoardView, type Hint, type View } from "./board.js";
import { Clock } from "./clock.js";
import { button, find, input, make, refill, select, signed } from "./dom.js";
import { Files } from "./files.js";
import { setUpKeys } from "./keys.js";
import { dismissMessage, endMoment, fail, say } from "./messages.js";
import { EnginePlayer } from "./play.js";
import { Practice } from "./practice.js";
import { ResultDialog } from "./result.js";
import { SavedGames } from "./saved.js";
import { applyTheme, onStoreFailure, set, settings, type Settings } from "./settings.js";
import { Setup } from "./setup.js";
import { recordName, shownName, StartDialog } from "./start.js";
import { illegalText, moveName, squareName, START, State } from "./state.js";
import { openTab, setUpTabs } from "./tabs.js";
import { fillTexts, language, LANGUAGES, onLanguage, t, useLanguage } from "./texts/texts.js";
import { chosenThreads, setUpThreads } from "./threads.js";

applyTheme();
fillTexts();
onStoreFailure((failure) => fail(t.notKept, failure));
select("#theme").value = settings.theme;
select("#theme").onchange = () => {
  set("theme", select("#theme").value as Settings["theme"]);
  applyTheme();
};
for (const [code, { name }] of Object.entries(LANGUAGES)) select("#language").append(make("option", name, { value: code, lang: code }));
select("#language").value = language();
select("#language").onchange = () => useLanguage(select("#language").value);

class Page {
  readonly state: State;
  readonly player: EnginePlayer;
  readonly setup: Setup;
  readonly start: StartDialog;
  readonly result: ResultDialog;
  readonly analysis: Analysis;
  readonly practice: Practice;
  readonly saved: SavedGames;
  readonly clock = new Clock();
  /** Finished game whose result was shown. */
  #finished: unknown;
  /** True while a game is opened whose result was shown before. */
  #isOpening = false;
  /** Board of the setup or of the practice, in place of that of the game. */
  #other: View | undefined;

  constructor(
    readonly outflank: Outflank,
    readonly board: BoardView,
  ) {
    const newEngine = () => outflank.newEngine({ threads: chosenThreads() });
    this.state = new State(outflank);
    this.board.onChoose = (square) => this.#choose(square);
    this.player = new EnginePlayer(this.state, outflank, newEngine(), () => this.render(), () => this.#showBoard());
    this.setup = new Setup(outflank, (game) => this.#beginWith(game), () => this.render());
    this.start = new StartDialog(outflank, () => this.#begin(), () => this.#changeSides());
    this.result = new ResultDialog({
      rematch: () => this.#begin(),
      rematchSwapped: () => this.#beginSwapped(),
      seeMistakes: () => void this.#seeMistakes(),
    });
    this.analysis = new Analysis(newEngine, this.state, () => this.#showBoard());
    this.practice = new Practice(newEngine, outflank, this.state, () => this.render());
    this.saved = new SavedGames(outflank, this.state);
    new Files(outflank, this.state, this.saved);
    setUpTabs((name) => this.#openTab(name));
    this.#setUpButtons();
    this.#setUpView();
    setUpThreads(outflank, () => {
      this.player.useEngine(newEngine());
      this.analysis.dropEngine();
      this.practice.dropEngine();
    });
    this.state.addEventListener("change", () => {
      endMoment();
      // Another game or position closes the setup and the practice.
      if (this.setup.isOpen || this.practice.isOpen) openTab("play");
      else this.player.update();
      keepAddress(this.state);
      this.#runClock();
      this.#showResult();
    });
    this.state.addEventListener("score", () => this.#showBar());
    onLanguage(() => {
      dismissMessage();
      this.render();
    });
    addEventListener("hashchange", () => this.#openAddress());
    if (!this.#openAddress()) this.#beginWith(this.state.game);
  }

  /** Opens the address. A game that is over there has had its result shown. */
  #openAddress(): boolean {
    this.#isOpening = true;
    const isOpen = openAddress(this.outflank, this.state);
    this.#isOpening = false;
    return isOpen;
  }

  #openTab(name: string): void {
    const opensSetup = name === "setup";
    const isPaused = opensSetup || name === "practice";
    this.practice.isOpen = name === "practice";
    if (opensSetup && !this.setup.isOpen) this.setup.open(this.state.position.text);
    this.setup.isOpen = opensSetup;
    find("#board").classList.toggle("painting", opensSetup);
    this.board.onPaint = opensSetup ? (...stroke) => this.setup.paint(...stroke) : undefined;
    if (isPaused === this.player.isPaused) {
      this.render();
      return;
    }
    this.player.isPaused = isPaused;
    this.player.update();
  }

  #choose(square: Square): void {
    const { position } = this.state;
    if (this.practice.view) void this.practice.answer(square);
    else if (this.player.isPaused) return;
    else if (this.player.isThinking) say(t.engineThinks(position.side), "moment");
    else if (position.isOver) say(t.isOver, "moment");
    else if (position.mustPass) say(t.hasToPass(position.side), "moment");
    else if (position.moves.includes(square)) this.state.play(square);
    else say(illegalText(position, square), "moment");
  }

  /** Begins a game with the settings of the dialog. */
  #begin(): void {
    openTab("play");
    this.#beginWith(this.outflank.newGame());
  }

  #beginWith(game: Game): void {
    this.#namePlayers(game);
    this.state.begin(game);
  }

  #namePlayers(game: Game): void {
    const name = (side: Side) => recordName(this.player.isEngine(side));
    game.setProperty("PB", name("black"));
    game.setProperty("PW", name("white"));
  }

  #beginSwapped(): void {
    set("human", settings.human === "black" ? "white" : "black");
    this.#begin();
  }

  /** Analyses the game, and then shows the first mistake, unless the player has gone elsewhere. */
  async #seeMistakes(): Promise<void> {
    this.state.goTo(0);
    openTab("analysis");
    const isDone = await this.analysis.analyze();
    if (isDone && this.state.at === 0 && !this.state.origin) this.analysis.stepMistakes(1);
  }

  /** Goes on with the settings of the dialog. A game that was read keeps the names of its players. */
  #changeSides(): void {
    const { state } = this;
    if (state.isLive) this.#namePlayers(state.game);
    state.isLive = true;
    this.player.update();
    keepAddress(state);
  }

  /** Lets the clock of the side to move run, while a game is played here. */
  #runClock(): void {
    const { position, length, isLatest, isLive, origin } = this.state;
    if (length === 0) this.clock.reset();
    const isPlayed = isLatest && isLive && length > 0 && !position.isOver && origin === undefined;
    this.clock.run(isPlayed ? position.side : undefined);
  }

  /** Shows the result when a game that is played here ends. */
  #showResult(): void {
    const { state } = this;
    const { position, game } = state;
    if (!position.isOver || !state.isLatest || !state.isLive || state.origin || this.#finished === game) return;
    this.#finished = game;
    if (this.#isOpening) return;
    this.saved.keep(game);
    this.result.show(position);
  }

  /** Steps to the next position with the player to move, or by one ply if the engine plays both sides. */
  #step(by: 1 | -1): void {
    const { state } = this;
    const isPlayersTurn = (at: number) => {
      const { side, mustPass } = state.game.position(at);
      return settings.human === "none" || (!this.player.isEngine(side) && !mustPass);
    };
    let at = state.at + by;
    while (at > 0 && at < state.length && !isPlayersTurn(at)) at += by;
    if (by < 0 && !isPlayersTurn(at)) say(t.noMoveBefore, "moment");
    else state.goTo(at);
  }

  /** Changes a setting that decides what is searched. */
  #toggle(name: "hints" | "evaluation"): void {
    set(name, !settings[name]);
    if (this.player.isThinking) this.render();
    else this.player.update();
    this.analysis.render();
  }

  #setUpButtons(): void {
    const { state } = this;
    const actions: Record<string, () => void> = {
      first: () => state.goTo(0),
      back: () => state.goTo(state.at - 1),
      forward: () => state.goTo(state.at + 1),
      last: () => state.goTo(state.length),
      undo: () => this.#step(-1),
      redo: () => this.#step(1),
      pass: () => state.play(-1),
      hints: () => this.#toggle("hints"),
      evaluation: () => this.#toggle("evaluation"),
      stop: () => this.player.stopEarly(),
      leave: () => state.leaveVariation(),
      new: () => this.start.open(),
    };
    for (const [name, action] of Object.entries(actions)) button(`#${name}`).onclick = action;
    const noMistakes = () => state.judgements.size === 0 || this.player.isPaused;
    setUpKeys((name) => name === "next-mistake" && noMistakes());
  }

  #setUpView(): void {
    button("#turn").onclick = () => {
      set("turns", (settings.turns + 1) % 4);
      this.board.turn();
    };
    for (const name of ["animation", "sounds", "clocks"] as const) {
      input(`#${name}`).checked = settings[name];
      input(`#${name}`).onchange = () => set(name, input(`#${name}`).checked);
    }
  }

  render(): void {
    const { state, setup } = this;
    const { position } = state;
    find("#about").textContent = t.about(this.outflank.isa, crossOriginIsolated);
    document.title = t.title;
    this.#other = setup.isOpen ? { squares: setup.squares, showsMoves: false } : this.practice.view;
    if (this.#other) {
      this.#renderOther(this.#other);
      return;
    }
    this.#showBoard();
    this.#showBar();
    this.#say(this.practice.status ?? this.#status(position));
    this.#showPlayers(position);
    button("#pass").hidden = !position.mustPass || this.player.isThinking;
    button("#hints").ariaPressed = String(settings.hints);
    button("#evaluation").ariaPressed = String(settings.evaluation);
    for (const name of ["pass", "hints", "evaluation", "stop"]) button(`#${name}`).disabled = false;
    for (const name of ["first", "back", "undo"]) button(`#${name}`).disabled = state.at === 0;
    for (const name of ["forward", "last", "redo"]) button(`#${name}`).disabled = state.isLatest;
    find("#banner").hidden = state.origin === undefined;
    this.#moves();
  }

  /** Shows the board of the setup or of the practice, and hides what belongs to the game. */
  #renderOther(view: View): void {
    this.board.show(view);
    this.#showBar();
    this.#say(this.setup.isOpen ? t.settingUp : (this.practice.status ?? ""));
    for (const side of ["black", "white"] as const) {
      const player = find(`#${side}-player`);
      const count = [...view.squares.slice(0, 64)].filter((square) => square === (side === "black" ? "X" : "O")).length;
      player.querySelector(".name")!.textContent = t.sideName(side);
      player.querySelector(".count")!.textContent = String(count);
      player.classList.toggle("moves", view.position?.side === side);
    }
    for (const name of ["#banner", "#pass"]) find(name).hidden = true;
    for (const step of document.querySelectorAll<HTMLButtonElement>(".buttons button")) step.disabled = true;
  }

  #showPlayers(position: Position): void {
    for (const side of ["black", "white"] as const) {
      const player = find(`#${side}-player`);
      const named = this.state.game.property(side === "black" ? "PB" : "PW");
      player.querySelector(".name")!.textContent = named ? shownName(named) : t.sideName(side);
      player.querySelector(".count")!.textContent = String(position[side]);
      player.classList.toggle("moves", position.side === side && !position.isOver);
    }
  }

  #showBoard(): void {
    const { position } = this.state;
    const { hints, line, isThinking } = this.player;
    const mistake = this.analysis.shownMistake;
    const shown = hints ? { hints, line } : mistake ? { hints: valuesOf(mistake) } : {};
    this.board.show({ squares: position.text, position, ...shown, showsMoves: !isThinking });
  }

  /** Shows the score of the position as a bar, black's part from below. */
  #showBar(): void {
    const { state } = this;
    const bar = find("#bar");
    bar.hidden = !settings.evaluation || this.#other !== undefined;
    const score = state.position.isOver ? state.position.score : state.scores.get(state.at);
    // A disc counts more near a balanced game.
    const part = score === undefined ? 0.5 : 0.5 + Math.tanh(score / 20) / 2;
    bar.querySelector("span")!.style.height = `${(100 * part).toFixed(1)}%`;
    bar.querySelector("output")!.textContent = score === undefined ? "" : signed(score);
    bar.ariaLabel = score === undefined ? t.barUnknown : t.bar(signed(score));
  }

  /** Sets the status, if it differs: screen readers read each change. */
  #say(text: string): void {
    const status = find("#status");
    if (status.textContent !== text) status.textContent = text;
  }

  #status({ side, isOver, score, mustPass, last }: Position): string {
    const other = side === "black" ? "white" : "black";
    const played = last === undefined ? "" : last < 0 ? t.passed(other) : t.played(other, squareName(last));
    if (isOver) return played + (score === 0 ? t.drawn : t.wins(score! > 0 ? "black" : "white", Math.abs(score!)));
    if (mustPass) return played + t.hasToPass(side);
    return played + (this.player.isThinking ? t.thinks(side) : t.isToMove(side));
  }

  #moves(): void {
    const { state } = this;
    const played = state.main.plies;
    let isPlayed = true;
    const rows = state.game.plies.map((ply, index) => {
      const { side } = state.game.position(index);
      // In a variation only the moves of the main game have judgements.
      isPlayed &&= ply === played[index];
      const judgement = isPlayed && ply >= 0 ? state.judgements.get(state.moveNumber(index + 1)) : undefined;
      const choose = make("button", `${moveName(ply)}${judgement?.mark ?? ""}`, { class: side, "data-key": String(index) });
      if (judgement && judgement.loss > 0) choose.title = t.judgement(judgement.loss, signed(judgement.score));
      choose.dataset["number"] = ply < 0 ? "" : String(state.moveNumber(index + 1));
      if (index + 1 === state.at) choose.ariaCurrent = "true";
      choose.onclick = () => state.goTo(index + 1);
      const row = make("li");
      row.append(choose);
      return row;
    });
    const list = find("#moves");
    refill(list, rows);
    const current = list.querySelector<HTMLElement>("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    const opening = state.game.prefix(state.at).opening();
    find("#opening").textContent = opening === undefined ? "" : t.openingName(nameOf(opening));
    find("#opening").hidden = opening === undefined;
  }
}

/** Values of a mistake and of the better move. */
function valuesOf({ played, score, bestScore, line }: Judgement): Map<Square, Hint> {
  const value = (score: number, isBest: boolean): Hint => ({ score, isBest, isExact: false, isBook: false });
  return new Map([
    [played, value(score, false)],
    [line[0]!, value(bestScore, true)],
  ]);
}

/** Name of an opening in the language of the page, if there is one. */
function nameOf({ english, japanese }: OpeningName): string {
  return (language() === "ja" ? japanese ?? english : english ?? japanese) ?? "";
}

// The board is there while the engine loads.
const board = new BoardView();
board.show({ squares: START.slice(0, 64), showsMoves: false });
void begin((outflank) => {
  new Page(outflank, board);
});
