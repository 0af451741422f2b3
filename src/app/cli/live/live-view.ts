import type { PawlError } from "../../../domain/errors.ts";
import type { Instant, LegKey, TaskId } from "../../../domain/names.ts";
import { pristine } from "../../../domain/pristine.ts";
import { isTerminal, type Task } from "../../../domain/task.ts";
import type { Board } from "../../../engine/board.ts";
import type { Ticked } from "../../../engine/parts.ts";
import type { Palette } from "../palette.ts";
import { jsonText, oneLine } from "../printable.ts";
import { counted } from "../views/amounts.ts";
import { WIDTH } from "../views/columns.ts";
import { factTeller, type Line, lineText } from "../views/fact-lines.ts";
import { faultLines } from "../views/fault-lines.ts";
import { type Heading, type LiveState, liveBlock } from "../views/live-block.ts";
import { type Ink, inkOf, inOrder, type Sight } from "../views/scene.ts";
import { type Face, localOffset } from "../views/times.ts";
import { type Out, screen } from "./screen.ts";

/** What run folders say of a live leg: asked when the picture is drawn, never by the engine. */
export type Signs = (leg: LegKey) => Sight;

export interface LiveOptions {
  readonly stdout: Out;
  /** where events go that must not stand between JSON lines; default: nowhere */
  readonly stderr?: Out;
  /** the picture is drawn and redrawn; false: complete lines, nothing redrawn */
  readonly isTerminal: boolean;
  /** each tick's facts as one JSON line, as they are committed; no other line on stdout */
  readonly json?: boolean;
  readonly now: () => Instant;
  readonly columns: () => number;
  readonly rows?: () => number;
  readonly paint: Palette;
  /** minutes east of UTC; default: of this machine */
  readonly offset?: Face["offset"];
  readonly heading?: Heading;
  /** the rows when it begins: those at work are said to be adopted */
  readonly board?: Board;
  /** only these tasks are in the picture; null and absent: all */
  readonly only?: ReadonlySet<TaskId> | null;
}

/** What a person sees of a run while it goes on. */
export interface LiveView {
  /** sees a turn while the board is as that left it; what it gives back shows it */
  onTick(ticked: Ticked, signs: Signs): () => void;
  /** what is wrong with the files now; nothing: all is right again */
  onFaults(errors: readonly PawlError[]): void;
  /** what no fact says; beside JSON on stderr */
  note(word: string, text: string): void;
  /** a line of somebody else's, above the picture */
  event(line: string): void;
  /** takes the picture away; what was told stays */
  close(): void;
}

/** Redrawn at most so often, and at least once a second: times go on. */
const DRAW_MS = 250;
const CLOCK_MS = 1_000;
/** Tasks that have not started are only counted where they are more than these. */
const MOST_SEEDS = 100;

export const createLiveView = (options: LiveOptions): LiveView =>
  options.json ? jsonView(options) : options.isTerminal ? pictureView(options) : lineView(options);

function jsonView({ stdout, stderr }: LiveOptions): LiveView {
  return {
    onTick:
      ({ seq, now, inputs, facts }) =>
      () =>
        void stdout.write(`${jsonText({ seq, now, inputs, facts })}\n`),
    onFaults: (errors) => void stdout.write(`${jsonText({ faults: errors.map(faultJson) })}\n`),
    note: (word, text) => void stderr?.write(`${word}: ${oneLine(text)}\n`),
    event: (line) => void stderr?.write(`${line}\n`),
    close() {},
  };
}

const faultJson = ({ code, message, at, next }: PawlError) => ({ code, message, ...at, next });

function lineView(options: LiveOptions): LiveView {
  const told = teller(options, null);
  return {
    onTick(ticked) {
      const lines = told(ticked);
      return () => {
        for (const line of lines) options.stdout.write(`${line}\n`);
      };
    },
    onFaults(errors) {
      for (const line of ownTexts(options, faultLines(errors), null)) options.stdout.write(`${line}\n`);
    },
    note(word, text) {
      for (const line of ownTexts(options, [noteLine(word, text)], null)) options.stdout.write(`${line}\n`);
    },
    event: (line) => void (options.stderr ?? options.stdout).write(`${line}\n`),
    close() {},
  };
}

/** Facts to lines: those of the first tick are led by what was adopted. `width`: texts are cut there; null: they are whole. */
function teller(
  { now, paint, offset = localOffset, board }: LiveOptions,
  width: (() => number) | null,
): (ticked: Ticked) => readonly string[] {
  const ink = inkOf(paint, WIDTH);
  const { tell } = factTeller(board?.rows.values() ?? []);
  let adopted = board === undefined ? [] : adoption(board);
  let idWidth = LEAST_ID;
  return ({ facts, now: at, board: after }) => {
    const face: Face = { now: now(), offset };
    const lines = [...adopted, ...tell(facts, { find: (id) => after.find(id), map: (hash) => after.map(hash) }, face)];
    adopted = [];
    idWidth = lines.reduce((most, { task }) => Math.min(MOST_ID, Math.max(most, task?.length ?? 0)), idWidth);
    return lines.map((line) => lineText(line, { now: at, face, idWidth, width: width?.() ?? null }, ink));
  };
}
const LEAST_ID = 8;
const MOST_ID = 24;

const noteLine = (word: string, text: string): Line => ({
  task: null,
  phase: null,
  word,
  text: oneLine(text),
  tone: "yours",
});

/** Lines that no tick tells. */
function ownTexts(options: LiveOptions, lines: readonly Line[], width: number | null): readonly string[] {
  const now = options.now();
  const face: Face = { now, offset: options.offset ?? localOffset };
  const ink = inkOf(options.paint, WIDTH);
  return lines.map((line) => lineText(line, { now, face, idWidth: LEAST_ID, width }, ink));
}

function adoption(board: Board): readonly Line[] {
  const running = inOrder(board.rows.values()).filter((task) => task.doing.kind === "running");
  if (running.length === 0) return [];
  const text = `${counted(running.length, "worker")}: ${running.map(({ id }) => id).join(", ")}`;
  return [{ task: null, phase: null, word: "adopted", text, tone: "plain" }];
}

/**
 * States: nothing drawn yet; drawn; closed. Each tick and event only marks the picture as old; it is drawn at once if
 * the last time is long enough ago, else by a timer.
 */
function pictureView(options: LiveOptions): LiveView {
  const { stdout, columns, rows = () => 24 } = options;
  const told = teller(options, () => columns() - 1);
  const picture = screen(stdout, () => ({ columns: columns(), rows: rows() }));
  let lines: string[] = [];
  let last: { board: Board; signs: Signs } | null = null;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  const draw = (): void => {
    timer = null;
    drawnAt = performance.now();
    // A terminal that does not keep up gets the newest picture when it does.
    if (stdout.writableNeedDrain) return;
    const block = last === null ? [] : liveBlock(stateOf(options, last), rows(), inkFor(options));
    picture.draw(lines, block);
    lines = [];
  };
  const soon = (): void => {
    const wait = drawnAt + DRAW_MS - performance.now();
    if (wait <= 0 && timer === null) draw();
    else timer ??= setTimeout(draw, wait).unref();
  };
  const clock = setInterval(soon, CLOCK_MS).unref();
  return {
    onTick(ticked, signs) {
      const more = told(ticked);
      return () => {
        lines.push(...more);
        last = { board: ticked.board, signs };
        soon();
      };
    },
    onFaults(errors) {
      lines.push(...ownTexts(options, faultLines(errors), columns() - 1));
      soon();
    },
    note(word, text) {
      lines.push(...ownTexts(options, [noteLine(word, text)], columns() - 1));
      soon();
    },
    event(line) {
      lines.push(line);
      soon();
    },
    close() {
      clearInterval(clock);
      if (timer !== null) clearTimeout(timer);
      timer = null;
      picture.draw(lines, []);
      lines = [];
      last = null;
    },
  };
}

/** One column is left free: a line that fills the last one is broken by some terminals. */
const inkFor = ({ paint, columns }: LiveOptions): Ink => inkOf(paint, Math.min(WIDTH, columns() - 1));

function stateOf(options: LiveOptions, { board, signs }: { board: Board; signs: Signs }): LiveState {
  const rows = [...board.rows.values()];
  const isWanted = ({ id }: { id: TaskId }): boolean => options.only?.has(id) ?? true;
  const live = rows.filter((task) => !isTerminal(task) && isWanted(task));
  const few = board.seeds.size <= MOST_SEEDS ? [...board.seeds.values()].filter(isWanted).map(pristine) : [];
  const face: Face = { now: options.now(), offset: options.offset ?? localOffset };
  const sights = new Map<TaskId, Sight>(live.flatMap((task) => sightOf(task, signs)));
  return {
    heading: options.heading ?? { repo: "", base: "", map: "", epoch: 0, since: face.now },
    ended: [...board.ended.values(), ...rows.filter(isTerminal)],
    seeds: board.seeds.size,
    workers: board.holders("worker").length,
    scene: { face, world: board, tasks: inOrder([...live, ...few]), sights, holder: OURS, ticked: board.now },
  };
}

const sightOf = ({ id, doing }: Task, signs: Signs): readonly (readonly [TaskId, Sight])[] =>
  doing.kind === "running" ? [[id, signs(doing.leg)]] : [];

/** The picture is drawn by the holder itself. */
const OURS = { pid: process.pid, host: "", since: 0 as Instant, epoch: 0, alive: true };
