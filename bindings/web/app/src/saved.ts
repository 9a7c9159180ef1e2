// Games that the browser keeps, with notes; all of them as one file.

import type { Game, Outflank } from "outflank";
import { button, discsText, find, input, make, save, showBoard } from "./dom.js";
import { fail, say } from "./messages.js";
import { shownName } from "./start.js";
import type { State } from "./state.js";
import { hasFields, StoredList } from "./storage.js";
import { onLanguage, t } from "./texts/texts.js";

/** Game with the time when it was saved. */
interface SavedGame {
  /** Milliseconds since 1970. */
  time: number;
  ggf: string;
  black: string;
  white: string;
  plies: number;
  note: string;
  /** Discs for black, if the game is over. */
  score?: number;
}

/** First key of an exported file, by which it is known. */
const FILE_KEY = "outflank games";

const isSavedGame = (value: unknown): value is SavedGame =>
  hasFields(value, { time: "number", ggf: "string", black: "string", white: "string", plies: "number", note: "string" });

export class SavedGames {
  readonly #list = new StoredList("outflank-games", isSavedGame);

  constructor(
    private readonly outflank: Outflank,
    private readonly state: State,
  ) {
    button("#save-game").onclick = () => this.#keepShown();
    button("#export-games").onclick = () => this.#export();
    input("#saved-filter").oninput = () => this.#show();
    onLanguage(() => this.#show());
    this.#show();
  }

  /** Returns `true` for the contents of an exported file. */
  static isFile(text: string): boolean {
    return text.trimStart().startsWith(`{"${FILE_KEY}"`);
  }

  /** Saves a game, unless it is saved already. Returns `true` if the browser keeps it. */
  keep(game: Game): boolean {
    const ggf = game.ggf();
    if (this.#list.values.some((saved) => saved.ggf === ggf)) return true;
    const { plies } = game;
    const { score } = game.position();
    const saved = {
      time: Date.now(),
      ggf,
      black: game.property("PB") ?? "",
      white: game.property("PW") ?? "",
      plies: plies.length,
      note: "",
      ...(score === undefined ? {} : { score }),
    };
    const isKept = this.#list.change((games) => [...games, saved]);
    this.#show();
    return isKept;
  }

  /** Adds the games of an exported file. */
  import(text: string): void {
    try {
      const parsed = JSON.parse(text) as Record<string, unknown>;
      const games = this.#list.validOf(parsed[FILE_KEY]);
      const known = new Set(this.#list.values.map(({ ggf }) => ggf));
      const added = games.filter(({ ggf }) => !known.has(ggf));
      const isKept = this.#list.change((old) => [...old, ...added].sort((a, b) => a.time - b.time));
      if (isKept) say(t.gamesImported(added.length, games.length - added.length));
    } catch (failure) {
      fail(t.unreadable, failure);
    }
    this.#show();
  }

  #keepShown(): void {
    if (this.state.length === 0) say(t.nothingToSave);
    else if (this.keep(this.state.game)) say(t.gameSaved);
  }

  #export(): void {
    const contents = JSON.stringify({ [FILE_KEY]: this.#list.values }, null, 1).replace("{\n ", "{");
    save("outflank-games.json", new Blob([contents], { type: "application/json" }));
  }

  #show(): void {
    const wanted = input("#saved-filter").value.trim().toLowerCase();
    const rows = this.#list.values
      .map((game) => ({ game, players: playersOf(game), text: textOf(game) }))
      .filter(({ game, players, text }) => `${players} ${text} ${game.note}`.toLowerCase().includes(wanted))
      .map(({ game, players, text }) => this.#row(game, players, text));
    find("#saved").hidden = this.#list.values.length === 0;
    find("#saved-games").replaceChildren(...rows.reverse());
  }

  #row(game: SavedGame, players: string, text: string): HTMLElement {
    const open = make("button", "", { class: "open" });
    open.append(make("strong", players), make("span", text));
    open.onclick = () => this.#open(game);
    const note = make("input", "", { placeholder: t.note, "aria-label": t.note });
    note.value = game.note;
    // The rows stay: the change may come with a click on another one.
    note.onchange = () => this.#list.change((games) => games.map((other) => (isSame(other, game) ? { ...other, note: note.value } : other)));
    const remove = make("button", "✕", { "aria-label": t.remove, title: t.remove });
    remove.onclick = () => {
      if (!confirm(t.confirmRemoval(players))) return;
      this.#list.change((games) => games.filter((other) => !isSame(other, game)));
      this.#show();
    };
    const row = make("li");
    row.append(open, note, remove);
    return row;
  }

  #open({ ggf }: SavedGame): void {
    try {
      const collection = this.outflank.read(new TextEncoder().encode(ggf), "GGF");
      this.state.load(collection.game(0));
      showBoard();
    } catch (failure) {
      fail(t.unreadable, failure);
    }
  }
}

const isSame = (one: SavedGame, other: SavedGame) => one.time === other.time && one.ggf === other.ggf;

function playersOf({ black, white }: SavedGame): string {
  return `${shownName(black) || t.sideName("black")} – ${shownName(white) || t.sideName("white")}`;
}

function textOf({ time, plies, score }: SavedGame): string {
  const date = new Date(time).toLocaleDateString(document.documentElement.lang);
  return [date, t.plies(plies), ...(score === undefined ? [] : [discsText(score)])].join(" · ");
}
