// Practice: the best move of positions, of mistakes in games or of random games, with repetition.

import type { Engine, Outflank, Position, SearchLimits, SearchResult, Square } from "outflank";
import { mistakes } from "./analysis.js";
import type { Hint, View } from "./board.js";
import { button, find, keepNumber, showBoard, signed } from "./dom.js";
import { fail, say } from "./messages.js";
import { settings } from "./settings.js";
import { illegalText, lineText, type State } from "./state.js";
import { hasFields, StoredList } from "./storage.js";
import { onLanguage, t } from "./texts/texts.js";

/** Position to practise. */
interface Card {
  position: string;
  /** Number of right answers in a row. */
  box: number;
  /** Time of the next repetition in milliseconds since 1970. */
  due: number;
}

/** Answer at a time, for the statistics. */
interface Answer {
  time: number;
  loss: number;
}

/** Position that is asked for. */
interface Question {
  position: Position;
  /** Chosen square, and the values of all moves, after the answer. */
  answer?: { square: Square; values: Map<Square, Hint> };
}

const DAY_MS = 86_400_000;

/** Days until the next repetition, by the number of right answers in a row. */
const DAYS = [0, 1, 3, 7, 14, 30, 90];

/** Level of the searches that grade the answers. */
const GRADING_LEVEL = 14;

/** Maximum number of answers that are kept. */
const MAX_ANSWERS = 1000;

/** Skill of the players of random games. */
const RANDOM_GAME_SKILL = "casual";

/** Number of plies of the best line after an answer. */
const SHOWN_PLIES = 6;

const isCard = (value: unknown): value is Card => hasFields(value, { position: "string", box: "number", due: "number" });
const isAnswer = (value: unknown): value is Answer => hasFields(value, { time: "number", loss: "number" });

export class Practice {
  readonly #cards = new StoredList("outflank-practice", isCard);
  readonly #answers = new StoredList("outflank-answers", isAnswer);
  #engine: Engine | undefined;
  #asked: Question | undefined;
  /** Search or game under way. A new one ends it. */
  #running: AbortController | undefined;
  /** Asks for the next position of the same kind. */
  #next: () => Promise<void> = () => Promise.resolve();
  #isOpen = false;
  /** Text of the status, in the language of the page. */
  #status: (() => string) | undefined;

  constructor(
    private readonly newEngine: () => Engine,
    private readonly outflank: Outflank,
    private readonly state: State,
    private readonly render: () => void,
  ) {
    button("#practise-mistakes").onclick = () => void this.#begin(() => this.#askMistake());
    button("#practise-random").onclick = () => void this.#begin(() => this.#askRandom());
    button("#practice-next").onclick = () => void this.#next();
    button("#practice-show").onclick = () => this.#explore();
    button("#keep-mistakes").onclick = () => this.#keepMistakes();
    keepNumber("practice-empties", "practiceEmpties", () => t.wrongEmpties);
    onLanguage(() => this.#show());
    this.#show();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens or closes the practice. Closing ends what is under way; the question stays. */
  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    if (isOpen) return;
    this.#stop();
    if (this.#asked?.answer === undefined) this.#status = this.#asked && this.#question(this.#asked);
  }

  /** Contents of the board; undefined if no position is asked for. */
  get view(): View | undefined {
    if (!this.#isOpen || !this.#asked) return undefined;
    const { position, answer } = this.#asked;
    const values = answer ? { hints: answer.values, chosen: answer.square } : {};
    return { squares: position.text, position, ...values, showsMoves: !answer };
  }

  get status(): string | undefined {
    return this.#isOpen ? this.#status?.() : undefined;
  }

  /** Ends the engine. The next search uses another one. */
  dropEngine(): void {
    this.#stop();
    this.#engine?.dispose();
    this.#engine = undefined;
  }

  /** Takes the player's answer, and shows the values of all moves. */
  async answer(square: Square): Promise<void> {
    const asked = this.#asked;
    if (!asked || asked.answer || this.#running) return;
    const { position } = asked;
    if (!position.moves.includes(square)) {
      say(illegalText(position, square), "moment");
      return;
    }
    const running = this.#start();
    this.#say(() => t.grading);
    const found = await this.#search(position.text, { level: GRADING_LEVEL, lines: 64 }, running);
    if (this.#running !== running) return;
    this.#running = undefined;
    const chosen = found?.candidates.find(({ ply }) => ply === square);
    if (!found || !chosen) {
      this.#say(this.#question(asked));
      return;
    }
    const best = found.candidates[0]!;
    const loss = best.score - chosen.score;
    const values = found.candidates.map(
      ({ ply, score }) => [ply, { score, isBest: score === best.score, isExact: false, isBook: false }] as const,
    );
    asked.answer = { square, values: new Map(values) };
    this.#record(position.text, loss);
    const result = () => [signed(best.score), lineText(best.line, SHOWN_PLIES)] as const;
    this.#say(() => (loss === 0 ? t.rightMove(...result()) : t.wrongMove(loss, ...result())));
  }

  /** Ends what is under way, and starts something new. */
  #start(): AbortController {
    this.#stop();
    return (this.#running = new AbortController());
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  /** Adds the mistakes of the analysis on the page. */
  #keepMistakes(): void {
    const { state } = this;
    const positions = mistakes(state).map(({ number }) => state.main.position(state.plyOfMove(number, state.main.plies)).text);
    const known = new Set(this.#cards.values.map(({ position }) => position));
    const added = positions.filter((position) => !known.has(position));
    const cards = added.map((position) => ({ position, box: 0, due: 0 }));
    if (this.#cards.change((kept) => [...kept, ...cards])) say(t.mistakesKept(added.length));
    this.#show();
  }

  #record(position: string, loss: number): void {
    const now = Date.now();
    if (this.#cards.values.some((card) => card.position === position)) {
      this.#cards.change((cards) =>
        cards.map((card) => {
          if (card.position !== position) return card;
          const box = loss === 0 ? Math.min(card.box + 1, DAYS.length - 1) : 0;
          return { position, box, due: now + DAYS[box]! * DAY_MS };
        }),
      );
    }
    this.#answers.change((answers) => [...answers, { time: now, loss }].slice(-MAX_ANSWERS));
  }

  async #begin(ask: () => Promise<void>): Promise<void> {
    this.#next = ask;
    await ask();
  }

  /** Asks for the mistake that has been due for the longest time. */
  async #askMistake(): Promise<void> {
    this.#stop();
    const due = this.#cards.values.filter((card) => card.due <= Date.now());
    const card = due.reduce<Card | undefined>((first, card) => (first && first.due <= card.due ? first : card), undefined);
    if (!card) {
      say(this.#cards.values.length === 0 ? t.noMistakes : t.nothingDue);
      return;
    }
    try {
      this.#ask(this.outflank.newGame(card.position).position());
    } catch (failure) {
      // Another version may have kept it.
      this.#cards.change((cards) => cards.filter(({ position }) => position !== card.position));
      fail(t.noSuchPosition, failure);
    }
  }

  /** Asks for a position of a game between weak players. */
  async #askRandom(): Promise<void> {
    const running = this.#start();
    this.#say(() => t.makingPosition);
    const player = this.outflank.newSkillPlayer(RANDOM_GAME_SKILL);
    let game = this.outflank.newGame();
    for (;;) {
      const position = game.position();
      const empties = 64 - position.black - position.white;
      if (empties <= settings.practiceEmpties && position.moves.length > 1) {
        this.#running = undefined;
        this.#ask(position);
        return;
      }
      if (position.isOver) game = this.outflank.newGame();
      else if (position.mustPass) game.pass();
      else {
        const found = await this.#search(position.text, player.limits(position.text), running);
        if (this.#running !== running) return;
        const ply = found && player.choose(position.text, found);
        if (ply === undefined || ply === null) {
          this.#running = undefined;
          this.#say(this.#asked && this.#question(this.#asked));
          return;
        }
        game.play(ply);
      }
    }
  }

  #ask(position: Position): void {
    this.#asked = { position };
    this.#say(this.#question(this.#asked));
    showBoard();
  }

  #question({ position }: Question): () => string {
    return () => t.findBest(position.side);
  }

  async #search(position: string, limits: SearchLimits, { signal }: AbortController): Promise<SearchResult | null> {
    try {
      this.#engine ??= this.newEngine();
      return await this.#engine.search(position, limits, { signal });
    } catch (failure) {
      if (!signal.aborted) fail(t.noEngineMove, failure);
      return null;
    }
  }

  /** Shows the asked position as a variation of the game, to try moves and see hints. */
  #explore(): void {
    if (this.#asked) this.state.explore(this.outflank.newGame(this.#asked.position.text));
  }

  #say(status: (() => string) | undefined): void {
    this.#status = status;
    this.#show();
    this.render();
  }

  #show(): void {
    const today = new Date().toDateString();
    const all = this.#answers.values;
    const ofToday = all.filter(({ time }) => new Date(time).toDateString() === today);
    const right = (answers: readonly Answer[]) => answers.filter(({ loss }) => loss === 0).length;
    const due = this.#cards.values.filter((card) => card.due <= Date.now()).length;
    find("#practice-mistakes").textContent = t.mistakesDue(this.#cards.values.length, due);
    find("#practice-results").textContent = t.practiceResults(right(ofToday), ofToday.length, right(all), all.length);
    find("#practice-answer").hidden = this.#asked?.answer === undefined;
  }
}
