// Page of kernels: check, measurement and whole solves in this browser.

import { type Engine, type Isa, type KernelCheck, type KernelCost, type Outflank } from "outflank";
import ffo1 from "../../../../data/problems/ffo-1-19.obf?url";
import ffo20 from "../../../../data/problems/ffo-20-39.obf?url";
import { begin } from "./begin.js";
import { button, find, make, signed } from "./dom.js";
import { fail } from "./messages.js";
import { offerThreads } from "./threads.js";
import native from "./native.json";
import { applyTheme } from "./settings.js";

const RANDOM_CASES = 20_000;
const SAMPLES = 9;

applyTheme();

const NATIVE = new Map(native.map((result) => [result.name, result]));

class Page {
  #engine: Engine;
  #running: AbortController | undefined;

  constructor(private readonly outflank: Outflank) {
    this.#engine = outflank.newEngine();
    const choice = offerThreads(outflank, []);
    choice.onchange = () => {
      this.#running?.abort();
      this.#engine.dispose();
      this.#engine = outflank.newEngine({ threads: Number(choice.value) });
    };
    button("#check").onclick = () => void this.#run("#status", (signal) => this.#check(signal));
    button("#bench").onclick = () => void this.#run("#status", (signal) => this.#bench(signal));
    button("#solve-20").onclick = () => void this.#run("#solve-status", (signal) => this.#solve(ffo20, signal));
    button("#solve-1").onclick = () => void this.#run("#solve-status", (signal) => this.#solve(ffo1, signal));
    button("#stop").onclick = () => this.#running?.abort();
  }

  /** Runs `work` after it has stopped the running one. `status` is the selector of the status line. */
  async #run(status: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    running.signal.onabort = () => (find(status).textContent = "Stopped.");
    button("#stop").disabled = false;
    try {
      await work(running.signal);
    } catch (failure) {
      fail("It ended early", failure);
    }
    if (this.#running === running) {
      this.#running = undefined;
      button("#stop").disabled = true;
      find("#progress").hidden = true;
    }
  }

  #progress(done: number, all: number): void {
    const progress = find<HTMLProgressElement>("#progress");
    progress.hidden = false;
    progress.max = all;
    progress.value = done;
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { kernels } = this.outflank;
    const rows = find<HTMLTableElement>("#checks").tBodies[0]!;
    rows.replaceChildren();
    find("#checks").hidden = false;
    const checks: KernelCheck[] = [];
    const seed = Math.floor(Math.random() * 2 ** 32);
    for (const kernel of kernels) {
      find("#status").textContent = `Checking ${kernel} …`;
      this.#progress(checks.length, kernels.length);
      const check = await this.#engine.checkKernel(kernel, seed, RANDOM_CASES, { signal });
      if (check === null || signal.aborted) return;
      checks.push(check);
      const row = make("tr");
      row.append(
        make("th", kernel, { scope: "row" }),
        make("td", String(check.algorithms)),
        make("td", check.comparisons.toLocaleString("en")),
        make("td", check.difference ?? "agrees", check.difference ? { class: "bad" } : {}),
      );
      rows.append(row);
    }
    const wrong = checks.filter((check) => check.difference).length;
    const comparisons = checks.reduce((sum, check) => sum + check.comparisons, 0);
    find("#status").textContent =
      `${checks.length} kernels checked with seed ${seed}: ${comparisons.toLocaleString("en")} comparisons, ` +
      (wrong ? `${wrong} kernels differ from their references.` : "all agree.");
  }

  async #bench(signal: AbortSignal): Promise<void> {
    const { kernels } = this.outflank;
    const rows = find<HTMLTableElement>("#costs").tBodies[0]!;
    rows.replaceChildren();
    find("#pictures").replaceChildren();
    find("#costs").hidden = false;
    for (const [index, kernel] of kernels.entries()) {
      find("#status").textContent = `Measuring ${kernel} …`;
      this.#progress(index, kernels.length);
      const costs = await this.#engine.benchKernel(kernel, SAMPLES, { signal });
      if (costs === null || signal.aborted) return;
      for (const cost of costs) {
        const row = make("tr", "", cost.selected ? { class: "selected" } : {});
        row.append(
          make("th", kernel, { scope: "row" }),
          make("td", `${cost.algorithm}${cost.selected ? " *" : ""}`),
          make("td", cost.isa),
          make("td", cost.throughput.toFixed(2)),
          make("td", cost.latency?.toFixed(2) ?? "–"),
          make("td", cost.unit),
        );
        rows.append(row);
      }
      find("#pictures").append(costChart(kernel, costs));
    }
    find("#status").textContent = "Measured. * is the algorithm that searches use.";
  }

  async #solve(url: string, signal: AbortSignal): Promise<void> {
    const file = new Uint8Array(await (await fetch(url)).arrayBuffer());
    if (signal.aborted) return;
    const problems = this.outflank.read(file, "the problems");
    const lines = new TextDecoder().decode(file).split("\n").filter((line) => /^[XO-]{64}/.test(line));
    const rows = find<HTMLTableElement>("#solves").tBodies[0]!;
    rows.replaceChildren();
    find("#solves").hidden = false;
    const { threads } = this.#engine;
    const sum = { nodes: 0, ms: 0, native: 0, nativeNodes: 0, wrong: 0 };
    for (const [index, { name, empties }] of problems.summaries().entries()) {
      find("#solve-status").textContent = `Solving ${name} …`;
      await this.#engine.clear();
      const found = await this.#engine.search(problems.game(index).position().text, {}, { signal });
      if (found === null || signal.aborted) return;
      const known = NATIVE.get(name);
      const scores = [...lines[index]!.matchAll(/:([+-]?\d+)/g)].map((match) => Number(match[1]));
      const isSame = known === undefined || threads > 1 || known.nodes === found.nodes;
      const isRight = found.score === Math.max(...scores) && isSame;
      sum.nodes += found.nodes;
      sum.ms += found.ms;
      sum.native += known?.seconds ?? 0;
      sum.nativeNodes += known?.nodes ?? 0;
      sum.wrong += isRight ? 0 : 1;
      rows.append(solveRow(name, String(empties), signed(found.score), found, known?.seconds));
    }
    rows.append(solveRow("all", "", "", sum, sum.native));
    const ratio = sum.nodes / sum.ms / (sum.nativeNodes / sum.native / 1000);
    const what = threads > 1 ? "scores" : "scores and node counts";
    const threadText = threads > 1 ? `${threads} threads have ` : "";
    find("#solve-status").textContent = sum.wrong
      ? `${sum.wrong} of the problems have other ${what} than the native program.`
      : `All ${what} are those of the native program; ${threadText}${ratio.toFixed(2)} of its speed on a Xeon at 4.2 GHz.`;
  }
}

function solveRow(
  name: string,
  empties: string,
  score: string,
  { nodes, ms }: { nodes: number; ms: number },
  seconds: number | undefined,
): HTMLElement {
  const row = make("tr");
  row.append(
    make("th", name, { scope: "row" }),
    make("td", empties),
    make("td", score),
    make("td", nodes.toLocaleString("en")),
    make("td", (ms / 1000).toFixed(3)),
    make("td", seconds?.toFixed(3) ?? ""),
    make("td", (nodes / ms / 1000).toFixed(1)),
  );
  return row;
}

/** Draws a bar for the cost of every algorithm of a kernel: throughput wide, latency narrow. */
function costChart(kernel: string, costs: KernelCost[]): HTMLElement {
  const [width, left, right, height] = [340, 110, 44, 26];
  const most = Math.max(...costs.map((cost) => Math.max(cost.throughput, cost.latency ?? 0)), 0.01);
  const length = (ns: number) => Math.max(1, (ns / most) * (width - left - right)).toFixed(1);
  const bars = costs.map((cost, index) => {
    const y = index * height;
    const bar = (ns: number, top: number, tall: number, opacity: number) =>
      `<rect class="${cost.isa satisfies Isa}" x="${left}" y="${y + top}" width="${length(ns)}" height="${tall}" opacity="${opacity}"/>` +
      `<text x="${left + Number(length(ns)) + 4}" y="${y + top + 8}" font-size="9">${ns.toFixed(2)}</text>`;
    const latency = cost.latency === undefined ? "" : bar(cost.latency, 14, 7, 0.55);
    const style = cost.selected ? ' class="selected"' : "";
    return (
      `<text${style} x="${left - 6}" y="${y + 15}" text-anchor="end">${cost.algorithm}${cost.selected ? " *" : ""}</text>` +
      bar(cost.throughput, 3, 10, 1) +
      latency
    );
  });
  const figure = make("figure");
  figure.style.margin = "0";
  const title = `${kernel}: nanoseconds per ${costs[0]?.unit ?? "call"} of every algorithm, portable grey, simd128 green`;
  figure.innerHTML =
    `<h3>${kernel}, ns per ${costs[0]?.unit ?? "call"}</h3>` +
    `<svg viewBox="0 0 ${width} ${costs.length * height}" role="img" aria-label="${title}">${bars.join("")}</svg>`;
  return figure;
}

void begin((outflank) => {
  new Page(outflank);
  find("#status").textContent = `Ready, at ${outflank.isa}.`;
  find("#about").textContent = navigator.userAgent;
});
