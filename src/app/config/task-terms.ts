import { type Limit, tighter, UNLIMITED } from "../../domain/budget.ts";
import type { BlobHash, TaskId } from "../../domain/names.ts";
import type { Terms } from "../../domain/task.ts";
import type { Check } from "../../ports/runtime.ts";
import type { ReadSpec } from "../../ports/source.ts";
import type { TaskFile } from "../../protocol/task-file.ts";
import { canonical, sha256 } from "./canonical.ts";
import type { Budget, PawlFile } from "./pawl-file.ts";
import type { WrittenTask } from "./written-task.ts";

/** What pawl.yaml gives to every task file. Plain data: two equal ones make the same tasks. */
export interface TaskDefaults {
  readonly phases: string;
  readonly base: string;
  readonly branchPrefix: string;
  readonly limit: Limit;
  readonly authorizedFiles: readonly string[];
  readonly timeoutMinutes: number;
  readonly type: string | null;
  readonly regression: TaskFile["testDelta"]["regression"];
}

export function taskDefaults(
  file: Partial<PawlFile>,
  of: { phases: string; base: string; checks: readonly Check[] },
): TaskDefaults {
  return {
    phases: of.phases,
    base: of.base,
    branchPrefix: file.branch_prefix ?? "pawl/",
    limit: limitOf(file.budgets?.task),
    authorizedFiles: file.defaults?.authorized_files ?? ["**"],
    timeoutMinutes: file.defaults?.timeout_minutes ?? 60,
    type: file.defaults?.type ?? null,
    regression: of.checks.map(({ run }) => ({ name: inWords(run), command: inWords(run) })),
  };
}

/** A command as a person would type it. */
export const inWords = (command: string | readonly string[]): string =>
  typeof command === "string"
    ? command
    : command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");

export function limitOf(budget: Partial<Budget> | undefined): Limit {
  if (!budget) return UNLIMITED;
  return {
    microUsd: budget.cost_usd === undefined ? null : Math.round(budget.cost_usd * 1_000_000),
    tokens: budget.tokens ?? null,
    wallMs: budget.wall ?? null,
    spawns: budget.spawns ?? null,
  };
}

/** What names of a task file come to: its map, its base, its own agents, the screens it works on. */
export interface Resolved {
  readonly phases: string;
  readonly base: string;
  readonly agents: Readonly<Record<string, string>>;
  readonly isOnScreen: boolean;
  readonly screens: readonly string[];
}

/** The task as the processor gets it: defaults filled in and named, hashed. Only for a task without faults. */
export function readSpec(task: WrittenTask, names: Resolved, defaults: TaskDefaults): ReadSpec & { bytes: Uint8Array } {
  const file = taskFile(task, names, defaults);
  return {
    id: file.id,
    spec: sha256(Buffer.from(canonical(file))) as BlobHash,
    // made again where somebody wants them: of a hundred thousand tasks that are known already, nobody does
    get bytes() {
      return Buffer.from(canonical(taskFile(task, names, defaults)));
    },
    terms: termsOf(task, names, { file, defaults }),
  };
}

function taskFile(task: WrittenTask, names: Resolved, defaults: TaskDefaults): TaskFile {
  const { fields } = task;
  const id = task.id!.name as TaskId;
  const title = task.title ?? id;
  const delta = fields.test_delta;
  return {
    id,
    path: task.file,
    title,
    body: task.body,
    type: fields.type ?? defaults.type,
    specification: fields.specification ?? null,
    acceptanceCriteria: task.criteria.list.length > 0 ? task.criteria.list : [{ id: "AC-001", text: title }],
    testDelta: {
      add: delta?.add ?? [],
      update: delta?.update ?? [],
      regression: delta?.regression ?? defaults.regression,
    },
    authorizedFiles: fields.authorized_files ?? defaults.authorizedFiles,
    timeoutMinutes: fields.timeout_minutes ?? defaults.timeoutMinutes,
    agents: names.agents,
    environment: fields.environment?.name ?? null,
    labels: fields.labels ?? [],
    source: fields.source ?? null,
    filled: filledOf(task),
    extra: task.extra,
  };
}

/** Wire names of what the file does not say itself. */
function filledOf({ fields, criteria }: WrittenTask): readonly string[] {
  const filled = {
    title: fields.title === undefined,
    acceptance_criteria: criteria.from !== "front matter",
    test_delta: fields.test_delta === undefined,
    authorized_files: fields.authorized_files === undefined,
    timeout_minutes: fields.timeout_minutes === undefined,
  };
  return Object.entries(filled).flatMap(([name, isFilled]) => (isFilled ? [name] : []));
}

function termsOf(task: WrittenTask, names: Resolved, of: { file: TaskFile; defaults: TaskDefaults }): Terms {
  const { fields } = task;
  return {
    title: of.file.title,
    deps: task.deps.map((dep) => dep.name as TaskId),
    phases: names.phases,
    base: names.base,
    branch: of.defaults.branchPrefix + of.file.id,
    touches: [...(fields.touches ?? fields.authorized_files ?? []), ...names.screens],
    maxRounds: fields.max_task_rounds ?? null,
    wallMs: Math.round(of.file.timeoutMinutes * 60_000),
    limit: tighter(limitOf(fields.budget), of.defaults.limit),
    draft: fields.draft ?? false,
    ...(names.isOnScreen ? { environment: "device" as const } : {}),
  };
}
