// Reading of games and positions that are pasted, dropped or opened; saving and sharing.

import type { Collection, Names, Outflank, Summary } from "outflank";
import { button, find, input, make, plural, save, signed } from "./dom.js";
import { fail, say } from "./messages.js";
import { addressOf } from "./address.js";
import type { State } from "./state.js";

/** Size limit of a file, in MiB. */
const MAX_MIB = 256;

/** Maximum number of games that the list shows. */
const MAX_SHOWN = 300;

export class Files {
  #collection: Collection | undefined;
  #summaries: Summary[] = [];
  #name = "";
  /** Contents of the WTHOR file in the list; undefined for other files. */
  #database: Uint8Array | undefined;
  readonly #names: Names;

  constructor(
    private readonly outflank: Outflank,
    private readonly state: State,
  ) {
    this.#names = outflank.newNames();
    const paste = find<HTMLTextAreaElement>("#paste");
    button("#read").onclick = () => {
      if (paste.value.trim() === "") say("Nothing is pasted yet.");
      else this.read(new TextEncoder().encode(paste.value), "the text");
    };
    button("#open").onclick = () => input("#file").click();
    input("#file").onchange = () => void this.#open(input("#file").files);
    input("#filter").oninput = () => this.#list();
    button("#share").onclick = () => void this.#copy(addressOf(state).href, "The address");
    button("#copy").onclick = () => this.#copyMoves();
    button("#save-ggf").onclick = () => save("game.ggf", "text/plain", `${state.game.ggf()}\n`);
    button("#save-svg").onclick = () => save("position.svg", "image/svg+xml", state.game.svg(state.at));
    this.#acceptDrops();
  }

  /** Reads a file's contents and shows its first game. */
  read(bytes: Uint8Array, name: string): void {
    try {
      const collection = this.outflank.read(bytes, name, this.#names);
      this.#database = collection.format === "wthor" ? bytes : undefined;
      if (collection.faultCount > 0) {
        const others = plural(collection.faultCount - 1, "more place", "more places");
        const more = collection.faultCount > 1 ? ` (and ${others})` : "";
        say(`Not all of it can be read. ${collection.faults[0]}${more}`, "error");
      }
      this.#collection = collection;
      this.#summaries = collection.summaries();
      this.#name = name;
      find("#collection").hidden = collection.size < 2;
      input("#filter").value = "";
      this.#list();
      this.#show(0);
    } catch (failure) {
      fail("This cannot be read", failure);
    }
  }

  #show(index: number): void {
    if (this.#collection === undefined) return;
    const game = this.#collection.game(index);
    // A single game is shown at its end, a game of a list at its beginning.
    this.state.load(game, this.#collection.size > 1 ? 0 : undefined);
  }

  #list(): void {
    const wanted = input("#filter").value.trim().toLowerCase();
    const indices = this.#summaries.map((_, index) => index).filter((index) => {
      const { name, place, year, event } = this.#summaries[index]!;
      return `${name} ${place} ${year ?? ""} ${event ?? ""}`.toLowerCase().includes(wanted);
    });
    const rest = indices.length - MAX_SHOWN;
    find("#collection-title").textContent =
      `${this.#name}: ${this.#summaries.length} ${this.#collection?.format === "obf" ? "positions" : "games"}` +
      (wanted ? `, ${indices.length} found` : "");
    const rows = indices.slice(0, MAX_SHOWN).map((index) => {
      const { name, place, plies, score, year, empties, event } = this.#summaries[index]!;
      const about = [place, event, year, plies > 0 ? plural(plies, "ply", "plies") : `${empties} empty`];
      if (score !== undefined) about.push(signed(score));
      const choose = make("button");
      choose.append(make("strong", name), make("span", about.filter(Boolean).join(" · ")));
      choose.onclick = () => this.#show(index);
      const row = make("li");
      row.append(choose);
      return row;
    });
    if (rest > 0) rows.push(make("li", `and ${rest} more: search for the one that you want`, { class: "quiet" }));
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
    else if (hasNames) say("The names are read: they are shown with the games of a WTHOR file.");
    if (others.length > 0) say(`One file of games at a time: ${games!.name} is read, ${others[0]!.name} is not.`);
    input("#file").value = "";
  }

  /** Passes the contents of a file to `use`. Returns `false` if that fails. */
  async #take(file: File, use: (bytes: Uint8Array) => void): Promise<boolean> {
    const mib = file.size / (1 << 20);
    if (mib > MAX_MIB) {
      say(`${file.name} has ${Math.ceil(mib)} MiB: at most ${MAX_MIB} are read.`, "error");
      return false;
    }
    try {
      use(new Uint8Array(await file.arrayBuffer()));
      return true;
    } catch (failure) {
      fail(`${file.name} cannot be read`, failure);
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
      else if (text) this.read(new TextEncoder().encode(text), "the text");
    });
  }

  #copyMoves(): void {
    try {
      void this.#copy(this.state.game.transcript(), "The moves");
    } catch (failure) {
      fail("The moves cannot be copied", failure);
    }
  }

  async #copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      say(`${what}: copied.`);
    } catch {
      // Without access to the clipboard the text can be copied by hand.
      say(text);
    }
  }
}
