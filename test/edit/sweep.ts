import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileLocks } from "../../src/adapters/store/file-lock.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import type { Files } from "../../src/ports/files.ts";
import { createEditor, type Editor } from "../../src/workspace/edit/editor.ts";
import { bundle } from "../support/bundle.ts";
import { Dead, deadFrom } from "./dead-port.ts";
import { EDITS, GO, makeFiles, stateOf } from "./sweep-plan.ts";

/** Where the program is killed: at a call of its file port, or of the kernel. */
export type Point =
  /** by its number, or by that among those of its name: "rename 3" */
  { readonly kind: "call"; readonly at: number | string } | Syscall;
interface Syscall {
  readonly kind: "syscall";
  readonly name: string;
  readonly at: number;
}

export const nameOf = (point: Point): string =>
  point.kind === "call" ? `call ${point.at}` : `${point.name} ${point.at}`;

/** A folder for the whole sweep, with the program in it. */
export interface Sweep {
  readonly folder: string;
  readonly program: string;
  /** states of the files before and after */
  readonly before: string;
  readonly after: string;
  /** points that a run ended before */
  readonly missed: string[];
}

export async function openSweep(): Promise<Sweep> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-test-"));
  // Within the project, so that packages are found.
  const out = `node_modules/.cache/pawl-fixtures/sweep-${process.pid}`;
  await bundle({ sweep: "test/edit/sweep-program.ts" }, out, ["diff", "picomatch"]);
  const [before, after] = [join(folder, "before"), join(folder, "after")];
  for (const root of [before, after]) {
    mkdirSync(root);
    makeFiles(root);
  }
  const editor = editorOf(after, join(folder, "journals"));
  const result = await editor.apply(await editor.plan(EDITS));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { folder, program: join(out, "sweep.mjs"), before: stateOf(before), after: stateOf(after), missed: [] };
}

export const closeSweep = ({ folder, program }: Sweep): void => {
  rmSync(folder, { recursive: true });
  rmSync(join(program, ".."), { recursive: true });
};

/** No power is cut here: what is written is seen at once, whether it is on the disk or not. */
const unflushed = (): Files => ({ ...systemFiles(), flush: async () => {} });

const editorOf = (root: string, journalDir: string, files = unflushed()): Editor =>
  createEditor({ files, lock: fileLocks(), clock: systemClock(), root, journalDir, scope: () => null });

interface Place {
  readonly root: string;
  readonly journals: string;
}

/** The files in a folder of their own, and room for journals beside it. */
function place(sweep: Sweep): Place {
  const place = mkdtempSync(join(sweep.folder, "point-"));
  const root = join(place, "root");
  mkdirSync(root);
  makeFiles(root);
  return { root, journals: join(place, "journals") };
}

interface Run {
  readonly mode: "apply" | "recover";
  readonly root: string;
  readonly journals: string;
  readonly point: Point | null;
  /** what strace is told besides */
  readonly trace?: readonly string[];
}

/** Runs the program; gives what it said, or null where it was killed. Throws where it failed otherwise. */
async function run(sweep: Sweep, { mode, root, journals, point, trace }: Run): Promise<string | null> {
  const at = point?.kind === "call" ? point.at : 0;
  const program = [process.execPath, sweep.program, mode, root, journals, String(at)];
  const inject =
    point?.kind === "syscall" ? ["-o", "/dev/null", "-e", `inject=${point.name}:signal=SIGKILL:when=${point.at}`] : [];
  const [command = "", ...args] = [
    ...((trace ?? inject.length > 0) ? ["strace", "-f", ...(trace ?? inject)] : []),
    ...program,
  ];
  // One thread for what is asynchronous: the kernel's calls are then counted in one order.
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code === 0) return out.trim();
  if (signal === "SIGKILL" || code === 137) return null;
  throw new Error(`the program ended with ${code ?? signal}: ${err}`);
}

/** The calls of its file port, where nothing is in its way. `broken`: where the edit was killed that it finds. */
export async function listCalls(sweep: Sweep, mode: Run["mode"], broken?: Point): Promise<readonly string[]> {
  const { root, journals } = place(sweep);
  if (broken) await run(sweep, { mode: "apply", root, journals, point: broken });
  return (await run(sweep, { mode, root, journals, point: null }))!.split(" ");
}

/** Kernel calls that are killed at, as strace is told (the second form: their names differ between machines). */
export const SYSCALLS = ["openat", "write", "fsync", "/^rename", "/^unlink"];

/** Every kernel call of the work itself, by its number within its thread, as strace counts. */
export async function listSyscalls(sweep: Sweep): Promise<readonly Syscall[]> {
  const { root, journals } = place(sweep);
  const file = join(root, "..", "trace");
  await run(sweep, {
    mode: "apply",
    root,
    journals,
    point: null,
    trace: ["-o", file, "-e", `trace=${SYSCALLS.join(",")}`],
  });
  const counts = new Map<string, number>();
  const points = new Map<string, Syscall>();
  let hasBegun = false;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, thread, called] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    const name = SYSCALLS.find(
      (one) => called !== undefined && new RegExp(one.replace(/^([a-z]+)$/, "^$1$").replace("/", "")).test(called),
    );
    if (name === undefined) continue;
    const at = (counts.get(`${thread} ${name}`) ?? 0) + 1;
    counts.set(`${thread} ${name}`, at);
    if (hasBegun) points.set(`${name} ${at}`, { kind: "syscall", name, at });
    hasBegun ||= line.includes(GO);
  }
  return [...points.values()];
}

/** What is wrong after a kill at that point and the next start; null: nothing. `again`: the next start is killed too, there. */
export async function faultAt(sweep: Sweep, point: Point, again: Point | null = null): Promise<string | null> {
  const at = place(sweep);
  const said = await run(sweep, { mode: "apply", ...at, point });
  // How often threads wake each other differs from run to run: the last of these calls may not come.
  if (said !== null && point.kind === "syscall") sweep.missed.push(nameOf(point));
  if (again) await run(sweep, { mode: "recover", ...at, point: again });
  const fault = await faultIn(sweep, at);
  return fault && `${nameOf(point)}${again ? `, then ${nameOf(again)}` : ""}: ${fault}`;
}

/** The same, for a process whose file port is dead from a call on. */
export async function faultFrom(sweep: Sweep, call: number, again: number | null = null): Promise<string | null> {
  const at = place(sweep);
  await untilDead(async () => {
    const editor = editorOf(at.root, at.journals, deadFrom(unflushed(), call));
    await editor.apply(await editor.plan(EDITS));
  });
  if (again !== null) await untilDead(() => editorOf(at.root, at.journals, deadFrom(unflushed(), again)).recover());
  const fault = await faultIn(sweep, at);
  return fault && `dead from call ${call}${again === null ? "" : `, then from ${again}`}: ${fault}`;
}

async function untilDead(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Dead)) throw error;
  }
}

/** What is wrong after the next start; null: nothing, and the folder is gone. */
async function faultIn(sweep: Sweep, at: Place): Promise<string | null> {
  const editor = editorOf(at.root, at.journals);
  const recovered = await editor.recover();
  const state = stateOf(at.root);
  const isWhole = state === sweep.before || state === sweep.after;
  const fault = isWhole ? await faultOf(sweep, { ...at, editor }) : "a part of it is there";
  if (fault === null) rmSync(join(at.root, ".."), { recursive: true });
  return fault && `${fault} (${JSON.stringify(recovered)}, ${at.root})`;
}

/** Nothing of it may be left, and it can be done, or has been. */
async function faultOf(sweep: Sweep, { root, journals, editor }: Place & { editor: Editor }): Promise<string | null> {
  const left = systemFiles()
    .list(journals)
    .filter((name) => name !== "lock");
  if (left.length > 0) return `left behind: ${left.join(", ")}`;
  const wasDone = stateOf(root) === sweep.after;
  const result = await editor.apply(await editor.plan(EDITS));
  if (result.ok === wasDone) return `once more gives ${JSON.stringify(result)}`;
  return stateOf(root) === sweep.after ? null : "once more gives other files";
}

/** Works on all, a few at once, in order. */
export async function inTurn<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
