// Tests of the engine behind the page, if something is missing or lost.

import { expect, test } from "@playwright/test";
import { analyze, BARE, choose, GAME, judgements, messages, moves, open, read, square, status, stopTime } from "./page.js";

for (const [name, base] of [["isolated", ""], ["not isolated", BARE]] as const) {
  test(`a search is stopped, and the engine plays on: ${name}`, async ({ page }) => {
    await open(page, "", base);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(base === "");
    await choose(page, { seconds: 600 });
    await square(page, "f5").click();
    await expect(page.locator("#thinking")).toHaveText(/^\d\d plies/);
    // The page stays responsive during the search. Both bounds are wide, for busy machines.
    const frame = await page.evaluate(async () => {
      let longest = 0;
      let last = performance.now();
      for (let i = 0; i < 60; i++) {
        await new Promise(requestAnimationFrame);
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      return longest;
    });
    const ms = await stopTime(page);
    test.info().annotations.push({ type: "stop", description: `${ms.toFixed(0)} ms` });
    console.log(`${name}: stopped after ${ms.toFixed(0)} ms, longest frame ${frame.toFixed(0)} ms`);
    expect(ms).toBeLessThan(1000);
    expect(frame).toBeLessThan(500);
    await expect(status(page)).toHaveText(/^White played [a-h][1-8]\. Black to move$/);
    await choose(page, { seconds: 0.1 });
    await page.locator("#board .legal").first().click();
    await expect(moves(page)).toHaveCount(4);
  });
}

test("a lost worker is replaced, and the engine still moves", async ({ page }) => {
  await open(page);
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
  await page.workers()[0]!.evaluate(() => self.close());
  await page.locator("#board .legal").first().click();
  await expect(messages(page)).toContainText("The engine was lost and has been started again", { timeout: 15_000 });
  await expect(moves(page)).toHaveCount(4);
});

test("a worker that starts slowly is waited for", async ({ page }) => {
  await page.route("**/worker-*.js", async (route) => {
    await new Promise((done) => setTimeout(done, 7_000));
    await route.continue();
  });
  await open(page);
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
  await expect(messages(page)).toBeEmpty();
});

test("the engine plays on in a game that is reloaded, and waits in one that is shared", async ({ page, context }) => {
  await open(page);
  await choose(page, { seconds: 600 });
  await square(page, "f5").click();
  await expect(status(page)).toHaveText("Black played f5. White is thinking …");
  await expect(page).toHaveURL(/moves=f5/);
  await page.reload();
  await expect(status(page)).toHaveText("Black played f5. White is thinking …");

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(status(other)).toHaveText("Black played f5. White to move");
  await choose(other, { human: "white" });
  await choose(other, { human: "black" });
  await expect(status(other)).toHaveText("Black played f5. White is thinking …");
});

test("an analysis is stopped, and keeps what it has", async ({ page }) => {
  await open(page);
  await read(page, GAME);
  await analyze(page, 24);
  await expect.poll(() => judgements(page).count()).toBeGreaterThan(5);
  await page.click("#analyze");
  await expect(page.locator("#analyze")).toHaveText("Analyse the game");
  expect(await judgements(page).count()).toBeLessThan(60);
});

test("the page works without a network once it was loaded, and is then isolated", async ({ page, context }) => {
  await open(page, "", BARE);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await context.setOffline(true);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-ready", "true");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
});

test("without vectors the portable module plays, also without a network", async ({ page, context }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await open(page);
  await expect(page.locator("#about")).toContainText("portable");
  expect(requests.filter((url) => url.endsWith(".wasm"))).toEqual([expect.stringContaining("portable")]);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await context.setOffline(true);
  await page.reload();
  await expect(page.locator("#about")).toContainText("portable");
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
});

test("full storage, missing workers and missing WebAssembly are reported", async ({ page, context }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  await open(page);
  await page.click("#hints");
  await expect(messages(page)).toContainText("Settings are not kept");
  await expect(page.locator("#hints")).toHaveAttribute("aria-pressed", "true");

  for (const [missing, message] of [
    ["Worker", "this browser has no web workers"],
    ["WebAssembly", "this browser has no WebAssembly"],
  ] as const) {
    const other = await context.newPage();
    await other.addInitScript((name) => {
      Object.defineProperty(globalThis, name, { value: undefined });
    }, missing);
    await other.goto("/");
    await expect(messages(other)).toContainText(message);
  }
});

test("a weaker opponent plays, and is remembered", async ({ page }) => {
  await open(page);
  await choose(page, { opponent: 0 });
  await expect(page.locator("#opponent-name")).toHaveText(/^beginner, Elo \d+$/);
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
  await expect(status(page)).toHaveText(/^White played [a-h][1-8]\. Black to move$/);
  await page.locator("#board .legal").first().click();
  await expect(moves(page)).toHaveCount(4);
  await expect(messages(page)).toBeEmpty();
  await page.reload();
  await page.click("#new");
  await expect(page.locator("#opponent-name")).toHaveText(/^beginner/);
  await expect(page.locator("#full-strength")).toBeHidden();
});
