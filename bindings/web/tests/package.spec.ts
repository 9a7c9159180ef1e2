// Tests of the npm package, packed and installed in a fresh project.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { build } from "vite";
import { serve, type Site } from "./site.js";

const project = mkdtempSync(join(tmpdir(), "outflank-"));
const sites: Site[] = [];
let packed: string[];

const run = (command: string, args: string[], cwd: string) => execFileSync(command, args, { cwd, encoding: "utf8" });

/** Example of the README of the package. */
const example = readFileSync("package/README.md", "utf8").match(/```ts\n([^]*?)```/)![1]!;

test.beforeAll(() => {
  const output = run("npm", ["pack", "--json", "--loglevel=error", "--pack-destination", project], "package");
  // Older versions of npm print a list, newer ones an object with names as keys.
  const [{ filename, files }] = Object.values(JSON.parse(output)) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  writeFileSync(join(project, "package.json"), '{ "name": "fresh", "private": true, "type": "module" }');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", filename], project);
});

test.afterAll(() => {
  for (const site of sites) site.close();
  rmSync(project, { recursive: true });
});

/** Opens a page of the folder, which runs the example of the README. Returns the lines that it logs. */
async function logged(page: Page, root: string): Promise<string[]> {
  const site = await serve(() => root, { isolated: true });
  sites.push(site);
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  page.on("pageerror", (error) => lines.push(`error: ${error.message}`));
  await page.goto(site.base);
  await expect.poll(() => lines.at(-1)).toMatch(/^([A-H][1-8] -?\d+|error.*)$/);
  return lines;
}

function isPlayed(lines: string[]): void {
  expect(lines.at(-1)).toMatch(/^[A-H][1-8] -?\d+$/);
  // The lines before are depths of the search, in order.
  const depths = lines.slice(0, -1).map((line) => Number(line.split(" ")[0]));
  expect(depths.length).toBeGreaterThan(3);
  expect(depths).toEqual(depths.toSorted((a, b) => a - b));
}

test("it has code, types, modules, weights, licences and a README, and no sources", () => {
  const modules = ["portable", "simd128", "simd128-threads"].map((name) => `wasm/${name}/outflank_web_bg.wasm`);
  const needed = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "dist/index.js", "dist/index.d.ts", "dist/worker.js"];
  expect(packed).toEqual(expect.arrayContaining([...needed, ...modules, "wasm/outflank.weights.gz"]));
  expect(packed.filter((path) => !/^(dist|wasm)\/|^(package\.json|README\.md|LICENSE-\w+)$/.test(path))).toEqual([]);
});

test("its types accept the example and reject a wrong option", () => {
  writeFileSync(join(project, "right.ts"), example);
  writeFileSync(join(project, "wrong.ts"), 'import { load } from "outflank";\n(await load()).newEngine({ hash: 1 });\n');
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const check = (file: string) =>
    run("node", [tsc, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", file], project);
  check("right.ts");
  expect(() => check("wrong.ts")).toThrow();
});

test("Node.js imports it", () => {
  const script = 'import { load, plyName } from "outflank"; console.log(plyName(37)); await load().catch((error) => console.log(error.message));';
  const output = run("node", ["--input-type=module", "--eval", script], project);
  expect(output).toBe("F5\nthis browser has no web workers\n");
});

test("a page plays with it, without a bundler", async ({ page }) => {
  const map = '{ "imports": { "outflank": "./node_modules/outflank/dist/index.js" } }';
  // The example has no types, so that it is JavaScript, too.
  writeFileSync(
    join(project, "index.html"),
    `<script type="importmap">${map}</script><script type="module">${example}</script>`,
  );
  isPlayed(await logged(page, project));
});

test("a page plays with it, bundled by Vite", async ({ page }) => {
  writeFileSync(join(project, "main.ts"), example);
  writeFileSync(join(project, "index.html"), '<script type="module" src="./main.ts"></script>');
  const options = { outDir: "dist", target: "es2022", assetsInlineLimit: 0 };
  await build({ root: project, configFile: false, logLevel: "error", worker: { format: "es" }, build: options });
  isPlayed(await logged(page, join(project, "dist")));
});
