// Test that the memory of the page and its workers does not grow over many analyses, each of a new game.
//
// OUTFLANK_MEMORY_MINUTES=60 npx playwright test memory    # an hour instead of some seconds

import { readFileSync } from "node:fs";
import { expect, test, type Browser, type Page } from "@playwright/test";
import { open, read, tab } from "./page.js";

const MINUTES = Number(process.env["OUTFLANK_MEMORY_MINUTES"] ?? 0.3);
const WARM_UP = 3;
/** Permitted growth. It includes the hash table of an engine, which fills up during a short run. */
const MAX_GROWTH_MIB = 48;

/** Makes a game of random legal moves, as a transcript. */
function randomGame(random: () => number): string {
  const board = new Int8Array(100);
  const steps = [-11, -10, -9, -1, 1, 9, 10, 11];
  const isSquare = (at: number) => at % 10 >= 1 && at % 10 <= 8 && at >= 11 && at <= 88;
  [board[45], board[54], board[44], board[55]] = [1, 1, -1, -1];
  const flips = (at: number, side: number) =>
    steps.flatMap((step) => {
      const line: number[] = [];
      let next = at + step;
      for (; isSquare(next) && board[next] === -side; next += step) line.push(next);
      return isSquare(next) && board[next] === side ? line : [];
    });
  const squares = [...board.keys()].filter(isSquare);
  const moves: string[] = [];
  let side = 1;
  for (let passes = 0; passes < 2; side = -side) {
    const legal = squares.filter((at) => board[at] === 0 && flips(at, side).length > 0);
    passes = legal.length > 0 ? 0 : passes + 1;
    if (legal.length === 0) continue;
    const at = legal[Math.floor(random() * legal.length)]!;
    for (const flip of [at, ...flips(at, side)]) board[flip] = side;
    moves.push("abcdefgh"[(at % 10) - 1]! + Math.floor(at / 10));
  }
  return moves.join("");
}

/**
 * Measures the memory in MiB of the browser's renderer processes, which also run the workers. Garbage of the page is
 * collected first.
 */
async function usedMib(browser: Browser, page: Page): Promise<number> {
  const pageSession = await page.context().newCDPSession(page);
  await pageSession.send("HeapProfiler.collectGarbage");
  await pageSession.detach();
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send("SystemInfo.getProcessInfo")) as {
    processInfo: { type: string; id: number }[];
  };
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  const kib = renderers.map(({ id }) => {
    const text = readFileSync(`/proc/${id}/status`, "utf8");
    return ["RssAnon", "RssShmem"].reduce((sum, name) => sum + Number(text.match(`${name}:\\s*(\\d+)`)![1]), 0);
  });
  return kib.reduce((sum, value) => sum + value, 0) / 1024;
}

test("analyses one after another need no more memory", async ({ page, browser }) => {
  test.setTimeout(MINUTES * 60_000 + 60_000);
  await open(page);
  // A fixed seed gives equal games in every run: mulberry32.
  let seed = 1;
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let word = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
  await tab(page, "Analysis");
  await page.fill("#analysis-level", MINUTES > 1 ? "12" : "6");
  const used: number[] = [];
  const end = Date.now() + MINUTES * 60_000;
  let games = 0;
  for (; Date.now() < end || games < 2 * WARM_UP; games++) {
    const game = randomGame(random);
    await read(page, game);
    await tab(page, "Analysis");
    await page.click("#analyze");
    await expect(page.locator("#judgements tbody tr")).toHaveCount(game.length / 2, { timeout: 300_000 });
    await expect(page.locator("#analyze")).toHaveText("Analyse the game");
    if (games >= WARM_UP) used.push(await usedMib(browser, page));
    if (MINUTES > 1) console.log(`${new Date().toISOString()} ${games + 1} games, ${used.at(-1)?.toFixed(0)} MiB`);
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const part = Math.max(1, Math.floor(used.length / 4));
  const [first, last] = [mean(used.slice(0, part)), mean(used.slice(-part))];
  console.log(`${games} games in ${MINUTES} minutes: ${first.toFixed(0)} MiB at first, ${last.toFixed(0)} MiB at last`);
  expect(last - first).toBeLessThan(MAX_GROWTH_MIB);
});
