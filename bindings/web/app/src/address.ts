// Conversion of the game and the position on the page to an address, and back.

import type { Game, Outflank } from "outflank";
import { fail } from "./messages.js";
import { squareName, START, type State } from "./state.js";
import { t } from "./texts/texts.js";

/** Properties of a game that the browser keeps beside the address. */
const NAMES = ["PB", "PW"] as const;

/** Contents of the browser's history beside the address. */
interface Kept {
  isLive?: boolean;
  names?: (string | undefined)[];
}

/** Returns the address of a game: an unusual start, the moves, and the position shown. */
export function addressOf({ game, at }: { game: Game; at: number }): URL {
  const parts = new URLSearchParams();
  const start = game.position(0).text;
  if (start !== START) parts.set("start", start.replace(" ", ""));
  const moves = game.plies.filter((ply) => ply >= 0);
  if (moves.length > 0) parts.set("moves", moves.map(squareName).join(""));
  if (at < game.plies.length) parts.set("at", String(at));
  const url = new URL(location.href);
  url.hash = parts.toString();
  return url;
}

/** Maximum number of changes of the address in a time: browsers refuse many. */
const MAX_CHANGES = 50;
const PERIOD_MS = 30_000;

let changes: number[] = [];
let due: ReturnType<typeof setTimeout> | undefined;

/** Updates the address after a change, at once if it can. A variation is not kept. */
export function keepAddress(state: State): void {
  clearTimeout(due);
  const now = Date.now();
  changes = changes.filter((time) => time > now - PERIOD_MS);
  if (changes.length >= MAX_CHANGES) {
    due = setTimeout(() => keepAddress(state), changes[0]! + PERIOD_MS - now);
    return;
  }
  changes.push(now);
  const { game, at } = state.origin ?? state;
  const kept: Kept = { isLive: state.isLive, names: NAMES.map((name) => game.property(name)) };
  try {
    history.replaceState(kept, "", addressOf({ game, at }));
  } catch {
    // The browser refused: the next change tries again.
  }
}

/** Reads the game of an address of this page, and the number of plies before its position. Undefined for other addresses. */
export function gameOfAddress(outflank: Outflank, url: URL): { game: Game; at: number | undefined } | undefined {
  const parts = new URLSearchParams(url.hash.slice(1));
  const [start, moves, at] = ["start", "moves", "at"].map((name) => parts.get(name));
  if (!start && !moves) return undefined;
  const game = outflank.newGame(start ? `${start.slice(0, 64)} ${start.slice(64)}` : undefined);
  const names = (moves ?? "").match(/../g) ?? [];
  if (names.join("") !== (moves ?? "")) throw new Error(t.noRow(moves!));
  for (const name of names) {
    if (!/^[a-h][1-8]$/i.test(name)) throw new Error(t.noSquare(name));
    game.play(8 * (Number(name[1]) - 1) + "abcdefgh".indexOf(name[0]!.toLowerCase()));
  }
  return { game, at: at ? Number(at) || 0 : undefined };
}

/** Shows the game of the address. After a reload the engine plays on. A damaged address leads to a message. */
export function openAddress(outflank: Outflank, state: State): boolean {
  try {
    const found = gameOfAddress(outflank, new URL(location.href));
    if (!found) return false;
    const { isLive, names } = (history.state ?? {}) as Kept;
    NAMES.forEach((name, index) => names?.[index] && found.game.setProperty(name, names[index]));
    state.load(found.game, found.at, isLive);
    return true;
  } catch (failure) {
    fail(t.noAddress, failure);
    return false;
  }
}
