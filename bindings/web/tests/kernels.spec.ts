// Tests of the page of kernels.

import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";

/** Results of the native program. The first 19 are FFO #1 to #19. */
const NATIVE = JSON.parse(readFileSync("app/src/native.json", "utf8")) as { nodes: number }[];

/** Number of kernels: each has a file for every level. */
const KERNELS = readdirSync("../../kernels/src/generated/simd128").filter((name) => name !== "mod.rs").length;

test("all kernels agree with their references, and are measured", async ({ page }) => {
  test.setTimeout(480_000);
  await page.goto("/kernels.html");
  await expect(page.locator("#status")).toHaveText("Ready, at simd128.");
  await page.click("#check");
  await expect(page.locator("#status")).toHaveText(new RegExp(`^${KERNELS} kernels checked .* all agree\\.$`), { timeout: 220_000 });
  await expect(page.locator("#checks tbody tr")).toHaveCount(KERNELS);
  await page.click("#bench");
  await expect(page.locator("#status")).toHaveText(/^Measured/, { timeout: 220_000 });
  await expect(page.locator("#pictures svg")).toHaveCount(KERNELS);
  const levels = await page.locator("#costs tbody td:nth-child(3)").allTextContents();
  expect(new Set(levels)).toEqual(new Set(["portable", "simd128"]));
});

test("a check that is stopped says so", async ({ page }) => {
  await page.goto("/kernels.html");
  await expect(page.locator("#status")).toHaveText(/^Ready/);
  await page.click("#check");
  await expect(page.locator("#status")).toHaveText(/^Checking/);
  await page.click("#stop");
  await expect(page.locator("#stop")).toBeDisabled();
  await expect(page.locator("#status")).toHaveText("Stopped.");
});

for (const isa of ["simd128", "portable"] as const) {
  test(`FFO #1 to #19 have the scores and the node counts of the native program, at ${isa}`, async ({ page }) => {
    if (isa === "portable") await page.addInitScript(() => (WebAssembly.validate = () => false));
    await page.goto("/kernels.html");
    await expect(page.locator("#status")).toHaveText(`Ready, at ${isa}.`);
    await page.click("#solve-1");
    await expect(page.locator("#solve-status")).toHaveText(/^All scores and node counts are those of the native program/);
    await expect(page.locator("#solves tbody tr")).toHaveCount(20);
    const nodes = NATIVE.slice(0, 19).reduce((sum, result) => sum + result.nodes, 0);
    await expect(page.locator("#solves tbody tr").last()).toContainText(nodes.toLocaleString("en-US"));
  });
}
