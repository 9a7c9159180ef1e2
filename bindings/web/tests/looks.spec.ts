// Tests of the appearance and the accessibility of the page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test, type Page } from "@playwright/test";
import { GAME, open, read, square, tab } from "./page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  });
}

for (const scheme of ["light", "dark"] as const) {
  test(`no fault of accessibility, nothing cut off, in ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await open(page);
    await page.selectOption("#human", "both");
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
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.goto("/kernels.html");
    await expect(page.locator("#status")).toHaveText(/^Ready/);
    expect(await faults(page)).toEqual([]);
  });
}
