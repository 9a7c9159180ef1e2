// Main page: a board to play, analyse and read games on.

import { type Outflank, type Position, type Side, type Square } from "outflank";
import { keepAddress, openAddress } from "./address.js";
import { Analysis } from "./analysis.js";
import { begin } from "./begin.js";
import { BoardView } from "./board.js";
import { button, find, input, make, refill, select, signed } from "./dom.js";
import { Files } from "./files.js";
import { say } from "./messages.js";
import { Player } from "./play.js";
import { applyTheme, set, settings, type Settings } from "./settings.js";
import { Setup } from "./setup.js";
import { squareName, State } from "./state.js";
import { openTab, setUpTabs } from "./tabs.js";
import { chosenThreads, setUpThreads } from "./threads.js";

applyTheme();
select("#theme").value = settings.theme;
select("#theme").onchange = () => {
  set("theme", select("#theme").value as Settings["theme"]);
  applyTheme();
};

class Page {
  readonly state: State;
  readonly player: Player;
  readonly board: BoardView;
  readonly setup: Setup;

  constructor(readonly outflank: Outflank) {
    const newEngine = () => outflank.newEngine({ threads: chosenThreads() });
    this.state = new State(outflank);
    this.board = new BoardView((square) => this.#choose(square));
    this.player = new Player(this.state, outflank, newEngine(), () => this.render(), () => this.#showBoard());
    this.setup = new Setup(outflank, this.state, () => this.render());
    const analysis = new Analysis(newEngine, this.state);
    new Files(outflank, this.state);
    setUpTabs((name) => {
      const opens = name === "setup";
      if (opens === this.setup.isOpen) {
        this.render();
        return;
      }
      this.player.isPaused = opens;
      this.setup.isOpen = opens;
      if (opens) this.setup.open(this.state.position.text);
      this.player.update();
    });
    this.#setUpButtons();
    this.#setUpPlay();
    setUpThreads(outflank, () => {
      this.player.useEngine(newEngine());
      analysis.dropEngine();
    });
    this.state.addEventListener("change", () => {
      // A new game closes the setup.
      if (this.setup.isOpen) openTab("play");
      else this.player.update();
      keepAddress(this.state);
    });
    addEventListener("hashchange", () => openAddress(outflank, this.state));
    if (!openAddress(outflank, this.state)) this.state.begin(this.state.game);
  }

  #choose(square: Square): void {
    if (this.setup.isOpen) {
      this.setup.paint(square);
      return;
    }
    const { position } = this.state;
    if (this.player.isThinking) say(`It is ${position.side}'s turn: the engine is thinking.`);
    else if (position.isOver) say("The game is over.");
    else if (position.mustPass) say(`${capitalized(position.side)} has no move and has to pass.`);
    else if (position.moves.includes(square)) this.state.play(square);
    else say(`${squareName(square)} is no legal move: ${illegalReason(position, square)}.`);
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
    if (by < 0 && !isPlayersTurn(at)) say("No move before is yours.");
    else state.goTo(at);
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
      hints: () => {
        set("hints", !settings.hints);
        if (this.player.isThinking) this.render();
        else this.player.update();
      },
      stop: () => this.player.stopEarly(),
    };
    for (const [name, action] of Object.entries(actions)) button(`#${name}`).onclick = action;
    const keys: Record<string, string> = {
      Home: "first",
      PageUp: "back",
      PageDown: "forward",
      End: "last",
      u: "undo",
      r: "redo",
      h: "hints",
      p: "pass",
    };
    addEventListener("keydown", (event) => {
      const name = keys[event.key];
      const focused = event.target as Element;
      const isTyping = focused.matches("input, textarea, select, [role=tab]");
      // Screen readers and voice control may use letters for something else.
      const isElsewhere = event.key.length === 1 && focused !== document.body && !focused.closest(".table");
      if (name === undefined || isTyping || isElsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const target = button(`#${name}`);
      if (!target.hidden && !target.disabled) target.click();
    });
  }

  #setUpPlay(): void {
    select("#human").value = settings.human;
    select("#strength").value = settings.strength;
    input("#level").value = String(settings.level);
    input("#seconds").value = String(settings.seconds);
    const skills = this.outflank.skills;
    const options = skills.map(({ name, rating }) => new Option(`${name} (${rating})`, name));
    select("#skill").replaceChildren(...options);
    // A name of another version may be missing.
    if (!skills.some(({ name }) => name === settings.skill)) set("skill", skills[0]!.name);
    select("#skill").value = settings.skill;
    select("#skill").onchange = () => set("skill", select("#skill").value);
    const showStrength = () => {
      find("#level-label").hidden = settings.strength !== "level";
      find("#seconds-label").hidden = settings.strength !== "time";
      find("#skill-label").hidden = settings.strength !== "skill";
    };
    showStrength();
    select("#human").onchange = () => {
      set("human", select("#human").value as Settings["human"]);
      this.state.isLive = true;
      this.player.update();
    };
    select("#strength").onchange = () => {
      set("strength", select("#strength").value as Settings["strength"]);
      showStrength();
    };
    for (const [name, what] of [["level", "a level is a whole number from 0 to 60"], ["seconds", "a time is 0.1 to 3600 seconds"]] as const) {
      const field = input(`#${name}`);
      field.onchange = () => {
        if (field.checkValidity() && field.value !== "") set(name, field.valueAsNumber);
        else {
          say(`"${field.value}" is not possible: ${what}.`, "error");
          field.value = String(settings[name]);
        }
      };
    }
    find("#new-game").addEventListener("submit", (event) => {
      event.preventDefault();
      const game = this.outflank.newGame();
      const name = (side: Side) => (this.player.isEngine(side) ? "Outflank" : "You");
      game.setProperty("PB", name("black"));
      game.setProperty("PW", name("white"));
      set("human", select("#human").value as Settings["human"]);
      this.state.begin(game);
    });
  }

  render(): void {
    const { state, setup } = this;
    const { position } = state;
    if (setup.isOpen) {
      this.board.show({ squares: setup.squares, showsMoves: false });
      this.#say("Setting up a position");
      for (const step of document.querySelectorAll<HTMLButtonElement>(".buttons button")) step.disabled = true;
      return;
    }
    this.#showBoard();
    this.#say(this.#status(position));
    for (const side of ["black", "white"] as const) {
      const player = find(`#${side}-player`);
      const named = state.game.property(side === "black" ? "PB" : "PW");
      player.querySelector(".name")!.textContent = named ?? side;
      player.querySelector(".count")!.textContent = String(position[side]);
      player.classList.toggle("moves", position.side === side && !position.isOver);
    }
    button("#pass").hidden = !position.mustPass || this.player.isThinking;
    button("#hints").ariaPressed = String(settings.hints);
    for (const name of ["pass", "hints", "stop"]) button(`#${name}`).disabled = false;
    for (const name of ["first", "back", "undo"]) button(`#${name}`).disabled = state.at === 0;
    for (const name of ["forward", "last", "redo"]) button(`#${name}`).disabled = state.isLatest;
    this.#moves();
  }

  #showBoard(): void {
    const { position } = this.state;
    this.board.show({
      squares: position.text,
      position,
      ...(this.player.hints ? { hints: this.player.hints } : {}),
      showsMoves: !this.player.isThinking,
    });
  }

  /** Sets the status, if it differs: screen readers read each change. */
  #say(text: string): void {
    const status = find("#status");
    if (status.textContent !== text) status.textContent = text;
  }

  #status({ side, isOver, score, mustPass, last }: Position): string {
    const other = side === "black" ? "White" : "Black";
    const played = last === undefined ? "" : `${other} ${last < 0 ? "passed" : `played ${squareName(last)}`}. `;
    if (isOver) {
      const winner = score! > 0 ? "Black wins" : score! < 0 ? "White wins" : "A draw";
      return `${played}${winner}${score === 0 ? "" : ` by ${Math.abs(score!)}`}. The game is over.`;
    }
    if (mustPass) return `${played}${capitalized(side)} has no move and has to pass.`;
    const thinks = this.player.isThinking ? " is thinking …" : " to move";
    return `${played}${capitalized(side)}${thinks}`;
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
      const name = ply < 0 ? "pass" : squareName(ply);
      const choose = make("button", `${name}${judgement?.mark ?? ""}`, { class: side, "data-key": String(index) });
      if (judgement && judgement.loss > 0) choose.title = `loses ${judgement.loss}, score ${signed(judgement.score)}`;
      if (index + 1 === state.at) choose.ariaCurrent = "true";
      choose.onclick = () => state.goTo(index + 1);
      const row = make("li");
      row.append(choose);
      return row;
    });
    if (state.origin) {
      const leave = make("button", "Back to the game", { class: "main" });
      leave.onclick = () => state.leaveVariation();
      const row = make("li", "", { class: "leave" });
      row.append(leave);
      rows.unshift(row);
    }
    refill(find("#moves"), rows);
    const opening = state.game.prefix(state.at).opening();
    find("#opening").textContent = opening === undefined ? "" : `Opening: ${opening}`;
    find("#opening").hidden = opening === undefined;
  }
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function illegalReason(position: Position, square: Square): string {
  return position.text[square] === "-" ? `${position.side} flips no disc there` : "there is a disc";
}

void begin((outflank) => {
  new Page(outflank);
  find("#about").textContent =
    `Outflank ${outflank.isa}${crossOriginIsolated ? "" : ", without shared memory"}. Everything runs in your browser.`;
});
