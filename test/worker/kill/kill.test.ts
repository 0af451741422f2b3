import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { ModelRequest } from "../../../src/ports/model.ts";
import { UNKNOWN } from "../../../src/tactics/evolve-goal.ts";
import type { JournalRecord } from "../../../src/tactics/record.ts";
import { git } from "../../support/scratch.ts";
import { shows } from "../../support/shows.ts";
import { type Ended, journal, killable, requests } from "./killable.ts";

// Every point of a run of 30 turns: PAWL_WORKER_SWEEP=all npx vitest run test/worker/kill/kill.test.ts
// Every 20th of them: PAWL_WORKER_SWEEP=20
// One run dies at several of them, a life after the other; what a chain does not meet, or has a fault in, is tried alone.
const { PAWL_WORKER_SWEEP: WANTED } = process.env;
const IS_FULL = WANTED !== undefined;
const EVERY = Number(WANTED) || 1;
const TURNS = IS_FULL ? 30 : 3;
const { built, fresh, run } = killable("pawl-worker-kill", TURNS);
const tree = (folder: string): string => git(join(folder, "repo"), "rev-parse", "HEAD^{tree}");

const uncut = { tree: "", lines: 0, asked: 0 };
beforeAll(built);

/** Results of calls in a request, by the call's id. */
const resultsIn = ({ turns }: ModelRequest) => turns.flatMap((turn) => (turn.role === "results" ? turn.results : []));

interface Trial {
  readonly faults: readonly string[];
  /** places at which it did not die */
  readonly unmet: readonly string[];
}

/** Killed at each place, a life after the other, and called again: what is not as in a run that nobody killed. */
async function trialOf(places: readonly string[]): Promise<Trial> {
  const folder = fresh();
  const name = places.join(" ");
  const faults: string[] = [];
  let unmet: readonly string[] = [];
  const check = (isSo: boolean, what: string) => void (isSo || faults.push(`${name}: ${what}`));
  let cut = { place: "", before: [] as readonly JournalRecord[], asked: 0 };
  const live = async (...place: readonly string[]): Promise<Ended> => {
    const ended = await run(folder, ...place);
    if (cut.place !== "") faults.push(...inConversation(cut.before, requests(folder).slice(cut.asked), cut.place));
    cut = { place: place[0] ?? "", before: journal(folder), asked: requests(folder).length };
    return ended;
  };
  let ended: Ended = { code: null, stderr: "" };
  for (const [at, place] of places.entries()) {
    ended = await live(place);
    if (ended.code === null) continue;
    unmet = places.slice(at);
    break;
  }
  if (ended.code === null) ended = await live();
  check(ended.code === 0, `did not end: ${ended.stderr.slice(0, 500)}`);
  if (ended.code !== 0) return { faults, unmet };
  const verdict = JSON.parse(readFileSync(join(folder, "run", "verdict.json"), "utf8")) as { verdict: string };
  check(verdict.verdict === "PASS", `verdict ${verdict.verdict}`);
  check(tree(folder) === uncut.tree, "another tree");
  check(git(join(folder, "repo"), "status", "--porcelain") === "", "files that are not committed");
  faults.push(...inLog(folder, name));
  if (faults.length === 0) rmSync(folder, { recursive: true });
  return { faults, unmet };
}

/** What a chain says is wrong, and what it did not meet, is tried place by place. */
async function faultsOf(places: readonly string[]): Promise<readonly string[]> {
  const { faults, unmet } = await trialOf(places);
  if (places.length === 1) return [...faults, ...unmet.map((place) => `${place}: was not killed`)];
  const alone = faults.length > 0 ? places : unmet;
  const more: string[] = [];
  for (const place of alone) more.push(...(await faultsOf([place])));
  return [...faults, ...more];
}

/** What had ended before the kill stands once in the next question of its task, and what was in flight is unknown, once, as it was in earlier lives. */
function inConversation(before: readonly JournalRecord[], after: readonly ModelRequest[], place: string) {
  const opened = before.findLastIndex(({ r }) => r === "opened");
  const closed = before.findLastIndex(({ r }) => r === "closed");
  if (opened < 0 || closed > opened) return [];
  const next = after.find(({ tools }) => tools.length > 0);
  if (!next) return [];
  const of = before.slice(opened);
  const ids = (kind: "started" | "ended" | "unknown") => of.flatMap((one) => (one.r === kind ? [one.id] : []));
  const inFlight = ids("started").filter((id) => !ids("ended").includes(id) && !ids("unknown").includes(id));
  const results = resultsIn(next);
  const times = (id: string) => results.filter((one) => one.id === id).length;
  const unknown = results.filter(({ text }) => text === UNKNOWN).map(({ id }) => id);
  const isTaskOver = next.turns.length === 1 && of.length > 1 && ids("ended").length > 0;
  if (isTaskOver) return [];
  return [
    ...ids("ended")
      .filter((id) => times(id) !== 1)
      .map((id) => `${place}: result ${id} stands ${times(id)} times`),
    ...(JSON.stringify(unknown) === JSON.stringify([...ids("unknown"), ...inFlight])
      ? []
      : [`${place}: unknown ${unknown}, in flight ${inFlight}, unknown before ${ids("unknown")}`]),
  ];
}

/** The run log is whole, and has every command that ended. */
function inLog(folder: string, place: string): readonly string[] {
  const records = journal(folder);
  const began = records[0] as Extract<JournalRecord, { r: "began" }>;
  const log = JSON.parse(readFileSync(join(folder, "logs", began.run_log), "utf8")) as {
    commands: { ending: string }[];
  };
  const started = records.filter((one) => one.r === "started" && ["shell", "test.run"].includes(one.tool)).length;
  return log.commands.length === started ? [] : [`${place}: ${log.commands.length} of ${started} commands in run.json`];
}

const SHORT = (lines: number): readonly string[][] => [
  ["answered:4"],
  ["command:2"],
  [`before:${Math.round(lines * 0.55)}`],
  [`torn:${Math.round(lines * 0.5)}`],
  [`after:${lines - 3}`],
];

/** So many lives has one run, far enough from each other that each asks its model before it dies. */
const LIVES = 8;
function all(): readonly string[][] {
  const kinds = { asked: uncut.asked, answered: uncut.asked, command: TURNS };
  const ofJournal = { before: uncut.lines, torn: uncut.lines, after: uncut.lines };
  return Object.entries({ ...kinds, ...ofJournal }).flatMap(([where, most]) => chained(where, most));
}

function chained(where: string, most: number): readonly string[][] {
  const points = Array.from({ length: most }, (_, n) => `${where}:${n + 1}`).filter((_, n) => n % EVERY === 0);
  const stride = Math.ceil(points.length / LIVES);
  return Array.from({ length: stride }, (_, first) => points.filter((_, n) => n % stride === first));
}

test(
  "WRK-2.2 TAC-3.3 killed at any point and called again, a worker comes to the same end, and nothing is told twice",
  async () => {
    const whole = fresh();
    const { code, stderr } = await run(whole);
    expect(code, stderr).toBe(0);
    Object.assign(uncut, { tree: tree(whole), lines: journal(whole).length, asked: requests(whole).length });
    const chains = [...(IS_FULL ? all() : SHORT(uncut.lines))];
    const [runs, tried] = [chains.length, chains.flat().length];
    const faults: string[] = [];
    const one = async () => {
      for (let chain = chains.shift(); chain !== undefined; chain = chains.shift())
        faults.push(...(await faultsOf(chain)));
    };
    await Promise.all([one(), one()]);
    console.info(`worker sweep: ${tried} points in ${runs} runs of ${TURNS} turns, ${faults.length} faults`);
    expect(faults).toEqual([]);
    shows("WRK-2.2", 3);
    shows("TAC-3.3", 1);
  },
  IS_FULL ? 7_200_000 : 600_000,
);
