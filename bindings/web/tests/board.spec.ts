// Tests of the board with mouse, touch and keyboard.

import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { analyze, choose, discs, GAME, judgements, messages, moves, open, read, square, status, tab } from "./page.js";

/** Drops several files on the page in one event. */
async function dropAll(page: Page, files: [name: string, contents: number[]][]): Promise<void> {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, contents] of files) transfer.items.add(new File([new Uint8Array(contents)], name));
    return transfer;
  }, files);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

const drop = (page: Page, name: string, contents: number[]) => dropAll(page, [[name, contents]]);

/** Makes a WTHOR database of games of one year. */
function wthor(games: string[], year: number): number[] {
  const file = [20, 26, 1, 31, games.length, 0, 0, 0, 0, 0, year & 255, year >> 8, 8, 0, 0, 0];
  for (const [index, game] of games.entries()) {
    const squares = game.match(/../g)!.map((name) => 10 * Number(name[1]) + "abcdefgh".indexOf(name[0]!) + 1);
    file.push(index, 0, index + 1, 0, index + 2, 0, 49, 49, ...squares, ...Array<number>(60 - squares.length).fill(0));
  }
  return file;
}

test("a game against the engine is played to its end, undone and redone", async ({ page }) => {
  await open(page);
  await choose(page, { level: 1 });
  await page.click("#new");
  await page.click("#start");
  await expect(moves(page)).toHaveCount(0);
  // Plays the first legal move each time, or passes if there is none.
  for (let turn = 0; turn < 40; turn++) {
    await expect(status(page)).toHaveText(/Black to move|Black has no move|The game is over/);
    const text = await status(page).textContent();
    if (text!.includes("over")) break;
    if (text!.includes("no move")) await page.click("#pass");
    else await page.locator("#board .legal").first().click();
  }
  await expect(status(page)).toHaveText(/wins by|draw/i);
  await expect(page.locator("#result-text")).toHaveText(/^(You (win|lose) by \d+ discs?\.|A draw\.)$/);
  await page.click("#result-close");
  const [black, white] = await discs(page);
  expect(black + white).toBeGreaterThan(50);
  const result = await status(page).textContent();
  expect(result).toContain(black > white ? "Black wins" : black < white ? "White wins" : "A draw");

  const count = await moves(page).count();
  await page.click("#undo");
  await expect(status(page)).toHaveText(/Black to move/);
  await page.click("#redo");
  await expect(page.locator("#moves [aria-current]")).toHaveCount(1);
  await expect(moves(page)).toHaveCount(count);
  await expect(status(page)).toHaveText(result!);
});

test("the name of the opening follows the position", async ({ page }) => {
  await open(page);
  await expect(page.locator("#opening")).toBeHidden();
  await read(page, "f5d6c3d3c4");
  await expect(page.locator("#opening")).toHaveText("Opening: Tiger");
  await page.click("#first");
  await expect(page.locator("#opening")).toBeHidden();
});

test("a pasted transcript is stepped through and analysed, and a better line played", async ({ page }) => {
  await open(page);
  await read(page, GAME);
  await expect(status(page)).toHaveText("Black played b7. Black wins by 34. The game is over.");
  await tab(page, "Game");
  await expect(moves(page)).toHaveCount(61);
  await page.locator("#moves button", { hasText: "pass" }).click();
  await expect(status(page)).toHaveText(/passed/);
  await page.click("#back");
  await expect(status(page)).toHaveText(/has no move and has to pass/);

  await analyze(page, 4);
  await expect(messages(page)).toContainText("60 moves analysed");
  await expect(judgements(page)).toHaveCount(60);
  expect(await page.locator("#graph circle.blunder").count()).toBeGreaterThan(0);
  await expect(page.locator("#graph svg")).toHaveAttribute("aria-label", /[1-9]\d* blunders?/);
  await expect(judgements(page).last()).toContainText("exact");

  const better = page.locator("#judgements .line").first();
  const line = (await better.textContent())!.split(" ");
  await better.click();
  await tab(page, "Game");
  await expect(page.locator("#moves [aria-current]")).toHaveText(line[0]!);
  await page.click("#leave");
  await expect(moves(page)).toHaveCount(61);
});

test("play in a variation changes neither the game nor its judgements", async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await read(page, GAME);
  await analyze(page, 4);
  await expect(messages(page)).toContainText("60 moves analysed");
  await tab(page, "Game");
  const marked = page.locator("#moves button", { hasText: "?" });
  const marks = await marked.allTextContents();
  expect(marks.length).toBeGreaterThan(3);

  await tab(page, "Analysis");
  const better = page.locator("#judgements tr.blunder .line").first();
  const line = (await better.textContent())!.split(" ");
  await better.click();
  await tab(page, "Game");
  // Marks belong to the moves of the game, not of the variation.
  await expect(page.locator("#moves [aria-current]")).toHaveText(line[0]!);
  await page.locator("#board .legal").first().click();
  await expect(judgements(page)).toHaveCount(60);
  await page.click("#leave");
  await expect(moves(page)).toHaveCount(61);
  expect(await marked.allTextContents()).toEqual(marks);

  await tab(page, "Analysis");
  await better.click();
  await page.click("#analyze");
  await expect(moves(page)).toHaveCount(61);
  await expect(judgements(page)).toHaveCount(60);
});

test("another move than the one played ends the analysis of the game", async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await read(page, GAME);
  await analyze(page, 16);
  await expect.poll(() => judgements(page).count()).toBeGreaterThan(3);
  await page.click("#first");
  await expect(page.locator("#analyze")).toHaveText("Stop");
  await square(page, "f5").click();
  await expect(page.locator("#analyze")).toHaveText("Analyse the game");
  await expect(judgements(page)).toHaveCount(0);
  await expect(moves(page)).toHaveText(["f5"]);
  await page.fill("#analysis-level", "1");
  await page.click("#analyze");
  await expect(messages(page)).toContainText("1 move analysed");
});

test("the focused row of the table stays while an analysis adds rows", async ({ page }) => {
  await open(page);
  await read(page, GAME);
  await analyze(page, 14);
  const rows = judgements(page);
  await expect.poll(() => rows.count()).toBeGreaterThan(5);
  const count = await rows.count();
  const name = rows.last().locator("th button");
  await expect(name).toContainText("60. b7");
  const kept = await name.elementHandle();
  await kept!.focus();
  await expect.poll(() => rows.count()).toBeGreaterThan(count + 2);
  expect(await kept!.evaluate((button) => button.isConnected && document.activeElement === button)).toBe(true);
  // New rows come between mouse down and mouse up.
  const number = await rows.first().locator("th button").elementHandle();
  await number!.scrollIntoViewIfNeeded();
  await number!.evaluate((button) => button.dispatchEvent(new MouseEvent("mousedown", { bubbles: true })));
  await expect.poll(() => rows.count()).toBeGreaterThan(count + 4);
  await number!.evaluate((button) => (button as HTMLElement).click());
  await expect(page.locator("#judgements [aria-current]")).toHaveText((await number!.evaluate((button) => button.closest("tr")!.textContent))!);
  const sorted = await rows.locator("th").allTextContents();
  expect(sorted.map(parseFloat)).toEqual(sorted.map(parseFloat).sort((a, b) => a - b));
});

test("dropped files: a database with a list of its games, GGF, positions", async ({ page }) => {
  await open(page);
  await tab(page, "Files");
  await drop(page, "WTH_2001.wtb", wthor([GAME, "f5d6c3d3c4"], 2001));
  await expect(page.locator("#collection-title")).toHaveText("WTH_2001.wtb: 2 games");
  await expect(page.locator("#games li")).toHaveCount(2);
  await page.fill("#filter", "game 2");
  await expect(page.locator("#games li")).toHaveCount(1);
  await page.locator("#games button").click();
  await tab(page, "Game");
  await expect(moves(page)).toHaveCount(5);
  await page.click("#forward");
  await expect(square(page, "f5")).toHaveAccessibleName("f5, black, last move");
  await page.click("#last");
  await expect(page.locator("#moves [aria-current]")).toHaveText("c4");

  const ggf = "(;GM[Othello]PB[Lucky Luke]PW[Joe]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6];)";
  await tab(page, "Set up");
  await drop(page, "game.ggf", [...new TextEncoder().encode(ggf)]);
  await expect(page.locator("#black-player .name")).toHaveText("Lucky Luke");
  await expect(page.getByRole("tab", { name: "Game" })).toHaveAttribute("aria-selected", "true");
  await expect(moves(page)).toHaveCount(2);
  await expect(square(page, "d6")).toHaveAccessibleName("d6, white, last move");

  await drop(page, "ffo.obf", [...readFileSync("../../data/problems/ffo-1-19.obf")]);
  await tab(page, "Files");
  await expect(page.locator("#games li")).toHaveCount(19);
  await page.locator("#games button", { hasText: "FFO #7" }).click();
  expect((await discs(page)).reduce((sum, count) => sum + count)).toBeLessThan(51);
});

/** Makes a name list of WTHOR, with names of `bytes` bytes. */
function nameList(names: string[], bytes: number): number[] {
  const list = names.map((name) => [...Array(bytes).keys()].map((at) => name.charCodeAt(at) || 0));
  return [20, 26, 1, 31, 0, 0, 0, 0, names.length, 0, 0, 0, 0, 0, 0, 0, ...list.flat()];
}

test("names of players and tournaments are shown, dropped with a database or after it", async ({ page }) => {
  await open(page);
  await tab(page, "Files");
  const players = nameList(["Nobody", "Tastet Marc", "Feinstein Jonathan", "Tamenori Hideshi"], 20);
  const games = page.locator("#games button");
  await dropAll(page, [
    ["wth_2001.wtb", wthor([GAME, "f5d6c3d3c4"], 2001)],
    ["WTHOR.JOU", players],
  ]);
  await expect(games.first().locator("strong")).toHaveText("Tastet Marc - Feinstein Jonathan");
  await expect(page.locator("#black-player .name")).toHaveText("Tastet Marc");
  await drop(page, "wthor.trn", nameList(["Paris Open", "Mind Sports Olympiad"], 26));
  await expect(games.nth(1)).toContainText("Mind Sports Olympiad");
  await expect(games.nth(1)).toContainText("Tamenori Hideshi");
  await page.fill("#filter", "olympiad");
  await expect(games).toHaveCount(1);

  await drop(page, "wthor.jou", players.slice(0, 50));
  await expect(messages(page)).toContainText(
    "wthor.jou cannot be read: expected 96 bytes for the 4 names of the header, found 50",
  );
  await dropAll(page, [["one.txt", [...Buffer.from("f5d6")]], ["two.txt", [...Buffer.from("f5f6")]]]);
  await expect(messages(page)).toContainText("One file of games at a time: one.txt is read, two.txt is not.");
  await expect(moves(page)).toHaveCount(2);
});

test("unreadable input is reported with its place, and the page goes on", async ({ page }) => {
  await open(page);
  for (const [text, message] of [
    ["f5d6x9", 'the text:1:5: expected a move (A1 to H8, or PS), found "x9"'],
    ["f5f5", "the text:1: move 2, F5, is not legal: the square is taken"],
    ["--XXXXX--OOOXX- X;", "the text:1:16: expected 64 squares, found 15"],
    ["hello", "expected positions (OBF) or games"],
  ] as const) {
    await read(page, text);
    await expect(messages(page)).toContainText(message);
  }
  await read(page, "f5d6c3\nf5d6c9");
  await expect(messages(page)).toContainText("Not all of it can be read. the text:2:5");
  await drop(page, "picture.png", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]);
  await expect(messages(page)).toContainText("picture.png: expected positions");
  await drop(page, "cut.wtb", wthor([GAME], 2001).slice(0, 50));
  await expect(messages(page)).toContainText("cut.wtb");

  await open(page, "#moves=f5f5");
  await expect(messages(page)).toContainText("The address cannot be read: move 2, F5, is not legal");
  // The previous game stays.
  await expect(moves(page)).toHaveCount(3);
  await page.locator("#board .legal").first().click();
  await expect(moves(page)).toHaveCount(4);
  await tab(page, "Game");
  await choose(page, { level: 99 });
  await expect(messages(page)).toContainText("a level is a whole number from 0 to 60");
  await page.click("#start-cancel");
  await page.click("#new");
  await expect(page.locator("#level")).toHaveValue("10");
  await page.click("#start-cancel");
});

test("positions are set up, shared by the address and saved", async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await tab(page, "Set up");
  await page.click("#setup-empty");
  await page.click("#setup-use");
  await expect(messages(page)).toContainText("There is no such position");
  await page.click("#setup-start");
  await page.check("[name=brush][value=O]");
  await square(page, "e4").click();
  await page.check("[name=brush][value=X]");
  await square(page, "a1").click();
  // Neither the tab nor the key End changes the position that is set up.
  await tab(page, "Set up");
  await square(page, "a1").press("End");
  await expect(square(page, "a1")).toHaveAccessibleName("a1, black");
  await page.check("[name=mover][value=O]");
  await page.click("#setup-use");
  await expect(status(page)).toHaveText("White to move");
  expect(await discs(page)).toEqual([2, 3]);
  await page.locator("#board .legal").first().click();
  await expect(moves(page)).toHaveCount(1);

  await expect(page).toHaveURL(/moves=/);
  const shared = page.url();
  const before = await page.locator("#board").ariaSnapshot();
  await page.goto("about:blank");
  await page.goto(shared);
  await expect(page.locator("html")).toHaveAttribute("data-ready", "true");
  await expect(moves(page)).toHaveCount(1);
  expect(await page.locator("#board").ariaSnapshot()).toBe(before);

  await tab(page, "Files");
  for (const [button, name, contents] of [
    ["#save-ggf", "game.ggf", /^\(;GM\[Othello\].*W\[[A-H][1-8]\];\)\n$/],
    ["#save-svg", "position.svg", /^<svg .*<\/svg>$/s],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    expect(download.suggestedFilename()).toBe(name);
    expect(readFileSync(await download.path(), "utf8")).toMatch(contents);
  }
});

test("keys play moves, step through the game and show hints", async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await square(page, "d3").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await expect(square(page, "c4")).toBeFocused();
  await expect(square(page, "c4")).toHaveAccessibleName("c4, empty, legal move");
  await page.keyboard.press("Enter");
  await expect(square(page, "c4")).toHaveAccessibleName("c4, black, last move");
  await expect(square(page, "d4")).toHaveAccessibleName("d4, black");
  await page.keyboard.press("PageUp");
  await expect(square(page, "c4")).toHaveAccessibleName("c4, empty, legal move");
  await page.keyboard.press("PageDown");
  await expect(status(page)).toHaveText("Black played c4. White to move");

  await page.locator("#tab-play").focus();
  await page.keyboard.press("u");
  await expect(status(page)).toHaveText("Black played c4. White to move");
  await page.keyboard.press("PageUp");
  await page.locator("#moves button").click();
  await expect(page.locator("#moves button")).toBeFocused();
  await square(page, "c4").focus();
  await page.keyboard.press("h");
  await expect(page.locator("#board .best .value").first()).toHaveText(/^[+−]?\d+$/);
  await expect(page.locator("#board .value:not(:empty)")).toHaveCount(3);
  await expect(page.locator("#thinking")).toHaveText(/^\d+ plies/);
  const depth = async () => Number.parseInt((await page.locator("#thinking").textContent())!);
  const first = await depth();
  await expect.poll(depth).toBeGreaterThan(first);
  await page.keyboard.press("h");
  await expect(page.locator("#board .value:not(:empty)")).toHaveCount(0);
});
