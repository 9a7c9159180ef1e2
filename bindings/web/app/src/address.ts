// Conversion of the game and the position on the page to an address, and back.

import type { Outflank } from "outflank";
import { fail } from "./messages.js";
import { squareName, type State } from "./state.js";

/** Returns the address of the page: an unusual start, the moves, and the position shown. */
export function addressOf({ game, at }: State): URL {
  const parts = new URLSearchParams();
  const start = game.position(0).text;
  const isUsual = start === "---------------------------OX------XO--------------------------- X";
  if (!isUsual) parts.set("start", start.replace(" ", ""));
  const moves = game.plies.filter((ply) => ply >= 0);
  if (moves.length > 0) parts.set("moves", moves.map(squareName).join(""));
  if (at < game.plies.length) parts.set("at", String(at));
  const url = new URL(location.href);
  url.hash = parts.toString();
  return url;
}

let due: ReturnType<typeof setTimeout> | undefined;

/** Updates the address after changes, with a delay: browsers refuse many changes a second. */
export function keepAddress(state: State): void {
  clearTimeout(due);
  due = setTimeout(() => {
    try {
      history.replaceState({ isLive: state.isLive }, "", addressOf(state));
    } catch {
      // The browser refused: the next change tries again.
    }
  }, 250);
}

/** Shows the game of the address. After a reload the engine plays on. A damaged address leads to a message. */
export function openAddress(outflank: Outflank, state: State): boolean {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [start, moves, at] = ["start", "moves", "at"].map((name) => parts.get(name));
  if (!start && !moves) return false;
  try {
    const game = outflank.newGame(start ? `${start.slice(0, 64)} ${start.slice(64)}` : undefined);
    const names = (moves ?? "").match(/../g) ?? [];
    if (names.join("") !== (moves ?? "")) throw new Error(`"${moves}" is no row of moves`);
    for (const name of names) {
      if (!/^[a-h][1-8]$/i.test(name)) throw new Error(`"${name}" is not a square (a1 to h8)`);
      game.play(8 * (Number(name[1]) - 1) + "abcdefgh".indexOf(name[0]!.toLowerCase()));
    }
    const { isLive } = (history.state ?? {}) as { isLive?: boolean };
    state.load(game, at ? Number(at) || 0 : undefined, isLive);
    return true;
  } catch (failure) {
    fail("The address has no position", failure);
    return false;
  }
}
