// Games as SGF, and analyses as HTML.

import type { Game } from "outflank";
import { find, make } from "./dom.js";
import { shownName } from "./start.js";
import { squareName, START } from "./state.js";
import { t } from "./texts/texts.js";

const escaped = (value: string) => value.replace(/[\\\]]/g, "\\$&");

/** Writes a game as SGF (`GM[2]`). */
export function sgfOf(game: Game): string {
  const start = game.position(0);
  const { score } = game.position();
  const stones = (disc: string) =>
    [...start.text.slice(0, 64)].map((square, index) => (square === disc ? `[${squareName(index)}]` : "")).join("");
  const listed = (name: string, values: string) => (values ? name + values : "");
  const property = (name: string, value: string | undefined) => (value ? `${name}[${escaped(value)}]` : "");
  const head = [
    "FF[4]GM[2]SZ[8]AP[Outflank]",
    property("PB", game.property("PB")),
    property("PW", game.property("PW")),
    score === undefined ? "" : property("RE", score === 0 ? "0" : `${score > 0 ? "B" : "W"}+${Math.abs(score)}`),
    start.text === START ? "" : listed("AB", stones("X")) + listed("AW", stones("O")),
    start.text === START ? "" : `PL[${start.side === "black" ? "B" : "W"}]`,
  ];
  const moves = game.plies.map((ply, index) => {
    const side = game.position(index).side === "black" ? "B" : "W";
    return `;${side}[${ply < 0 ? "" : squareName(ply)}]`;
  });
  return `(;${head.join("")}${moves.join("")})\n`;
}

/** Style of an exported page. */
const STYLE =
  "body{font:1rem/1.45 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}" +
  "th,td{text-align:left;padding:.15rem .5rem;border-bottom:1px solid #ccc;font-weight:400}svg{width:100%;height:auto;max-width:40rem}" +
  ".tick{stroke:#ccc}.zero{stroke:#666}.score{fill:none;stroke:#1f5fa0;stroke-width:2.5}text{fill:#444;font-size:12px;text-anchor:end}" +
  "circle{stroke:#8a5300;stroke-width:2.5}circle.blunder{stroke:#b3261e}circle.black{fill:#111}circle.white{fill:#fff}.now{display:none}" +
  ".disc{display:inline-block;width:.8em;height:.8em;border:1px solid #000;border-radius:50%;margin-right:.4em}.disc.black{background:#111}" +
  ".disc.white{background:#fff}.board text{font-size:inherit;text-anchor:middle}";

/** Writes the analysis on the page as an HTML file of its own, with a picture of the position shown. */
export function htmlOf(game: Game, picture: string): string {
  const page = document.implementation.createHTMLDocument();
  const names = (["PB", "PW"] as const).map((name, index) => {
    const player = game.property(name);
    return player ? shownName(player) : t.sideName(index === 0 ? "black" : "white");
  });
  page.documentElement.lang = document.documentElement.lang;
  page.title = `${names.join(" – ")}: Outflank`;
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  page.head.prepend(charset);
  page.head.append(make("style", STYLE));
  const table = find("#judgements").cloneNode(true) as HTMLElement;
  table.hidden = false;
  for (const row of table.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
  for (const button of table.querySelectorAll("button")) button.replaceWith(button.textContent ?? "");
  const graph = find("#graph svg").cloneNode(true);
  // Made by the new document, which has no policy against the styles of the picture.
  const board = page.createElement("div");
  board.className = "board";
  board.innerHTML = picture;
  page.body.append(make("h1", names.join(" – ")), make("p", find("#analysis-summary").textContent ?? ""), graph, board, table);
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}
