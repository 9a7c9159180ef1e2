// Tests of the appearance and the accessibility of the page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test, type Page } from "@playwright/test";
import { choose, GAME, open, read, square, tab } from "./page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  });
}

test("the board is large, and a laptop shows everything without scrolling", async ({ page }, { project }) => {
  test.skip(project.name !== "desktop", "a phone scrolls");
  for (const [width, height, least] of [[1280, 720, 600], [1440, 900, 780], [1024, 768, 600]] as const) {
    await page.setViewportSize({ width, height });
    await open(page, `#moves=${GAME}`);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const board = (await page.locator("#board").boundingBox())!;
    expect(board.width).toBeGreaterThan(least);
    expect(Math.abs(board.width - board.height)).toBeLessThan(2);
    const beyond = await page.evaluate(() => [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]);
    expect(Math.max(...beyond)).toBeLessThanOrEqual(0);
  }
});

for (const scheme of ["light", "dark"] as const) {
  test(`no fault of accessibility, nothing cut off, in ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await open(page);
    await choose(page, { human: "both" });
    await square(page, "f5").click();
    await page.click("#hints");
    await expect(page.locator("#board .best .value").first()).not.toBeEmpty();
    const shoot = (name: string) =>
      page.screenshot({ path: `test-results/looks/${test.info().project.name}-${scheme}-${name}.png`, fullPage: true });
    expect(await faults(page)).toEqual([]);
    await shoot("play");
    await page.click("#hints");
    await read(page, GAME);
    expect(await faults(page)).toEqual([]);
    await tab(page, "Analysis");
    await page.fill("#analysis-level", "6");
    await page.click("#analyze");
    await expect(page.locator("#judgements tbody tr")).toHaveCount(60);
    await expect(page.locator("#analyze")).toHaveText("Analyse the game");
    expect(await faults(page)).toEqual([]);
    await shoot("analysis");
    await tab(page, "Set up");
    expect(await faults(page)).toEqual([]);
    await shoot("setup");
    for (const name of ["Practice", "Files", "View"]) {
      await tab(page, name);
      expect(await faults(page)).toEqual([]);
    }
    await page.click("#tab-play");
    await page.click("#new");
    expect(await faults(page)).toEqual([]);
    await shoot("start");
    await page.click("#start-cancel");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.goto("/kernels.html");
    await expect(page.locator("#status")).toHaveText(/^Ready/);
    expect(await faults(page)).toEqual([]);
  });
}

test("the page is ready soon, and answers a click while the engine thinks", async ({ page }) => {
  await open(page);
  const readyMs = await page.evaluate(() => performance.getEntriesByName("ready")[0]!.startTime);
  await choose(page, { seconds: 600 });
  await square(page, "f5").click();
  await expect(page.locator("#thinking")).toHaveText(/^\d\d plies/);
  const answerMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        document.querySelector<HTMLElement>("#back")!.click();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
      }),
  );
  console.log(`ready after ${readyMs.toFixed(0)} ms, a step is drawn after ${answerMs.toFixed(0)} ms while the engine thinks`);
  // The bounds are wide, for busy machines.
  expect(readyMs).toBeLessThan(5000);
  expect(answerMs).toBeLessThan(1000);
});
