import type { PawlError } from "../../domain/errors.ts";
import type { Reading, ReadSpec, Unread } from "../../ports/source.ts";
import { checkBacklog } from "./backlog-check.ts";
import type { KeptTask, Source } from "./kept-task.ts";
import { nearest } from "./nearest.ts";
import type { Configuration } from "./reading.ts";
import { fault } from "./spot.ts";
import { type Known, namesOf } from "./task-names.ts";
import { idOf, type TaskOutline } from "./task-outline.ts";
import type { Resolved, TaskDefaults } from "./task-terms.ts";
import { TASK_KEYS } from "./written-task.ts";

interface Backlog extends Known {
  readonly tasks: readonly KeptTask[];
  readonly isKnown: (id: string) => boolean;
}

/** Tasks as the processor gets them, and what is wrong in their files and between them. */
export function readBacklog(
  backlog: Backlog,
): Pick<Reading, "specs" | "unread" | "errors"> & Pick<Configuration, "between"> {
  const faults = checkBacklog(backlog.tasks, backlog.isKnown);
  const broken = new Set(faults.flatMap(({ files }) => files));
  const errors = faults.map(({ error }) => error);
  const specs: ReadSpec[] = [];
  const unread: Unread[] = [];
  const resolve = resolverOf(backlog);
  for (const task of backlog.tasks) {
    const resolved = resolve(task);
    errors.push(...task.faults, ...resolved.faults);
    const isBroken = broken.size > 0 && broken.has(task.file);
    const isWhole = !isBroken && task.faults.length + resolved.faults.length === 0;
    // A task is made again only when its file or what pawl.yaml gives it changed.
    const spec = isWhole ? task.specFrom(resolved.source) : null;
    if (spec === null) unread.push({ id: idOf(task) ?? task.file, isSure: task.isIdSure });
    else specs.push(spec);
  }
  return { specs, unread, errors, between: faults };
}

/** What the names in a task file stand for. Of tasks that say the same without a fault it is found once. */
function resolverOf(
  backlog: Backlog,
): (task: KeptTask) => { readonly faults: readonly PawlError[]; readonly source: Source } {
  const sources = sourcesOf(backlog.defaults);
  const known = new Map<unknown, ReturnType<ReturnType<typeof resolverOf>>>();
  return (task) => {
    const before = known.get(task.said);
    if (before !== undefined) return before;
    const { faults, names } = namesOf(task, backlog);
    const resolved = { faults, source: sources(names) };
    if (faults.length === 0) known.set(task.said, resolved);
    return resolved;
  };
}

/** What tasks are made of beside their files: most are given the same, and share it. */
function sourcesOf(defaults: TaskDefaults): (names: Resolved) => Source {
  const given = JSON.stringify(defaults);
  const known = new Map<string, Source>();
  return (names) => {
    const text = JSON.stringify(names);
    const source = known.get(text) ?? { text: given + text, names, defaults };
    known.set(text, source);
    return source;
  };
}

/** Keys that other tools wrote are kept; each is named once, with the first place where it stands. */
export function foreignKeys(tasks: readonly TaskOutline[]): readonly PawlError[] {
  const places = new Map<string, { first: TaskOutline["deps"][number]; files: number }>();
  for (const task of tasks)
    for (const mention of task.extraAt) {
      const before = places.get(mention.name);
      places.set(mention.name, { first: before?.first ?? mention, files: (before?.files ?? 0) + 1 });
    }
  return [...places.values()].map(({ first, files }) => {
    const meant = nearest(first.name, TASK_KEYS);
    const where = files === 1 ? "" : ` (in ${files} files)`;
    return fault("KEY_FOREIGN", `"${first.name}" is not a key of Pawl's: it is kept, and means nothing${where}`, {
      at: first.at,
      data: { span: first.name.length },
      ...(meant === null ? {} : { next: `write "${meant}", if that is what is meant.` }),
    });
  });
}

/** Roles for which every task that may be started names an agent itself. */
export function namedByAll(tasks: readonly TaskOutline[]): ReadonlySet<string> {
  const [first, ...others] = tasks
    .filter(({ fields }) => fields.draft !== true)
    .map(({ agents }) => new Set(agents.map(({ role }) => role)));
  return new Set([...(first ?? [])].filter((role) => others.every((roles) => roles.has(role))));
}
