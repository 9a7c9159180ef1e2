// Reading of games and positions that are pasted, dropped or opened; saving and sharing.

import type { Collection, Names, Outflank, Ply, Reached, Summary } from "outflank";
import { button, discsText, find, input, make, save, select, showBoard, signed } from "./dom.js";
import { dismissMessage, fail, say } from "./messages.js";
import { addressOf, gameOfAddress } from "./address.js";
import { htmlOf, sgfOf } from "./export.js";
import { toPng } from "./picture.js";
import { SavedGames } from "./saved.js";
import { moveName, type State } from "./state.js";
import { onLanguage, t } from "./texts/texts.js";

/** Size limit of a file, in MiB. */
const MAX_MIB = 256;

/** Maximum number of games that the list shows. */
const MAX_SHOWN = 300;

/** Orders of the list; without one it is in the order of the file. */
const ORDERS: Record<string, (a: Summary, b: Summary) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  year: (a, b) => (b.year ?? 0) - (a.year ?? 0),
  score: (a, b) => (b.score ?? -65) - (a.score ?? -65),
};

export class Files {
  #collection: Collection | undefined;
  #summaries: Summary[] = [];
  #name = "";
  /** Games with the position that was searched for, by their indices. */
  #sought: Map<number, Reached> | undefined;
  /** Contents of the WTHOR file in the list; undefined for other files. */
  #database: Uint8Array | undefined;
  readonly #names: Names;

  constructor(
    private readonly outflank: Outflank,
    private readonly state: State,
    private readonly saved: SavedGames,
  ) {
    this.#names = outflank.newNames();
    const paste = find<HTMLTextAreaElement>("#paste");
    button("#read").onclick = () => {
      if (paste.value.trim() === "") say(t.nothingPasted);
      else this.readText(paste.value);
    };
    button("#open").onclick = () => input("#file").click();
    input("#file").onchange = () => void this.#open(input("#file").files);
    input("#filter").oninput = () => this.#list();
    select("#sort").onchange = () => this.#list();
    input("#only-reaching").onchange = () => this.#seek();
    button("#share").onclick = () => void this.#copy(addressOf(state).href, t.theAddress);
    button("#copy").onclick = () => this.#copyMoves();
    button("#save-ggf").onclick = () => save("game.ggf", new Blob([`${state.game.ggf()}\n`], { type: "text/plain" }));
    button("#save-sgf").onclick = () => save("game.sgf", new Blob([sgfOf(state.game)], { type: "text/plain" }));
    button("#save-html").onclick = () => this.#saveHtml();
    button("#save-svg").onclick = () => save("position.svg", new Blob([this.#svg()], { type: "image/svg+xml" }));
    button("#save-png").onclick = () => void this.#savePng();
    button("#copy-picture").onclick = () => void this.#copyPicture();
    this.#acceptDrops();
    onLanguage(() => this.#list());
  }

  /** Reads a text, in which letters and digits may be of full width. An address of a board stands for its moves. */
  readText(text: string): void {
    // Names and notes of kept games stay as they are.
    const plain = SavedGames.isFile(text) ? text : text.normalize("NFKC");
    const isAddress = /^\s*https?:\/\/\S+\s*$/i.test(plain);
    if (isAddress && this.#readAddress(plain.trim())) return;
    const moves = isAddress ? /(?:[a-h][1-8]){2,}/i.exec(plain)?.[0] : undefined;
    this.read(new TextEncoder().encode(moves ?? plain), t.theText);
  }

  /** Shows the game of an address of this page. Returns `false` for other addresses. */
  #readAddress(text: string): boolean {
    try {
      const found = gameOfAddress(this.outflank, new URL(text));
      if (found) this.state.load(found.game, found.at);
      return found !== undefined;
    } catch (failure) {
      fail(t.noAddress, failure);
      return true;
    }
  }

  /** Reads a file's contents and shows its first game. */
  read(bytes: Uint8Array, name: string): void {
    const text = new TextDecoder().decode(bytes.subarray(0, 64));
    if (SavedGames.isFile(text)) {
      this.saved.import(new TextDecoder().decode(bytes));
      return;
    }
    try {
      const collection = this.outflank.read(bytes, name, this.#names);
      this.#database = collection.format === "wthor" ? bytes : undefined;
      this.#collection = collection;
      this.#summaries = collection.summaries();
      this.#name = name;
      find("#collection").hidden = collection.size < 2;
      input("#filter").value = "";
      input("#only-reaching").checked = false;
      this.#sought = undefined;
      this.#showNext([]);
      this.#list();
      this.#show(0);
      if (collection.faultCount > 0) say(t.notAll(t.fault(collection.faults[0]!), collection.faultCount - 1), "error");
      else dismissMessage();
    } catch (failure) {
      fail(t.unreadable, failure);
    }
  }

  #show(index: number): void {
    if (this.#collection === undefined) return;
    const game = this.#collection.game(index);
    // A single game is shown at its end, a game of a list at its beginning, or at the position that was searched for.
    const at = this.#sought?.get(index)?.plies ?? (this.#collection.size > 1 ? 0 : undefined);
    this.state.load(game, at);
    showBoard();
  }

  /** Finds the games with the position on the board, if the player wants only those. */
  #seek(): void {
    const reached = input("#only-reaching").checked ? this.#collection?.reaching(this.state.position.text) : undefined;
    this.#sought = reached && new Map(reached.map((game) => [game.index, game]));
    this.#list();
    this.#showNext(reached ?? []);
  }

  /** Shows the moves that the found games go on with: their number, and black's mean score. */
  #showNext(reached: Reached[]): void {
    const groups = new Map<Ply, Reached[]>();
    for (const game of reached) {
      if (game.next !== undefined) groups.set(game.next, [...(groups.get(game.next) ?? []), game]);
    }
    const rows = [...groups].sort(([, a], [, b]) => b.length - a.length).map(([ply, games]) => {
      const scores = games.flatMap(({ index }) => this.#summaries[index]?.score ?? []);
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
      const play = make("button", moveName(ply), { class: "link" });
      play.onclick = () => this.state.play(ply);
      const name = make("th", "", { scope: "row" });
      name.append(play);
      const row = make("tr");
      row.append(name, make("td", String(games.length)), make("td", scores.length > 0 ? signed(Math.round(10 * mean) / 10) : ""));
      return row;
    });
    find("#next-moves").hidden = rows.length === 0;
    find("#next-moves tbody").replaceChildren(...rows);
  }

  #list(): void {
    const wanted = input("#filter").value.trim().toLowerCase();
    const isFiltered = input("#only-reaching").checked;
    const all = this.#summaries.map((_, index) => index);
    const indices = (isFiltered ? [...(this.#sought?.keys() ?? [])] : all).filter((index) => {
      const { name, place, year, event } = this.#summaries[index]!;
      return `${name} ${place} ${year ?? ""} ${event ?? ""}`.toLowerCase().includes(wanted);
    });
    const order = ORDERS[select("#sort").value];
    if (order) indices.sort((a, b) => order(this.#summaries[a]!, this.#summaries[b]!));
    const rest = indices.length - MAX_SHOWN;
    find("#collection-title").textContent =
      t.collection(this.#name, this.#summaries.length, this.#collection?.format === "obf") +
      (wanted || isFiltered ? t.found(indices.length) : "");
    const rows = indices.slice(0, MAX_SHOWN).map((index) => {
      const { name, place, plies, score, year, empties, event } = this.#summaries[index]!;
      const about = [place, event, year, plies > 0 ? t.plies(plies) : t.empties(empties)];
      if (score !== undefined) about.push(discsText(score));
      const choose = make("button");
      choose.append(make("strong", name), make("span", about.filter(Boolean).join(" · ")));
      choose.onclick = () => this.#show(index);
      const row = make("li");
      row.append(choose);
      return row;
    });
    if (rest > 0) rows.push(make("li", t.moreGames(rest), { class: "quiet" }));
    find("#games").replaceChildren(...rows);
  }

  async #open(files: FileList | null | undefined): Promise<void> {
    const all = [...(files ?? [])];
    const isNames = (file: File) => /\.(jou|trn)$/i.test(file.name);
    const [games, ...others] = all.filter((file) => !isNames(file));
    // Names are read first: they are shown with the games.
    let hasNames = false;
    for (const file of all.filter(isNames)) {
      const take = /jou$/i.test(file.name) ? "readPlayers" : "readTournaments";
      hasNames = (await this.#take(file, (bytes) => this.#names[take](bytes))) || hasNames;
    }
    if (games) await this.#take(games, (bytes) => this.read(bytes, games.name));
    else if (hasNames && this.#database) this.read(this.#database, this.#name);
    else if (hasNames) say(t.namesRead);
    if (others.length > 0) say(t.oneFile(games!.name, others[0]!.name));
    input("#file").value = "";
  }

  /** Passes the contents of a file to `use`. Returns `false` if that fails. */
  async #take(file: File, use: (bytes: Uint8Array) => void): Promise<boolean> {
    const mib = file.size / (1 << 20);
    if (mib > MAX_MIB) {
      say(t.tooLarge(file.name, Math.ceil(mib), MAX_MIB), "error");
      return false;
    }
    try {
      use(new Uint8Array(await file.arrayBuffer()));
      return true;
    } catch (failure) {
      fail(t.unreadableFile(file.name), failure);
      return false;
    }
  }

  #acceptDrops(): void {
    const veil = find("#drop");
    let depth = 0;
    const show = (change: number) => {
      depth = Math.max(0, depth + change);
      veil.hidden = depth === 0;
    };
    addEventListener("dragenter", () => show(1));
    addEventListener("dragleave", () => show(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      show(-depth);
      const text = event.dataTransfer?.getData("text");
      if (event.dataTransfer?.files.length) void this.#open(event.dataTransfer.files);
      else if (text) this.readText(text);
    });
  }

  #copyMoves(): void {
    try {
      void this.#copy(this.state.game.transcript(), t.theMoves);
    } catch (failure) {
      fail(t.noMoves, failure);
    }
  }

  #svg(): string {
    return this.state.game.svg(this.state.at);
  }

  #saveHtml(): void {
    if (this.state.judgements.size === 0) say(t.nothingAnalysed);
    else save("analysis.html", new Blob([htmlOf(this.state.main, this.#svg())], { type: "text/html" }));
  }

  async #savePng(): Promise<void> {
    try {
      save("position.png", await toPng(this.#svg()));
    } catch (failure) {
      fail(t.noPicture, failure);
    }
  }

  async #copyPicture(): Promise<void> {
    try {
      // The browser wants the item at once, the picture may follow.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": toPng(this.#svg()) })]);
      say(t.copied(t.thePicture));
    } catch (failure) {
      fail(t.noPicture, failure);
    }
  }

  async #copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      say(t.copied(what));
    } catch {
      // Without access to the clipboard the text can be copied by hand.
      say(text);
    }
  }
}
