// Actions of the tests on the page of the board.

import { expect, type Page } from "@playwright/test";

/** Game with a pass before its 55th move and blunders by both sides. Black wins by 34. */
export const GAME =
  "e6f4d3c4f5e2b4f6g5c3e3h4c5f3g2e7g4f2h5c6g3g6h3h6d6d7c7a4f8e8a3a2d1e1f1a5b3g1b5c1h1h2b1b2d8b8b6d2c2a7a6c8a1g8a8h7g7h8f7b7";

/** Address of the pages without the headers for shared memory. */
export const BARE = "http://localhost:4174";

/** Opens the board. `hash` is the part of the address that has a game. */
export async function open(page: Page, hash = "", base = ""): Promise<void> {
  await page.goto(`${base}/${hash}`);
  await expect(page.locator("html")).toHaveAttribute("data-ready", "true");
}

export const square = (page: Page, name: string) => page.locator(`[data-square=${name}]`);
export const moves = (page: Page) => page.locator("#moves li");
export const status = (page: Page) => page.locator("#status");
export const messages = (page: Page) => page.locator("#messages");

/** Settings of the dialog of a new game. A level or a time means full strength without the book. */
export interface Choice {
  human?: "black" | "white" | "both" | "none";
  level?: number;
  seconds?: number;
  /** Place of the opponent on the slider, from 0. */
  opponent?: number;
  book?: boolean;
  threads?: number;
}

/** Changes settings in the dialog of a new game. The game on the page goes on with them. */
export async function choose(page: Page, choice: Choice): Promise<void> {
  const { human, level, seconds, opponent, threads } = choice;
  await page.click("#new");
  if (human !== undefined) await page.selectOption("#human", human);
  if (opponent !== undefined) await page.fill("#opponent", `${opponent}`);
  if (level !== undefined || seconds !== undefined) {
    await page.fill("#opponent", (await page.getAttribute("#opponent", "max"))!);
    await page.selectOption("#strength", level === undefined ? "time" : "level");
    await page.fill(level === undefined ? "#seconds" : "#level", `${level ?? seconds}`);
    await page.keyboard.press("Tab");
    await page.setChecked("#use-book", choice.book ?? false);
  }
  if (threads !== undefined) await page.selectOption("#threads", `${threads}`);
  await page.click("#start-change");
}

/** Opens a tab. */
export const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

/** Rows of the table of an analysis. */
export const judgements = (page: Page) => page.locator("#judgements tbody tr");

/** Starts the analysis of the game at a level. */
export async function analyze(page: Page, level: number): Promise<void> {
  await tab(page, "Analysis");
  await page.fill("#analysis-level", `${level}`);
  await page.click("#analyze");
}

/** Pastes a text and reads it. */
export async function read(page: Page, text: string): Promise<void> {
  await tab(page, "Files");
  await page.fill("#paste", text);
  await page.click("#read");
}

/** Makes the browser report a number of processors. */
export async function pretend(page: Page, processors: number): Promise<void> {
  await page.addInitScript((count) => {
    Object.defineProperty(navigator, "hardwareConcurrency", { value: count });
  }, processors);
}

/** Returns the disc counts of black and white that the page shows. */
export async function discs(page: Page): Promise<[number, number]> {
  const count = (side: string) => page.locator(`#${side}-player .count`).textContent();
  return [Number(await count("black")), Number(await count("white"))];
}

/** Clicks Stop and returns the milliseconds until the engine has moved. */
export async function stopTime(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const moved = () => document.querySelectorAll("#moves li").length === 2 && resolve(performance.now() - start);
        new MutationObserver(moved).observe(document.querySelector("#moves")!, { childList: true });
        document.querySelector<HTMLElement>("#stop")!.click();
      }),
  );
}
