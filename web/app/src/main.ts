// The page: a board to play, analyse and read games on.

import { load, type Outflank, type Position, type Side, type Square } from "outflank";
import { addressOf, openAddress } from "./address.js";
import { Analysis } from "./analysis.js";
import { BoardView } from "./board.js";
import { button, find, input, make, select, signed } from "./dom.js";
import { Files } from "./files.js";
import { fail, say } from "./messages.js";
import { Player } from "./play.js";
import { applyTheme, set, settings, type Settings } from "./settings.js";
import { Setup } from "./setup.js";
import { squareName, State } from "./state.js";
import { openTab, setUpTabs } from "./tabs.js";
import { keepOffline } from "./offline.js";

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
    const engine = outflank.newEngine();
    this.state = new State(outflank);
    this.board = new BoardView((square) => this.#choose(square));
    this.player = new Player(this.state, engine, () => this.render());
    this.setup = new Setup(outflank, this.state, () => this.render(), () => openTab("play"));
    new Analysis(outflank, this.state);
    new Files(outflank, this.state);
    setUpTabs((name) => {
      const opens = name === "setup";
      this.player.isPaused = opens;
      this.setup.isOpen = opens;
      if (opens) this.setup.open(this.state.position.text);
      this.player.update();
    });
    this.#setUpButtons();
    this.#setUpPlay();
    this.state.addEventListener("change", () => {
      history.replaceState(null, "", addressOf(this.state));
      this.player.update();
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
    else if (position.mustPass) say(`${capital(position.side)} has no move and has to pass.`);
    else if (position.moves.includes(square)) this.state.play(square);
    else say(`${squareName(square)} is no legal move: ${why(position, square)}.`);
  }

  /** Back to where the player moved last, or one move where nobody else plays. */
  #undo(): void {
    this.#step(-1, (at) => at > 0);
  }

  #redo(): void {
    this.#step(1, (at) => at < this.state.length);
  }

  #step(by: number, can: (at: number) => boolean): void {
    let { at } = this.state;
    const isOwn = () => {
      const { side, mustPass } = this.state.game.position(at);
      return !this.player.isEngine(side) && !mustPass;
    };
    const hasOwn = settings.human !== "none";
    do {
      if (!can(at)) break;
      at += by;
    } while (hasOwn && !isOwn());
    this.state.goTo(at);
  }

  #setUpButtons(): void {
    const { state } = this;
    const actions: Record<string, () => void> = {
      first: () => state.goTo(0),
      back: () => state.goTo(state.at - 1),
      forward: () => state.goTo(state.at + 1),
      last: () => state.goTo(state.length),
      undo: () => this.#undo(),
      redo: () => this.#redo(),
      pass: () => state.play(-1),
      hints: () => {
        set("hints", !settings.hints);
        this.player.update();
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
      const isTyping = (event.target as Element).matches("input, textarea, select, [role=tab]");
      if (name === undefined || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (!button(`#${name}`).hidden) actions[name]!();
    });
  }

  #setUpPlay(): void {
    select("#human").value = settings.human;
    select("#strength").value = settings.strength;
    input("#level").value = String(settings.level);
    input("#seconds").value = String(settings.seconds);
    const showStrength = () => {
      find("#level-label").hidden = settings.strength !== "level";
      find("#seconds-label").hidden = settings.strength !== "time";
    };
    showStrength();
    select("#human").onchange = () => {
      set("human", select("#human").value as Settings["human"]);
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
      this.player.isPaused = false;
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
      find("#status").textContent = "Setting up a position";
      for (const step of document.querySelectorAll<HTMLButtonElement>(".buttons button")) step.disabled = true;
      return;
    }
    const isOwn = !this.player.isThinking;
    this.board.show({
      squares: position.text,
      position,
      ...(this.player.hints ? { hints: this.player.hints } : {}),
      showsMoves: isOwn,
    });
    find("#status").textContent = this.#status(position);
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

  #status({ side, isOver, score, mustPass, last }: Position): string {
    if (isOver) {
      const winner = score! > 0 ? "Black wins" : score! < 0 ? "White wins" : "A draw";
      return `${winner}${score === 0 ? "" : ` by ${Math.abs(score!)}`}. The game is over.`;
    }
    const other = side === "black" ? "White" : "Black";
    const passed = last === -1 ? `${other} passed. ` : "";
    if (mustPass) return `${passed}${capital(side)} has no move and has to pass.`;
    const thinks = this.player.isThinking ? " is thinking …" : " to move";
    return `${passed}${capital(side)}${thinks}`;
  }

  #moves(): void {
    const { state } = this;
    const rows = state.game.plies.map((ply, index) => {
      const { side } = state.game.position(index);
      const judgement = ply >= 0 ? state.judgements.get(state.moveNumber(index + 1)) : undefined;
      const name = ply < 0 ? "pass" : squareName(ply);
      const choose = make("button", `${name}${judgement?.mark ?? ""}`, { class: side });
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
    find("#moves").replaceChildren(...rows);
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function why(position: Position, square: Square): string {
  return position.text[square] === "-" ? `${position.side} turns no disc there` : "there is a disc";
}

async function begin(): Promise<void> {
  try {
    const outflank = await load();
    new Page(outflank);
    find("#about").textContent =
      `Outflank ${outflank.isa}${crossOriginIsolated ? "" : ", without shared memory"}. Everything runs in your browser.`;
    document.documentElement.dataset["ready"] = "true";
    keepOffline();
  } catch (failure) {
    find("#status").textContent = "The engine cannot be loaded.";
    fail("The engine cannot be loaded", failure);
  }
}

void begin();
