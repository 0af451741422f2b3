import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Backlog, ForgeKind } from "./backlog.ts";
import { type Comparison, compare, type Fault } from "./compare.ts";
import { type EndState, linesOf, readEnd, STORE_FILE, serverOf } from "./end-state.ts";
import { FAR } from "./far/forge.ts";
import { type Far, startFarOf } from "./far/start.ts";
import { git } from "./git.ts";
import { DIED } from "./kill.ts";
import { type Chain, nameOf, randomOf, requestsOf, triggersOf } from "./point.ts";
import type { Life } from "./processor.ts";
import type { Programs } from "./programs.ts";
import { review } from "./reviewer.ts";
import { timePasses } from "./server.ts";
import { endLeftovers, killOne } from "./victims.ts";

export interface Ground {
  readonly backlog: Backlog;
  readonly forge: ForgeKind;
  /** a project as it is before anything ran: copied for each trial */
  readonly template: string;
  readonly programs: Programs;
  readonly seed: number;
  readonly deadlineMs: number;
  /** gives the address of a new store; null: the file that is usual */
  readonly newStore: (() => string) | null;
}
export interface Trial {
  /** names of the points it had to die at */
  readonly points: readonly string[];
  readonly restarts: number;
  /** drivers and workers that were killed */
  readonly kills: number;
  /** those of the points that were met at all */
  readonly met: readonly string[];
  readonly ms: number;
  readonly comparison: Comparison;
  /** kept where there is a fault */
  readonly folder: string;
}
export interface Ran {
  readonly end: EndState;
  readonly folder: string;
  readonly ms: number;
}

/** Beside those that the points of its chain end. */
const SPARE_LIVES = 5;

/** Runs to the end without dying: what every other trial is compared with. The folder is the caller's to remove. */
export async function runClean(ground: Ground): Promise<Ran> {
  const folder = copyOf(ground);
  const lives = await beside(ground, { folder, chain: [], withinMs: 0 });
  if (lives.fault) throw new Error(`the clean run in ${folder}: ${lives.fault.text}`);
  return { end: await readEnd(folder), folder, ms: lives.ms };
}

/** Dies at each point of a chain, a life at each, is started again until the end, and is compared with the clean run. */
export async function runTrial(chain: Chain, ground: Ground, clean: Ran): Promise<Trial> {
  const folder = copyOf(ground);
  const lives = await beside(ground, { folder, chain, withinMs: clean.ms });
  const comparison = await judged(folder, clean, lives);
  await endLeftovers(folder);
  if (comparison.faults.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return {
    points: chain.map(nameOf),
    restarts: lives.restarts,
    kills: lives.kills,
    met:
      [...triggersOf(chain), ...requestsOf(chain)].length > 0
        ? lives.died
        : lives.restarts + lives.kills > 0
          ? chain.map(nameOf)
          : [],
    ms: lives.ms,
    comparison,
    folder,
  };
}

async function judged(folder: string, clean: Ran, { fault, kills }: Lives): Promise<Comparison> {
  try {
    const { faults, repeated } = compare(clean.end, await readEnd(folder), kills);
    return { faults: fault ? [fault, ...faults] : faults, repeated };
  } catch (error) {
    const text = `its end cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { faults: [...(fault ? [fault] : []), { kind: "stuck", text }], repeated: 0 };
  }
}

function copyOf({ template, newStore, forge }: Ground): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-sweep-"));
  cpSync(template, folder, { recursive: true });
  // nobody asks there where the forge is another one
  const origin = forge === "local" ? join(folder, "origin.git") : `https://${forge}.com/${FAR.repo}.git`;
  git(join(folder, "repo"), "remote", "set-url", "origin", origin);
  if (newStore) writeFileSync(join(folder, STORE_FILE), newStore());
  return folder;
}

interface Lives {
  readonly restarts: number;
  readonly kills: number;
  readonly died: readonly string[];
  readonly ms: number;
  readonly fault: Fault | null;
}
interface Fate {
  readonly folder: string;
  /** empty: it lives */
  readonly chain: Chain;
  /** random kills fall within this time */
  readonly withinMs: number;
}

/** The lives beside a forge of their own, if it is not the local one: whoever is killed, it stays. */
async function beside(ground: Ground, fate: Fate): Promise<Lives> {
  const { forge, backlog, programs } = ground;
  if (forge === "local") return runLives(ground, fate);
  const raced = backlog.raced === null ? null : `pawl/${backlog.raced}`;
  const at = requestsOf(fate.chain).map(({ key, moment }) => ({ key, moment }));
  const far: Far = await startFarOf(programs.far, { kind: forge, folder: fate.folder, raced, at });
  try {
    return await runLives(ground, fate);
  } finally {
    await far.end();
  }
}

async function runLives(ground: Ground, fate: Fate): Promise<Lives> {
  const { folder } = fate;
  const start = performance.now();
  const reviewer = new AbortController();
  // without its answers the processor waits until the deadline: then this says why
  let unable = "";
  const reviewing = review(folder, ground.backlog, reviewer.signal).catch((error: unknown) => {
    unable = ` (the reviewer: ${error instanceof Error ? error.message : String(error)})`;
  });
  const ms = () => Math.round(performance.now() - start);
  let kills = 0;
  try {
    for (let life = 1; ; life++) {
      const { child, words } = begin(ground, fate, life);
      const over = new AbortController();
      const killing = life === 1 ? killAtRandom(ground, fate, child, over.signal) : Promise.resolve(0);
      const ended = await endOf(child, ground.deadlineMs);
      over.abort();
      kills += await killing;
      const result = { restarts: life - 1, kills, died: linesOf(folder, DIED), ms: ms() };
      if (existsSync(join(folder, "ending.json"))) return { ...result, fault: null };
      const fault = whyNot(ended, life, { most: fate.chain.length + SPARE_LIVES, words: words() });
      if (fault !== null) return { ...result, fault: { kind: "stuck", text: fault + unable } };
      const server = serverOf(folder);
      if (server) await timePasses(server);
    }
  } finally {
    reviewer.abort();
    await reviewing;
  }
}

function begin(
  { programs }: Ground,
  { folder, chain }: Fate,
  life: number,
): { child: ChildProcess; words: () => string } {
  const died = linesOf(folder, DIED);
  const at = triggersOf(chain).filter((point) => !died.includes(nameOf(point)));
  const [first] = chain;
  const { n, moment } = first?.kind === "git" ? first : { n: 0, moment: "" };
  // the clean run lists what git wrote
  const counted = first === undefined || first.kind === "git";
  const shim = counted ? { folder: programs.shim, n, moment } : null;
  const order: Life = { folder, store: serverOf(folder), driver: programs.driver, life, at, shim };
  const child = spawn(process.execPath, [programs.processor, JSON.stringify(order)], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, [FAR.variable]: FAR.token },
  });
  let said = "";
  child.stderr!.on("data", (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-2_000);
  });
  return { child, words: () => said };
}

/** The signal that ended it, `exit N`, or `deadline`. */
async function endOf(child: ChildProcess, deadlineMs: number): Promise<string> {
  const gone = once(child, "exit").then(([code, signal]) => (signal as string | null) ?? `exit ${code}`);
  const timer = new AbortController();
  const late = pause(deadlineMs, "deadline", { signal: timer.signal }).catch(() => "deadline");
  const ended = await Promise.race([gone, late]);
  timer.abort();
  if (ended === "deadline") {
    child.kill("SIGKILL");
    await gone;
  }
  return ended;
}

function whyNot(ended: string, life: number, { most, words }: { most: number; words: string }): string | null {
  if (ended === "deadline") return `life ${life} did not end within its time`;
  if (ended !== "SIGKILL") return `life ${life} ended with ${ended}: ${words}`;
  return life >= most ? `it was killed in ${life} lives` : null;
}

/** Waits for the drawn moment, then kills each of its victims. Gives how many drivers and workers it met. */
async function killAtRandom(ground: Ground, fate: Fate, child: ChildProcess, over: AbortSignal): Promise<number> {
  const [point] = fate.chain;
  if (point?.kind !== "random") return 0;
  const random = randomOf(ground.seed * 1_000 + point.n);
  await pause(random() * fate.withinMs, undefined, { signal: over }).catch(() => {});
  let met = 0;
  for (const victim of point.victims) {
    if (victim === "processor") child.kill("SIGKILL");
    else if (await killOne(fate.folder, victim, random, over)) met++;
  }
  return met;
}
