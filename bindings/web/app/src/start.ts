// Dialog of a new game: the player's side and the strength of the engine.

import type { NamedSkill, Outflank, Side } from "outflank";
import { button, find, input, select } from "./dom.js";
import { say } from "./messages.js";
import { set, settings, type Settings } from "./settings.js";
import { onLanguage, t } from "./texts/texts.js";
import { keepThreads, showThreads } from "./threads.js";

/** Name of the skill that loses nothing. The dialog has full strength in its place. */
const UNLIMITED = "unlimited";

export class StartDialog {
  readonly #dialog = find<HTMLDialogElement>("#start-dialog");
  readonly #skills: NamedSkill[];

  /** Calls `begin` for a new game with the settings of the dialog, and `change` to go on with them. */
  constructor(outflank: Outflank, begin: () => void, change: () => void) {
    this.#skills = outflank.skills.filter(({ name }) => name !== UNLIMITED);
    input("#opponent").max = String(this.#skills.length);
    input("#opponent").oninput = () => this.#show();
    select("#strength").onchange = () => this.#show();
    const close = (act: () => void) => {
      if (!this.#keep()) return;
      this.#dialog.close();
      act();
    };
    find("#new-game").addEventListener("submit", (event) => {
      event.preventDefault();
      close(begin);
    });
    button("#start-change").onclick = () => close(change);
    button("#start-cancel").onclick = () => this.#dialog.close();
    onLanguage(() => this.#show());
    this.#fill();
  }

  /** Opens the dialog with the settings of the game. */
  open(): void {
    this.#fill();
    this.#dialog.showModal();
  }

  #fill(): void {
    const { human, strength, skill, level, seconds, book } = settings;
    select("#human").value = human;
    // A name of another version may be missing.
    const index = Math.max(this.#skills.findIndex(({ name }) => name === skill), 0);
    input("#opponent").value = String(strength === "skill" ? index : this.#skills.length);
    select("#strength").value = strength === "time" ? "time" : "level";
    input("#level").value = String(level);
    input("#seconds").value = String(seconds);
    input("#use-book").checked = book;
    showThreads();
    this.#show();
  }

  get #skill(): NamedSkill | undefined {
    return this.#skills[input("#opponent").valueAsNumber];
  }

  /** Keeps the settings of the dialog. Returns `false`, and tells the player, if one is not possible. */
  #keep(): boolean {
    const skill = this.#skill;
    const byTime = select("#strength").value === "time";
    for (const [name, isUsed, expected] of [["level", !skill && !byTime, t.wrongLevel], ["seconds", !skill && byTime, t.wrongSeconds]] as const) {
      const field = input(`#${name}`);
      if (field.checkValidity() && field.value !== "") set(name, field.valueAsNumber);
      else if (isUsed) {
        say(t.wrongValue(field.value, expected), "error");
        return false;
      }
    }
    set("human", select("#human").value as Settings["human"]);
    if (skill) set("skill", skill.name);
    set("strength", skill ? "skill" : byTime ? "time" : "level");
    set("book", input("#use-book").checked);
    keepThreads();
    return true;
  }

  #show(): void {
    const skill = this.#skill;
    const name = skill ? t.rating(t.skillNames[skill.name] ?? skill.name, skill.rating) : t.fullStrength;
    find("#opponent-name").textContent = name;
    input("#opponent").setAttribute("aria-valuetext", name);
    find("#full-strength").hidden = skill !== undefined;
    find("#level-label").hidden = select("#strength").value === "time";
    find("#seconds-label").hidden = select("#strength").value !== "time";
  }
}

/** Name of the player in records. The page shows it in its language. */
const YOU = "You";

/** Name of a side's player in records: the player, or the engine with its skill if it is weaker on purpose. */
export function recordName(isEngine: boolean): string {
  if (!isEngine) return YOU;
  return settings.strength === "skill" ? `Outflank (${settings.skill})` : "Outflank";
}

/** Name of a player in the language of the page. */
export function shownName(name: string): string {
  if (name === YOU) return t.you;
  const skill = /^Outflank \((\w+)\)$/.exec(name)?.[1];
  return skill ? `Outflank, ${t.skillNames[skill] ?? skill}` : name;
}

/** Side of the player; undefined for both or none. */
export function ownSide(): Side | undefined {
  return settings.human === "black" || settings.human === "white" ? settings.human : undefined;
}
