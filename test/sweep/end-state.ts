import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Claim } from "../../src/adapters/agents/leg.ts";
import { openReader } from "../../src/adapters/store/index.ts";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import { openFindings } from "../../src/domain/task.ts";
import type { LoggedTick } from "../../src/ports/store.ts";
import { FAR_END } from "./far/files.ts";
import type { FarEnd } from "./far/ledger.ts";
import { git, gitTold } from "./git.ts";

/** Where a trial ended: what has to be the same however often the processor died on the way. */
export interface EndState {
  readonly tasks: Readonly<Record<string, TaskEnd>>;
  /** the tree of the base at the origin */
  readonly tree: string;
  /** by branch, in order of number: a state each */
  readonly pulls: Readonly<Record<string, readonly string[]>>;
  /** what a forge of its own counted; null: there is none */
  readonly far: FarEnd | null;
  readonly notices: readonly Sent[];
  /** a leg key per program that began, as the programs themselves wrote it */
  readonly starts: readonly string[];
  /** lines that the user's command left */
  readonly stamps: readonly string[];
  /** what the origin's reflogs say: ref -> moves */
  readonly moves: Readonly<Record<string, readonly Move[]>>;
  /** by key: the epochs in which the end of a notice was recorded */
  readonly recorded: Readonly<Record<string, readonly number[]>>;
  /** legs of which something still lives, though every task has ended */
  readonly unfinished: readonly string[];
}
export interface TaskEnd {
  readonly status: string;
  readonly phase: string | null;
  readonly round: number;
  readonly findings: readonly string[];
}
interface Sent {
  readonly key: string;
  readonly event: string;
  readonly epoch: number;
}
interface Move {
  readonly from: string;
  readonly to: string;
  /** of a pull request: the state that it came to; of a branch: the subject of its tip */
  readonly said: string;
}

export async function readEnd(folder: string): Promise<EndState> {
  const origin = join(folder, "origin.git");
  const store = await openReader(storeOf(folder));
  try {
    const rows = await store.tasks();
    const tasks = rows.map((row): [string, TaskEnd] => {
      const { status, phase, round } = row;
      return [row.id, { status, phase, round, findings: openFindings(row).map((finding) => finding.text) }];
    });
    return {
      tasks: Object.fromEntries(tasks.sort(([a], [b]) => (a < b ? -1 : 1))),
      tree: git(origin, "rev-parse", "main^{tree}"),
      pulls: pullsOf(origin),
      far: farOf(folder),
      notices: linesOf(folder, "notices").map((line) => {
        const [, epoch, event, key] = line.split(" ") as [string, string, string, string];
        return { key, event, epoch: Number(epoch) };
      }),
      starts: linesOf(folder, "starts"),
      stamps: linesOf(folder, "stamps"),
      moves: movesOf(origin),
      recorded: recordedOf(await store.ticks(0, 100_000)),
      unfinished: await stillAlive(folder),
    };
  } finally {
    await store.close();
  }
}

/** Where a trial on a server keeps the address of its store. */
export const STORE_FILE = "store-address";

/** The address of a trial's store on a server; null: it is in a file. */
export const serverOf = (folder: string): string | null => linesOf(folder, STORE_FILE)[0] ?? null;

export const storeOf = (folder: string): string => serverOf(folder) ?? join(folder, "repo/.pawl/store.db");

export const linesOf = (folder: string, file: string): readonly string[] =>
  existsSync(join(folder, file))
    ? readFileSync(join(folder, file), "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];

/** Who drives a leg, and whom; null: nobody has claimed it. */
export function claimOf(leg: string): Claim | null {
  try {
    return JSON.parse(readFileSync(join(leg, "claim.json"), "utf8")) as Claim;
  } catch {
    return null; // not there, or being written
  }
}

/** A driver that has said how its leg ended needs a moment to go; the others have none. */
async function stillAlive(folder: string): Promise<readonly string[]> {
  const processes = systemProcesses();
  const alive: string[] = [];
  for (const leg of legFolders(folder)) {
    const claim = existsSync(join(leg, "ended.json")) ? null : claimOf(leg);
    for (const who of [claim?.driver, claim?.agent])
      if (who && (await processes.lives(who)) !== "gone") alive.push(`process ${who.pid} of ${leg}`);
  }
  return alive;
}

/** Every `leg-N` folder of a trial. */
export function legFolders(folder: string): readonly string[] {
  const runs = join(folder, "repo/.pawl/runs");
  const inside = (path: string) => (existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []);
  return inside(runs)
    .flatMap(inside)
    .flatMap((run) => inside(run).filter((path) => /\/leg-\d+$/.test(path)));
}

const farOf = (folder: string): FarEnd | null => {
  const [said] = linesOf(folder, FAR_END);
  return said === undefined ? null : (JSON.parse(said) as FarEnd);
};

function pullsOf(origin: string): Readonly<Record<string, readonly string[]>> {
  const args = ["for-each-ref", "--sort=version:refname", "--format=%(objectname)", "refs/pawl/pr/"];
  const blobs = git(origin, ...args)
    .split("\n")
    .filter((blob) => blob !== "");
  const pulls: Record<string, string[]> = {};
  const objects = objectsOf(origin, blobs);
  for (const blob of blobs) {
    const { branch, state } = pullIn(objects.get(blob)!);
    pulls[branch] = [...(pulls[branch] ?? []), state];
  }
  return Object.fromEntries(Object.entries(pulls).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Pull requests by their branch: their numbers are first come, first served. */
function movesOf(origin: string): Readonly<Record<string, readonly Move[]>> {
  const logs = movesIn(join(origin, "logs/refs"));
  const objects = objectsOf(
    origin,
    logs.flatMap(({ moves }) => moves.map(({ to }) => to)),
  );
  return Object.fromEntries(
    logs.map(({ ref, moves }) => {
      const isPull = ref.startsWith("pawl/pr/");
      const said = (to: string) => (isPull ? pullIn(objects.get(to)!).state : subjectIn(objects.get(to)!));
      const each = moves.map(({ from, to }): Move => ({ from, to, said: NOTHING.test(to) ? "gone" : said(to) }));
      return [isPull ? `pull ${pullIn(objects.get(moves[0]!.to)!).branch}` : ref, each];
    }),
  );
}
const NOTHING = /^0+$/;

/** The reflogs of branches and of pull requests, oldest line first. */
function movesIn(
  logs: string,
): readonly { readonly ref: string; readonly moves: readonly { readonly from: string; readonly to: string }[] }[] {
  const files = readdirSync(logs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ ref: path.slice(logs.length + 1), lines: readFileSync(path, "utf8").split("\n") }))
    .filter(({ ref }) => ref.startsWith("heads/") || ref.startsWith("pawl/pr/"))
    .map(({ ref, lines }) => ({
      ref,
      moves: lines
        .filter((line) => line !== "")
        .map((line) => line.split(" ") as [string, string])
        .map(([from, to]) => ({ from, to })),
    }));
}

/** What objects hold, in the order asked for, by one process of git; each has to be there. */
function objectsOf(origin: string, names: readonly string[]): ReadonlyMap<string, string> {
  const asked = [...new Set(names)].filter((name) => !NOTHING.test(name));
  const said = Buffer.from(asked.length === 0 ? "" : gitTold(origin, asked.join("\n"), "cat-file", "--batch"));
  const objects = new Map<string, string>();
  for (let at = 0; at < said.length; ) {
    const end = said.indexOf("\n", at);
    const [name, kind, size] = said.subarray(at, end).toString().split(" ") as [string, string, string];
    if (kind === "missing") throw new Error(`${origin} has no object ${name}`);
    objects.set(name, said.subarray(end + 1, end + 1 + Number(size)).toString());
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}

const pullIn = (blob: string) => JSON.parse(blob) as { branch: string; state: string };
const subjectIn = (commit: string): string => /\n\n(.*)/.exec(commit)?.[1] ?? "";

function recordedOf(ticks: readonly LoggedTick[]): Readonly<Record<string, readonly number[]>> {
  const recorded: Record<string, number[]> = {};
  for (const { epoch, inputs } of ticks)
    for (const input of inputs)
      if (input.kind === "effect-ended" && input.key.includes("/notify/") && input.result.kind === "done")
        recorded[input.key] = [...(recorded[input.key] ?? []), epoch];
  return recorded;
}
