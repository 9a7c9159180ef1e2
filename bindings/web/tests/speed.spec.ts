// Compares the speed of the page with that of the native program, in turn. The machine must be otherwise idle.
//
// OUTFLANK_NATIVE=../target/release/outflank npx playwright test speed --project=desktop
//
// OUTFLANK_ROUNDS (7) and OUTFLANK_THREADS (1) set the number of rounds and of threads.

import { execFileSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { pretend } from "./page.js";

const NATIVE = process.env["OUTFLANK_NATIVE"];
const ROUNDS = Number(process.env["OUTFLANK_ROUNDS"] ?? 7);
const THREADS = process.env["OUTFLANK_THREADS"] ?? "1";

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

test("nodes a second of FFO #20 to #39, against the native program at v2", async ({ page }) => {
  test.skip(NATIVE === undefined, "OUTFLANK_NATIVE names no program");
  test.setTimeout(ROUNDS * 120_000);
  await pretend(page, Math.max(Number(THREADS), 2));
  await page.goto("/kernels.html");
  await page.selectOption("#threads", THREADS);
  const speeds: Record<"native" | "page", number[]> = { native: [], page: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const weights = "../../data/weights/small.weights";
    const output = execFileSync(NATIVE!, ["solve", "--threads", THREADS, "--weights", weights, "../../data/problems/ffo-20-39.obf"], {
      encoding: "utf8",
      env: { ...process.env, OUTFLANK_ISA: "v2" },
    });
    speeds.native.push(Number(output.match(/\((\d+) N\/s\)/)![1]) / 1e6);
    await page.click("#solve-20");
    await expect(page.locator("#solves tbody tr")).toHaveCount(21, { timeout: 120_000 });
    await expect(page.locator("#solve-status")).toContainText("are those of the native program");
    speeds.page.push(Number(await page.locator("#solves tbody tr").last().locator("td").last().textContent()));
    console.log(`round ${round + 1}: native ${speeds.native.at(-1)!.toFixed(2)}, page ${speeds.page.at(-1)} million nodes a second`);
    await page.reload();
    await page.selectOption("#threads", THREADS);
  }
  const ratio = median(speeds.page) / median(speeds.native);
  console.log(`medians: ${ratio.toFixed(2)} of the native speed, ${THREADS} threads`);
  expect(ratio).toBeGreaterThan(0.5);
});
