// Tests of what players do: languages, the start and the end of a game, the book, practice, kept games and pictures.

import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { analyze, choose, discs, GAME, judgements, messages, moves, open, read, square, status, tab } from "./page.js";

const bar = (page: Page) => page.locator("#bar");
const shownScore = (page: Page) => page.locator("#bar output");

/** A position in which black has the last move, on b1. */
const LAST_MOVE = `X-OOOOOX${"O".repeat(56)}X`;

test("the page speaks the language of the browser or of the player, and keeps it", { tag: "@desktop" }, async ({ browser }) => {
  const context = await browser.newContext({ locale: "ja-JP" });
  const page = await context.newPage();
  await open(page, "#moves=f5d6c3d3c4");
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await expect(status(page)).toHaveText("黒c4。白の番です");
  await expect(page.locator("#opening")).toHaveText("定石：虎");
  await expect(square(page, "f5")).toHaveAccessibleName("f5、黒".replace("、", ", "));
  await page.selectOption("#language", "en");
  await expect(status(page)).toHaveText("Black played c4. White to move");
  await expect(page.locator("#opening")).toHaveText("Opening: Tiger");
  await expect(page).toHaveTitle("Outflank: Othello in the browser");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  // No text is missing in either language.
  for (const language of ["ja", "en"]) {
    await page.selectOption("#language", language);
    const empty = await page.evaluate(() =>
      [...document.querySelectorAll("[data-text]")].filter((element) => !element.textContent).map((element) => element.outerHTML),
    );
    expect(empty).toEqual([]);
    expect(await page.locator("body").innerHTML()).not.toContain("undefined");
  }
  await context.close();
});

test("errors of games and positions are told in Japanese, too", { tag: "@desktop" }, async ({ browser }) => {
  const context = await browser.newContext({ locale: "ja-JP" });
  const page = await context.newPage();
  await open(page);
  await page.click("#tab-files");
  for (const [text, expected] of [
    ["f5d6c3d3c4d4", "6手目D4は打てません：石があります"],
    ["f5d6c3d3c4f4a1", "7手目A1は打てません：黒が返せる石がありません"],
    ["f5d6z9", "着手（A1～H8）ではありません："],
    ["こんにちは", "読み込めません"],
    ["(;GM[Othello]PB[a]PW[b]TY[8]B[f5]W[f5];)", "第1局：2手目F5は打てません：石があります"],
    ["(;GM[Othello]PB[a]PW[b]TY[8]B[f5]W[pa];)", "2手目のパスはできません：白の打てるマスがあります"],
    ["(;GM[Othello]PB[a]PW[b]TY[8]B[f5", "Bの値の後に「]」がないまま終わっています"],
  ] as const) {
    await page.fill("#paste", text);
    await page.click("#read");
    await expect(messages(page)).toContainText(expected);
    expect(await messages(page).textContent(), text).not.toMatch(/[a-z]{3} [a-z]{2}/);
  }
  await page.click("#tab-setup");
  for (const [text, expected] of [
    ["XO", "64マス（X、O、-）が必要ですが、2マスです"],
    [`${"-".repeat(27)}OX------XO${"-".repeat(27)} Z`, "マスの後に手番（XかO）が必要です："],
    [`${"-".repeat(64)} X`, "石が一つもありません"],
  ] as const) {
    await page.fill("#setup-text", text);
    await page.press("#setup-text", "Enter");
    await expect(messages(page)).toContainText(expected);
    expect(await messages(page).textContent(), text).not.toMatch(/[a-z]{3} [a-z]{2}/);
  }
  await context.close();
});

test("the result of a game is shown, the game is kept, and the next one begins", async ({ page }) => {
  await open(page, `#start=${LAST_MOVE}`);
  await expect(status(page)).toHaveText("Black to move");
  await square(page, "b1").click();
  await expect(page.locator("#result-text")).toHaveText("You lose by 48 discs.");
  await expect(page.locator("#result-counts")).toHaveText("Black 8, white 56");
  await page.click("#result-swapped");
  // The engine begins.
  await expect(page.locator("#black-player .name")).toHaveText(/^Outflank/);
  await expect(page.locator("#white-player .name")).toHaveText("You");
  await expect(moves(page)).toHaveCount(1);

  await tab(page, "Files");
  const kept = page.locator("#saved-games li");
  await expect(kept).toHaveCount(1);
  await kept.locator("input").fill("the last square");
  await kept.locator("input").press("Tab");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-ready", "true");
  await tab(page, "Files");
  await page.fill("#saved-filter", "last square");
  await expect(kept).toHaveCount(1);
  await page.fill("#saved-filter", "another");
  await expect(kept).toHaveCount(0);
  await page.fill("#saved-filter", "");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export-games")]);
  const file = readFileSync(await download.path(), "utf8");
  page.on("dialog", (dialog) => void dialog.accept());
  await kept.getByRole("button", { name: "Remove" }).click();
  await expect(page.locator("#saved")).toBeHidden();
  await read(page, file);
  await expect(messages(page)).toContainText("1 game added, 0 known before.");
  await expect(kept.locator("input")).toHaveValue("the last square");
  await kept.locator(".open").click();
  await expect(status(page)).toHaveText("Black played b1. White wins by 48. The game is over.");
  await read(page, '{"outflank games": 5}');
  await expect(messages(page)).toContainText("0 games added");
});

test("after a game the player's own mistakes are stepped through", async ({ page }) => {
  // Both sides have made mistakes, white the first.
  const plies = 50;
  await open(page, `#moves=${GAME.slice(0, 2 * plies)}`);
  await tab(page, "Analysis");
  await page.fill("#analysis-level", "2");
  await tab(page, "Game");
  await choose(page, { human: "black", level: 1 });
  const result = page.locator("#result-dialog");
  while (!(await result.isVisible())) {
    const move = page.locator("#board .legal, #pass:not([hidden])").first();
    await move.or(result).first().waitFor();
    if (await result.isVisible()) break;
    await move.click({ timeout: 1000 }).catch(() => undefined);
  }
  await page.click("#result-mistakes");
  const shown = page.locator("#judgements [aria-current]");
  await expect(messages(page)).toHaveText(/^Move \d+, /);
  await expect(page.locator("#judgements tbody tr:is(.inaccurate, .mistake, .blunder) .disc.white")).not.toHaveCount(0);
  const first = await messages(page).textContent();
  let steps = 0;
  do {
    await expect(shown.locator(".disc.black")).toHaveCount(1);
    await page.click("#next-mistake");
    steps++;
  } while ((await messages(page).textContent()) !== first);
  await expect(page.locator("#judgements tbody tr:is(.inaccurate, .mistake, .blunder) .disc.black")).toHaveCount(steps);

  // The only move of a side is no mistake.
  await open(page, `#start=${LAST_MOVE}`);
  await square(page, "b1").click();
  await page.click("#result-mistakes");
  await expect(messages(page)).toContainText("The analysis has found no mistake of yours.");
});

test("the engine plays by its book, and varies", { tag: "@desktop" }, async ({ page }) => {
  await open(page);
  await choose(page, { level: 4, book: true, human: "none" });
  const openings = new Set<string>();
  for (let game = 0; game < 12 && openings.size < 2; game++) {
    await page.click("#new");
    await page.click("#start");
    await expect(page.locator("#thinking")).toHaveText(/^by the book: [+−]?\d+$/);
    await expect(moves(page).nth(5)).toBeVisible();
    openings.add((await moves(page).allTextContents()).slice(0, 6).join());
  }
  expect(openings.size).toBeGreaterThan(1);
});

test("a book that does not load is reported once, and the engine searches", { tag: "@desktop" }, async ({ page }) => {
  await page.route("**/outflank.book*", (route) => route.abort());
  await page.addInitScript(() => Object.defineProperty(navigator, "serviceWorker", { value: undefined }));
  await open(page);
  await choose(page, { level: 2, book: true });
  await square(page, "f5").click();
  await expect(messages(page)).toContainText("The opening book cannot be loaded");
  await expect(moves(page)).toHaveCount(2);
  await page.locator("#messages button").click();
  await page.locator("#board .legal").first().click();
  await expect(moves(page)).toHaveCount(4);
  await expect(messages(page)).toBeEmpty();
});

test("the score is shown as a bar and as a graph, and the best line by arrows", async ({ page }) => {
  await open(page, `#moves=${GAME}&at=50`);
  await expect(bar(page)).toBeHidden();
  await page.click("#evaluation");
  await expect(shownScore(page)).toHaveText(/^[+−]?\d+$/);
  await expect(bar(page)).toHaveAccessibleName(/^Score for black: [+−]?\d+$/);
  await page.click("#back");
  await expect(page.locator("#play-graph svg")).toBeVisible();
  await page.click("#last");
  // The score of a game that is over is the difference of the discs, for black.
  await expect(shownScore(page)).toHaveText("+34");
  await expect(page.locator("#board .arrow")).toHaveCount(0);
  await page.click("#first");
  await page.click("#hints");
  await expect(page.locator("#board .arrow")).not.toHaveCount(0);
  await expect(page.locator("#board .book .value")).not.toHaveCount(0);
});

test("mistakes are stepped through, and practised until the answer is right", async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await read(page, GAME);
  await tab(page, "Practice");
  await page.click("#practise-mistakes");
  await expect(messages(page)).toContainText("There are no mistakes yet");
  await analyze(page, 4);
  await expect(judgements(page)).toHaveCount(60);
  await page.click("#first");
  await page.click("#next-mistake");
  await expect(messages(page)).toHaveText(/Move \d+, [a-h][1-8], lost \d+ discs\. Better: ([a-h][1-8] ?)+\./);
  // The mistake and the better move are on the board.
  await expect(page.locator("#board .value:not(:empty)")).toHaveCount(2);
  await expect(page.locator("#judgements [aria-current]")).toHaveCount(1);
  await page.check("#only-mistakes");
  const mistakes = await judgements(page).count();
  expect(mistakes).toBeLessThan(60);
  // The graph tells the score of a move under the pointer.
  const area = (await page.locator("#graph svg").boundingBox())!;
  await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
  await expect(page.locator("#graph .readout")).toHaveText(/^\d+\. [a-h][1-8]: [+−]?\d+/);

  await page.click("#keep-mistakes");
  await expect(messages(page)).toContainText(`${mistakes} mistakes added`);
  await tab(page, "Practice");
  await expect(page.locator("#practice-mistakes")).toHaveText(`${mistakes} positions, ${mistakes} due`);
  await page.click("#practise-mistakes");
  await expect(status(page)).toHaveText(/^(Black|White) to move: find the best move\.$/);
  await page.locator("#board .legal").first().click();
  await expect(status(page)).toHaveText(/^(Right: |That loses \d+ discs?\. Best: )/);
  const best = (await page.locator("#board .best").first().getAttribute("data-square"))!;
  await expect(page.locator("#practice-results")).toHaveText(/today [01] of 1/);
  // Until the answer is right the position stays due.
  for (let turn = 0; turn < mistakes; turn++) {
    await page.click("#practice-next");
    await expect(status(page)).toHaveText(/find the best move/);
    if ((await square(page, best).getAttribute("class"))!.includes("legal")) break;
    await page.locator("#board .legal").first().click();
    await expect(status(page)).toHaveText(/^(Right|That loses)/);
  }
  await page.click("#tab-play");
  await expect(moves(page)).toHaveCount(61);
});

test("random positions with a number of empty squares are practised", async ({ page }) => {
  await open(page);
  await tab(page, "Practice");
  await page.fill("#practice-empties", "46");
  await page.keyboard.press("Tab");
  await page.click("#practise-random");
  await expect(status(page)).toHaveText(/find the best move/);
  const [black, white] = await discs(page);
  expect(64 - black - white).toBeLessThanOrEqual(46);
  expect(64 - black - white).toBeGreaterThan(40);
  await page.locator("#board button:not(.legal)").first().click();
  await expect(messages(page)).toContainText("is no legal move");
  await page.locator("#board .legal").first().click();
  await expect(page.locator("#practice-show")).toBeVisible();
  await expect(page.locator("#board .chosen")).toHaveCount(1);
  await page.click("#practice-show");
  await expect(page.getByRole("tab", { name: "Game" })).toHaveAttribute("aria-selected", "true");
  expect(await discs(page)).toEqual([black, white]);
  await page.click("#leave");
  expect(await discs(page)).toEqual([2, 2]);
});

test("discs are drawn over squares, with the other colour by the right button", async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await tab(page, "Set up");
  await page.click("#setup-empty");
  const centre = async (name: string) => {
    const box = (await square(page, name).boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };
  await page.locator("#board").scrollIntoViewIfNeeded();
  await page.mouse.move(...(await centre("a1")));
  await page.mouse.down();
  await page.mouse.move(...(await centre("d1")), { steps: 12 });
  await page.mouse.up();
  expect(await discs(page)).toEqual([4, 0]);
  await square(page, "b2").click({ button: "right" });
  await expect(square(page, "b2")).toHaveAccessibleName("b2, white");
  await square(page, "c1").click();
  expect(await discs(page)).toEqual([3, 1]);
  // Another tab does not lose the setup.
  await tab(page, "Files");
  await tab(page, "Set up");
  expect(await discs(page)).toEqual([3, 1]);
  // An exercise needs no discs in the centre. Its game is analysed and shared like any other.
  await square(page, "e1").click({ button: "right" });
  await page.click("#setup-use");
  await square(page, "c3").click();
  expect(await discs(page)).toEqual([5, 1]);
  await tab(page, "Analysis");
  await page.click("#analyze");
  await expect(page.locator("#judgements tbody tr")).toHaveCount(1, { timeout: 30_000 });
  await page.reload();
  await expect.poll(() => discs(page)).toEqual([5, 1]);
});

test("the board is turned, and its letters with it", { tag: "@desktop" }, async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await tab(page, "View");
  const first = page.locator("#board button").first();
  for (const [name, top, left] of [["a8", "8", "a"], ["h8", "h", "8"], ["h1", "1", "h"], ["a1", "a", "1"]] as const) {
    await page.click("#turn");
    await expect(first).toHaveAttribute("data-square", name);
    await expect(first).toHaveAttribute("data-top", top);
    await expect(first).toHaveAttribute("data-left", left);
  }
  await page.click("#turn");
  await square(page, "f5").click();
  await expect(square(page, "f5")).toHaveAccessibleName("f5, black, last move");
});

test("text of other boards is read: full width, printed boards, addresses", { tag: "@desktop" }, async ({ page }) => {
  await open(page);
  for (const [text, count] of [
    ["Ｆ５Ｄ６Ｃ３", 3],
    ["https://www.example.com/kifu?moves=f5d6c3d3c4&x=1", 5],
    ["１．ｆ５　２．ｄ６", 2],
  ] as const) {
    await read(page, text);
    await expect(moves(page)).toHaveCount(count);
  }
  // The page's own address has an unusual start, too.
  await read(page, `${new URL(page.url()).origin}/#start=${LAST_MOVE}&moves=b1`);
  await expect(status(page)).toHaveText("Black played b1. White wins by 48. The game is over.");
});

test("cancelling the dialog changes nothing, and a reload keeps players, game and position", { tag: "@desktop" }, async ({ page }) => {
  await open(page);
  await page.click("#new");
  await page.selectOption("#human", "white");
  await page.fill("#opponent", "0");
  await page.keyboard.press("Escape");
  await square(page, "f5").click();
  await expect(moves(page)).toHaveCount(2);
  await expect(page.locator("#black-player .name")).toHaveText("You");
  await expect(page.locator("#white-player .name")).toHaveText("Outflank, casual player");
  await page.reload();
  await expect(page.locator("#black-player .name")).toHaveText("You");
  await expect(moves(page)).toHaveCount(2);
  await page.selectOption("#language", "ja");
  await expect(page.locator("#white-player .name")).toHaveText("Outflank, 初級");
  await page.selectOption("#language", "en");

  // A variation is not what a reload comes back to.
  await analyze(page, 4);
  await expect(judgements(page)).toHaveCount(2);
  await page.evaluate(() => document.querySelector<HTMLElement>("#tab-practice")!.click());
  await page.fill("#practice-empties", "50");
  await page.click("#practise-random");
  await expect(status(page)).toHaveText(/find the best move/);
  await page.locator("#board .legal").first().click();
  await page.click("#practice-show");
  await expect(page.locator("#banner")).toBeVisible();
  await page.reload();
  await expect(moves(page)).toHaveCount(2);
  await expect(page.locator("#banner")).toBeHidden();
});

test("the result of a game that is over is not shown again after a reload", { tag: "@desktop" }, async ({ page }) => {
  await open(page, `#start=${LAST_MOVE}`);
  await square(page, "b1").click();
  await expect(page.locator("#result-text")).toBeVisible();
  await page.click("#result-close");
  await page.reload();
  await expect(status(page)).toHaveText(/White wins by 48/);
  await expect(page.locator("#result-text")).toBeHidden();
  await tab(page, "Files");
  await expect(page.locator("#saved-games li")).toHaveCount(1);
});

test("a game is saved as SGF, and its analysis as a page of its own", { tag: "@desktop" }, async ({ page, context }) => {
  await open(page);
  await read(page, GAME);
  await page.click("#save-html");
  await expect(messages(page)).toContainText("Analyse the game first");
  await analyze(page, 2);
  await expect(judgements(page)).toHaveCount(60);
  await tab(page, "Files");
  const saved = async (selector: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
    return download.path();
  };
  const sgf = readFileSync(await saved("#save-sgf"), "utf8");
  expect(sgf).toMatch(/^\(;FF\[4\]GM\[2\]SZ\[8\]AP\[Outflank\]RE\[B\+34\];B\[e6\];W\[f4\].*;B\[b7\]\)\n$/s);
  const html = await saved("#save-html");
  // It can be read again, also with set-up stones and a pass.
  await read(page, sgf);
  await expect(moves(page)).toHaveCount(61);
  await read(page, `${LAST_MOVE.slice(0, 64)} X;`);
  await square(page, "b1").click();
  await page.click("#result-close");
  await tab(page, "Files");
  await read(page, readFileSync(await saved("#save-sgf"), "utf8"));
  await expect(status(page)).toHaveText("Black played b1. White wins by 48. The game is over.");

  const other = await context.newPage();
  await other.setContent(readFileSync(html, "utf8"));
  await expect(other.locator("tbody tr")).toHaveCount(60);
  await expect(other.locator("svg")).toHaveCount(2);
  await expect(other.locator("button")).toHaveCount(0);
});

test("a picture is saved as PNG, and keys are listed", { tag: "@desktop" }, async ({ page }) => {
  await open(page, "#moves=f5d6");
  await tab(page, "Files");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-png")]);
  const bytes = readFileSync(await download.path());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect(bytes.readUInt32BE(16)).toBe(1000);
  await page.locator("#first").focus();
  await page.keyboard.press("?");
  await expect(page.locator("#key-list dt")).toHaveCount(10);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await expect(status(page)).toHaveText("Black played f5. White to move");
  await page.keyboard.press("ArrowRight");
  await expect(status(page)).toHaveText("White played d6. Black to move");
  // After a click on the board the arrows step, too.
  await square(page, "a1").click();
  await page.keyboard.press("ArrowLeft");
  await expect(status(page)).toHaveText("Black played f5. White to move");
});

test("the games of a file are sorted, and found by the position on the board", { tag: "@desktop" }, async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  await read(page, `${GAME}\nf5d6c3d3c4\nc4e3f6\nd3c5f6f5e6`);
  await tab(page, "Files");
  const games = page.locator("#games li");
  await expect(games).toHaveCount(4);
  await expect(games.first()).toContainText("49–15");
  await page.selectOption("#sort", "score");
  await expect(games.first()).toContainText("49–15");
  await games.nth(1).locator("button").click();
  await page.click("#forward");
  await page.check("#only-reaching");
  // By symmetry every game has the position after its first move.
  await expect(games).toHaveCount(4);
  // All of them go on with the diagonal reply, and one has a result.
  await expect(page.locator("#next-moves tbody tr")).toHaveText(["d64+34"]);
  await page.click("#last");
  await page.uncheck("#only-reaching");
  await page.check("#only-reaching");
  // The last game is the second one, reflected.
  await expect(games).toHaveCount(2);
  await expect(page.locator("#collection-title")).toHaveText("the text: 4 games, 2 found");
  // A found game is shown at the position.
  await games.nth(1).locator("button").click();
  await expect(page.locator("#moves [aria-current]")).toHaveText("e6");
  await expect(games).toHaveCount(2);
});

test("clocks run for the side to move, and stop at the end", { tag: "@desktop" }, async ({ page }) => {
  await open(page);
  await choose(page, { human: "both" });
  const clock = (side: string) => page.locator(`#${side}-player .clock`);
  await expect(clock("black")).toBeHidden();
  await tab(page, "View");
  await page.check("#clocks");
  await expect(clock("black")).toHaveText("0:00");
  await square(page, "f5").click();
  await expect(clock("white")).toHaveText("0:02");
  await square(page, "d6").click();
  await expect(clock("black")).toHaveText("0:01");
  const white = await clock("white").textContent();
  await page.click("#first");
  await page.waitForTimeout(1500);
  expect(await clock("white").textContent()).toBe(white);
});
