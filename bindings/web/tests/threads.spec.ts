// Tests of engines with several threads, which are workers that share their memory.

import { expect, test, type Page } from "@playwright/test";
import { BARE, choose, messages, moves, open, pretend, square, status, stopTime } from "./page.js";

/** Waits until the page has `count` workers. They take a moment to start and to end. */
async function hasWorkers(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.workers().length).toBe(count);
}

/** Starts a search for a move of the engine that lasts until it is stopped. */
async function think(page: Page): Promise<void> {
  await choose(page, { seconds: 600 });
  await square(page, "f5").click();
  await expect(page.locator("#thinking")).toHaveText(/^\d\d plies/);
}

for (const threads of [1, 2, 4]) {
  test(`FFO #20 to #39 have their scores with ${threads} threads`, async ({ page }) => {
    test.setTimeout(180_000);
    await pretend(page, 4);
    await page.goto("/kernels.html");
    await page.selectOption("#threads", String(threads));
    await page.click("#solve-20");
    await expect(page.locator("#solves tbody tr")).toHaveCount(21, { timeout: 150_000 });
    const expected = threads > 1 ? `All scores are those of the native program; ${threads} threads` : "All scores and node counts";
    await expect(page.locator("#solve-status")).toContainText(expected);
    await hasWorkers(page, threads);
    console.log(`${threads} threads: ${await page.locator("#solves tbody tr").last().textContent()}`);
  });
}

test("a search with four threads is stopped, and the engine plays on in the same workers", async ({ page }) => {
  await pretend(page, 4);
  await open(page);
  await hasWorkers(page, 4);
  const workers = page.workers();
  await think(page);
  const ms = await stopTime(page);
  console.log(`4 threads: stopped after ${ms.toFixed(0)} ms`);
  expect(ms).toBeLessThan(1000);
  await choose(page, { seconds: 0.1 });
  await page.locator("#board .legal").first().click();
  await expect(moves(page)).toHaveCount(4);
  expect(page.workers()).toEqual(workers);
  await expect(messages(page)).toBeEmpty();
});

for (const [which, index] of [["the engine's worker", 0], ["a helper", 2]] as const) {
  test(`${which} is lost, all workers are replaced, and the engine still moves`, async ({ page }) => {
    await pretend(page, 3);
    await open(page);
    await choose(page, { level: 4 });
    await square(page, "f5").click();
    await expect(moves(page)).toHaveCount(2);
    await hasWorkers(page, 3);
    await page.workers()[index]!.evaluate(() => self.close());
    await choose(page, { seconds: 600 });
    await page.locator("#board .legal").first().click();
    await expect(messages(page)).toContainText("The engine was lost and has been started again", { timeout: 15_000 });
    await expect(page.locator("#thinking")).toHaveText(/^\d+ plies/);
    await page.click("#stop");
    await expect(moves(page)).toHaveCount(4);
    await hasWorkers(page, 3);
  });
}

test("another number of threads takes effect while the engine thinks, and is kept", async ({ page }) => {
  await pretend(page, 2);
  await open(page);
  await think(page);
  await hasWorkers(page, 2);
  await choose(page, { threads: 1 });
  await hasWorkers(page, 1);
  await expect(status(page)).toHaveText("Black played f5. White is thinking …");
  await expect(page.locator("#thinking")).toHaveText(/^\d+ plies/);
  await page.reload();
  await expect(page.locator("#threads")).toHaveValue("1");
});

test("where threads cannot start, the engine goes on with one", async ({ page }) => {
  await pretend(page, 4);
  await page.addInitScript(() => {
    const { Memory } = WebAssembly;
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        if (descriptor.shared) throw new RangeError("could not allocate memory");
        super(descriptor);
      }
    };
  });
  await open(page);
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
  await hasWorkers(page, 1);
});

test("a page that is not isolated has one worker, and offers no threads", async ({ page }) => {
  await pretend(page, 4);
  await open(page, "", BARE);
  await expect(page.locator("#threads-label")).toBeHidden();
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
  await hasWorkers(page, 1);
});
