// Test of a new version on the server: files that the service worker keeps, and the time of the switch.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { build } from "vite";
import { open } from "./page.js";
import { serve, type Site } from "./site.js";

const folder = mkdtempSync(join(tmpdir(), "outflank-"));
let version = "first";
let site: Site;

/** Builds the page with its version in an attribute of the document. */
async function buildVersion(name: string): Promise<void> {
  await build({
    configFile: "vite.config.ts",
    logLevel: "error",
    build: { outDir: join(folder, name) },
    plugins: [
      {
        name: "version",
        transform: (code, id) =>
          id.endsWith("/src/main.ts") ? `${code}\ndocument.documentElement.dataset.version = "${name}";` : null,
      },
    ],
  });
}

test.beforeAll(async () => {
  await buildVersion("first");
  await buildVersion("second");
  site = await serve(() => join(folder, version));
});

test.afterAll(() => {
  site?.close();
  rmSync(folder, { recursive: true });
});

test("a new version is fetched while the old one is used, and takes its place when all its pages are closed", async ({
  context,
}) => {
  const versionOf = (name: string) => expect(page.locator("html")).toHaveAttribute("data-version", name);
  const { base } = site;
  let page = await context.newPage();
  await open(page, "", base);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  version = "second";
  await page.reload();
  await versionOf("first");
  const isWaiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.waiting !== null);
  await expect.poll(isWaiting).toBe(true);
  // The old version is still shown. Files that it has not loaded yet come from its cache.
  await page.reload();
  await versionOf("first");
  await page.goto(`${base}/kernels.html`);
  await expect(page.locator("#status")).toHaveText(/^Ready/);

  await page.close();
  await expect(async () => {
    page = await context.newPage();
    await open(page, "", base);
    const found = await page.getAttribute("html", "data-version");
    if (found !== "second") await page.close();
    expect(found).toBe("second");
  }).toPass();
  // Files of the old version are gone, and the new one needs no network.
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(1);
  await context.setOffline(true);
  await page.reload();
  await versionOf("second");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});
