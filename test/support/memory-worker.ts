import { readMaterials } from "../../src/app/worker/materials.ts";
import type { Journal } from "../../src/ports/journal.ts";
import type { Model } from "../../src/ports/model.ts";
import type { RunFolder } from "../../src/ports/run-folder.ts";
import type { Tool, ToolResult } from "../../src/ports/tool.ts";
import type { Assignment } from "../../src/protocol/assignment.ts";
import { WORKER_LIMITS, type WorkerLimits } from "../../src/tactics/action.ts";
import type { Desk } from "../../src/tactics/desk.ts";
import type { Materials } from "../../src/tactics/materials.ts";
import { rulesBeside } from "../../src/tactics/own-owner.ts";
import { OWN_TOOLS } from "../../src/tactics/tool-names.ts";
import { planTool } from "../../src/tactics/tools/plan-submit.ts";
import { reportTool } from "../../src/tactics/tools/report-submit.ts";
import { testTool } from "../../src/tactics/tools/test-run.ts";
import type { WorkerParts } from "../../src/tactics/worker.ts";
import type { Owner, WorkerHands } from "../../src/tactics/worker-hands.ts";
import type { WorkerState } from "../../src/tactics/worker-state.ts";
import { type PushedClock, pushedClock } from "./pushed-clock.ts";
import { ticket } from "./ticket.ts";

/** A checkout in memory, with one suite: it passes where src/add.mjs adds. Commits are counted. */
export interface MemoryCheckout {
  readonly files: Map<string, string>;
  readonly base: ReadonlyMap<string, string>;
  readonly hands: WorkerHands;
}

type Passes = (files: ReadonlyMap<string, string>, on: "base" | "worktree") => boolean;

/** A suite that passes before the work, and then where `add` adds. */
export const guarded: Passes = (files, on) => on === "base" || isAdding(files);

export function memoryCheckout(suitePasses: Passes = isAdding): MemoryCheckout {
  const base: ReadonlyMap<string, string> = new Map([["src/add.mjs", "export const add = (a, b) => a - b;\n"]]);
  const files = new Map(base);
  let committed: ReadonlyMap<string, string> = new Map(base);
  let commits = 0;
  const head = () => `c${commits}`;
  const differing = (from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>) =>
    [...new Set([...from.keys(), ...to.keys()])].filter((path) => from.get(path) !== to.get(path)).sort();
  const hands: WorkerHands = {
    head: async () => head(),
    research: async () => ({
      files: [{ path: "src/add.mjs", why: "named" }],
      specification: null,
      conflicts: [],
      instructions: null,
    }),
    async runSuites({ test_delta }, { on }) {
      const passed = suitePasses(on === "base" ? base : files, on);
      return test_delta.regression.map(({ name, command }) => ({
        name,
        command,
        passed,
        failing: [],
        words: passed ? "1 passed" : "1 failed",
        ending: "exit",
      }));
    },
    async commit({ paths }) {
      const made = paths.filter((path) => files.get(path) !== committed.get(path));
      if (made.length === 0) return { commit: null, files: [], pushed: false };
      committed = new Map(files);
      commits += 1;
      return { commit: head(), files: made, pushed: false };
    },
    dirty: async () => differing(committed, files),
    asCommitted: async (paths) => paths.filter((path) => !differing(committed, files).includes(path)),
    changes: async () =>
      differing(base, committed).map((path) => ({
        path,
        change: base.has(path) ? (committed.has(path) ? "modified" : "deleted") : "created",
      })),
    async patch() {
      return differing(base, committed)
        .map((path) => {
          const lines = (committed.get(path) ?? "").split("\n").slice(0, -1);
          const hunk = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join("\n")}`;
          return `diff --git a/${path} b/${path}\n${hunk}\n`;
        })
        .join("");
    },
    lines: (path) => files.get(path)?.split("\n") ?? null,
  };
  return { files, base, hands };
}
const isAdding = (files: ReadonlyMap<string, string>): boolean => (files.get("src/add.mjs") ?? "").includes("a + b");

export interface MemoryJournal extends Journal {
  readonly written: string[];
}

/** A journal that lives as long as the array that it is given. */
export const memoryJournal = (written: string[] = []): MemoryJournal => ({
  lines: [...written],
  torn: 0,
  written,
  async append(line) {
    written.push(line);
  },
  close() {},
});

export interface MemoryFolder extends RunFolder {
  readonly files: Map<string, string>;
}

export function memoryFolder(onReplace: (name: string, text: string) => void = () => {}): MemoryFolder {
  const files = new Map<string, string>();
  return {
    path: "/memory",
    files,
    replace(name, text) {
      files.set(name, text);
      onReplace(name, text);
    },
    create: (name, text) => !files.has(name) && Boolean(files.set(name, text)),
    read: (name) => files.get(name) ?? null,
    list: (folder) =>
      [...files.keys()].filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1)),
    append: (name, line) => void files.set(name, `${files.get(name) ?? ""}${line}\n`),
  };
}

type Runs = (args: Readonly<Record<string, unknown>>) => ToolResult;

/** A tool that takes anything and answers at once. */
export const memoryTool = (name: string, run: Runs, writes = true): Tool => ({
  name,
  description: name,
  input: { type: "object" },
  writes,
  run: async (args) => run(args),
});

function fileTools(files: Map<string, string>): readonly Tool[] {
  return [
    memoryTool(
      "file.read",
      ({ path }) => {
        const text = files.get(String(path));
        return text === undefined ? { ok: false, text: "there is no such file" } : { ok: true, text };
      },
      false,
    ),
    memoryTool("file.edit", ({ path, old, new: text }) => {
      const before = files.get(String(path));
      if (!before?.includes(String(old))) return { ok: false, text: "there is no such text" };
      files.set(
        String(path),
        before.replace(String(old), () => String(text)),
      );
      return { ok: true, text: "1 file", changed: [String(path)] };
    }),
    memoryTool("file.write", ({ path, text }) => {
      if (!String(path).startsWith("src/")) return { ok: false, text: "outside the scope" };
      files.set(String(path), String(text));
      return { ok: true, text: "1 file", changed: [String(path)] };
    }),
    memoryTool("shell", ({ cmd }) => ({ ok: true, text: "exit code 0", data: { cmd, exit_code: 0, ending: "exit" } })),
  ];
}

export interface MemoryOrder {
  readonly mind: Model;
  readonly checkout?: MemoryCheckout;
  readonly journal?: Journal;
  readonly folder?: MemoryFolder;
  readonly logs?: MemoryFolder;
  readonly owner?: Owner;
  readonly tools?: readonly Tool[];
  readonly limits?: Partial<WorkerLimits>;
  readonly materials?: Materials;
  readonly clock?: PushedClock;
  readonly said?: string[];
}

export const SHIPPED: Materials = readMaterials([], new Set(OWN_TOOLS));

/** All parts of a worker without a machine: the mind and the data are the real ones. `state` is the state at its desk. */
export function memoryWorker(order: MemoryOrder, assignment: Assignment = ticket()) {
  const checkout = order.checkout ?? memoryCheckout();
  const clock = order.clock ?? pushedClock();
  const desk: { now: Desk | null } = { now: null };
  const state = (): WorkerState => desk.now!.state!;
  const { hands } = checkout;
  const own = [...fileTools(checkout.files), testTool(state, hands), planTool(state), reportTool(state, hands)];
  const tools = new Map([...own, ...(order.tools ?? [])].map((tool) => [tool.name, tool]));
  const now = () => new Date(desk.now!.now).toISOString();
  const folder = order.folder ?? memoryFolder();
  const parts: WorkerParts = {
    models: { planner: order.mind, executor: order.mind, compaction: order.mind },
    tools,
    hands,
    tree: { read: () => null, committed: null, update: () => null },
    owner: order.owner ?? rulesBeside({ state, hands, now }),
    journal: order.journal ?? memoryJournal(),
    folder,
    logs: order.logs ?? memoryFolder(),
    clock,
    materials: order.materials ?? SHIPPED,
    limits: { ...WORKER_LIMITS, ...order.limits },
    runId: "r-1",
    leg: `${assignment.run}.1`,
    say: (line) => order.said?.push(line),
    atDesk: (opened) => {
      desk.now = opened;
    },
  };
  return { parts, checkout, clock, assignment, state, folder };
}
