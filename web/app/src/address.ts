// The game and the position on the page as an address, and back.

import type { Outflank } from "outflank";
import { fail } from "./messages.js";
import { squareName, type State } from "./state.js";

/** The address of what is shown: the start if it is not the usual one, the moves, and the position. */
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

/** Keeps the address of the page that of what is shown. Browsers refuse to change it many times a second. */
export function keepAddress(state: State): void {
  clearTimeout(due);
  due = setTimeout(() => {
    try {
      history.replaceState({ isLive: state.isLive }, "", addressOf(state));
    } catch {
      // Refused all the same: the next change is tried again.
    }
  }, 250);
}

/** Shows what the address says; after a reload the engine plays on. A message where it is damaged. */
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
