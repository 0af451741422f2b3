import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { face, MAP, NOW, row, sceneOf } from "../../../../test/support/scenes.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Fact } from "../../../domain/fact.ts";
import type { HostName, Instant, LegKey, TaskId } from "../../../domain/names.ts";
import type { Running } from "../../../domain/task.ts";
import type { Board } from "../../../engine/board.ts";
import { paletteOf } from "../palette.ts";
import { createLiveView, type LiveOptions } from "./live-view.ts";

const ESC = "\u001b[";
const id = "task-003" as TaskId;
const running: Running = {
  kind: "running",
  purpose: "agent",
  leg: "task-003/3/1.1" as LegKey,
  host: "h" as HostName,
  since: NOW,
  deadline: (NOW + 60_000) as Instant,
  ended: false,
  verdictSince: null,
  unseen: null,
  stopping: null,
};
const board = (doing: Running | { kind: "nothing" } = running): Board =>
  sceneOf({ rows: [row("task-003", "Search", { map: MAP.hash, doing })] }).world as Board;
const failed: Fact = {
  kind: "worker-crashed",
  task: id,
  leg: running.leg,
  role: "implementer",
  branch: "b",
  detail: "exit 137",
};
const noSign = () => ({ pid: null, lastSign: null, progress: null, ended: false });

/** What a terminal shows of what was written to it: as much of one as this needs. */
function terminal(text: string, columns: number): readonly string[] {
  const lines: string[] = [""];
  let at = 0;
  for (const [part] of text.matchAll(/\u001b\[\d*[AJ]|[^\u001b]/g)) {
    if (part.endsWith("A") && part.startsWith(ESC)) at = Math.max(0, at - Number(part.slice(2, -1)));
    else if (part === `${ESC}J`) lines.length = at;
    else if (part === "\n") at++;
    else if (part !== "\r") {
      if ((lines[at] ?? "").length >= columns) at++;
      lines[at] = (lines[at] ?? "") + part;
    }
    lines[at] ??= "";
  }
  return lines;
}

function view(options: Partial<LiveOptions> = {}) {
  const written = { out: "", err: "", writes: 0 };
  const out = {
    write: (text: string) => {
      written.out += text;
      written.writes++;
    },
  };
  const live = createLiveView({
    stdout: out,
    stderr: { write: (text: string) => (written.err += text) },
    isTerminal: true,
    now: () => (NOW + Math.round(performance.now() - begin)) as Instant,
    columns: () => 100,
    rows: () => 24,
    paint: paletteOf(false, true),
    offset: face.offset,
    heading: { repo: "shop", base: "main", map: "default", epoch: 7, since: NOW },
    ...options,
  });
  const tick = (facts: readonly Fact[], of = board()): void =>
    live.onTick({ seq: 4, now: NOW, inputs: [], facts, board: of }, noSign)();
  return { live, written, tick };
}

let begin = 0;
beforeEach(() => {
  vi.useFakeTimers();
  begin = performance.now();
});
afterEach(() => vi.useRealTimers());

it("on a terminal events scroll up and the block below them is drawn again in its place", () => {
  const { live, written, tick } = view();
  tick([]);
  vi.advanceTimersByTime(300);
  tick([failed]);
  live.event("a line of somebody else's");
  vi.advanceTimersByTime(300);
  expect(terminal(written.out, 100)).toEqual([
    "09:53:04 task-003 implement     crashed  implementer: exit 137",
    "a line of somebody else's",
    "pawl run · shop on main · map default · epoch 7                                                  0s",
    "workers 1 of 4 · 1 task: 1 in-progress · –",
    "",
    "● task-003  Search  implement  running    0s  –",
    "",
  ]);
});

it("a hundred ticks in a second are at most five pictures, and the last one is the newest", () => {
  const { written, tick } = view();
  for (let i = 0; i < 100; i++) {
    tick([]);
    vi.advanceTimersByTime(10);
  }
  tick([], board({ kind: "nothing" }));
  vi.advanceTimersByTime(250);
  expect(written.writes).toBeLessThanOrEqual(6);
  expect(terminal(written.out, 100).at(-2)).toContain("◷ task-003  Search  implement  the next tick");
});

it("times go on while nothing happens", () => {
  const { written, tick } = view();
  tick([]);
  vi.advanceTimersByTime(62_000);
  expect(terminal(written.out, 100).at(-2)).toMatch(/^● task-003 {2}Search {2}implement {2}running {4}1m0[12]s {2}–$/);
});

it("leaves nothing behind when the terminal was made narrower meanwhile", () => {
  let columns = 100;
  const { live, written, tick } = view({ columns: () => columns });
  tick([failed]);
  // The terminal has broken the lines that are longer than it is now.
  const broken = terminal(written.out, 100).flatMap((line) => (line === "" ? [""] : (line.match(/.{1,50}/g) ?? [])));
  columns = 50;
  written.out = broken.join("\n");
  live.close();
  expect(terminal(written.out, 50)).toEqual(
    ["09:53:04 task-003 implement     crashed  implementer: exit 137"]
      .flatMap((line) => line.match(/.{1,50}/g)!)
      .concat(""),
  );
});

it("a block that is higher than the terminal is cut, so that it can be taken away again", () => {
  const rows = Array.from({ length: 40 }, (_, i) => row(`task-${i}`, "x", { doing: running }));
  const { live, written, tick } = view({ rows: () => 10 });
  tick([], sceneOf({ rows }).world as Board);
  expect(terminal(written.out, 100).length).toBeLessThanOrEqual(10);
  live.close();
  expect(terminal(written.out, 100).join("")).toBe("");
});

it("waits for a terminal that does not keep up, and loses no line", () => {
  const out = { writableNeedDrain: true, text: "", write: (text: string) => (out.text += text) };
  const { live } = view({ stdout: out });
  live.event("one");
  expect(out.text).toBe("");
  out.writableNeedDrain = false;
  live.close();
  expect(out.text).toBe("one\n");
});

it("in a pipe there is one line per fact, nothing is redrawn, and adopted workers are named", () => {
  const { live, written, tick } = view({ isTerminal: false, board: board() });
  tick([failed]);
  live.event("notice");
  vi.advanceTimersByTime(5_000);
  live.close();
  expect(written).toMatchObject({
    out: "09:53:04 pawl                   adopted  1 worker: task-003\n09:53:04 task-003 implement     crashed  implementer: exit 137\n",
    err: "notice\n",
  });
});

it("with --json each tick is one line of JSON, and nothing else is between them", () => {
  const { live, written, tick } = view({ json: true });
  tick([failed]);
  tick([]);
  live.event("notice");
  live.close();
  expect(
    written.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { seq: 4, now: NOW, inputs: [], facts: [failed] },
    { seq: 4, now: NOW, inputs: [], facts: [] },
  ]);
  expect(written.err).toBe("notice\n");
});

it("a file that became wrong while it runs is told, and that it is right again", () => {
  const { live, written } = view({ isTerminal: false });
  const error = new PawlError("KEY_UNKNOWN", "no key is called x", { at: { file: "pawl.yaml", line: 3, column: 1 } });
  live.onFaults([error]);
  live.onFaults([]);
  expect(written.out.split("\n")).toEqual([
    "09:53:04 pawl                   fault    pawl.yaml:3: no key is called x",
    "09:53:04 pawl                   fault    what was right before goes on; pawl validate",
    "09:53:04 pawl                   files    all files are right again, and count",
    "",
  ]);
});
