import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Claim } from "../../src/adapters/agents/leg.ts";
import { openReader } from "../../src/adapters/store/index.ts";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import { openFindings } from "../../src/domain/task.ts";
import type { LoggedTick } from "../../src/ports/store.ts";
import { git } from "./git.ts";

/** Where a trial ended: what has to be the same however often the processor died on the way. */
export interface EndState {
  readonly tasks: Readonly<Record<string, TaskEnd>>;
  /** the tree of the base at the origin */
  readonly tree: string;
  /** by branch, in order of number: a state each */
  readonly pulls: Readonly<Record<string, readonly string[]>>;
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

function pullsOf(origin: string): Readonly<Record<string, readonly string[]>> {
  const pulls: Record<string, string[]> = {};
  for (const ref of git(origin, "for-each-ref", "--sort=version:refname", "--format=%(refname)", "refs/pawl/pr/").split(
    "\n",
  )) {
    if (ref === "") continue;
    const { branch, state } = JSON.parse(git(origin, "cat-file", "blob", ref)) as { branch: string; state: string };
    pulls[branch] = [...(pulls[branch] ?? []), state];
  }
  return Object.fromEntries(Object.entries(pulls).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Pull requests by their branch: their numbers are first come, first served. */
function movesOf(origin: string): Readonly<Record<string, readonly Move[]>> {
  const logs = join(origin, "logs/refs");
  const files = readdirSync(logs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const moves = files.map((entry): [string, readonly Move[]] => {
    const path = join(entry.parentPath, entry.name);
    const ref = path.slice(logs.length + 1);
    const lines = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const isPull = ref.startsWith("pawl/pr/");
    const each = lines.map((line): Move => {
      const [from, to] = line.split(" ") as [string, string];
      return {
        from,
        to,
        said: /^0+$/.test(to) ? "gone" : isPull ? stateOf(origin, to) : git(origin, "log", "-1", "--format=%s", to),
      };
    });
    return [isPull ? `pull ${branchOf(origin, each[0]!.to)}` : ref, each];
  });
  return Object.fromEntries(moves.filter(([ref]) => ref.startsWith("heads/") || ref.startsWith("pull ")));
}

const blobOf = (origin: string, blob: string) =>
  JSON.parse(git(origin, "cat-file", "blob", blob)) as { branch: string; state: string };
const stateOf = (origin: string, blob: string): string => blobOf(origin, blob).state;
const branchOf = (origin: string, blob: string): string => blobOf(origin, blob).branch;

function recordedOf(ticks: readonly LoggedTick[]): Readonly<Record<string, readonly number[]>> {
  const recorded: Record<string, number[]> = {};
  for (const { epoch, inputs } of ticks)
    for (const input of inputs)
      if (input.kind === "effect-ended" && input.key.includes("/notify/") && input.result.kind === "done")
        recorded[input.key] = [...(recorded[input.key] ?? []), epoch];
  return recorded;
}
