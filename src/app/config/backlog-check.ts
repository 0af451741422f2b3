import { PawlError } from "../../domain/errors.ts";
import { idKey } from "../../domain/names.ts";
import { nearest } from "./nearest.ts";
import { idOf, type TaskOutline } from "./task-outline.ts";
import type { Mention } from "./written-task.ts";

/** A fault, and the task files that cannot be used because of it. */
export interface BacklogFault {
  readonly error: PawlError;
  readonly files: readonly string[];
}

/** A task with its id. */
interface Named {
  readonly id: string;
  readonly task: TaskOutline;
}

/** What is wrong between task files: ids that are there twice, deps that lead nowhere or in a circle. */
export function checkBacklog(tasks: readonly TaskOutline[], isKnown: (id: string) => boolean): readonly BacklogFault[] {
  const named = (task: TaskOutline): readonly Named[] => {
    const id = idOf(task);
    return id === null ? [] : [{ id, task }];
  };
  // only what has dependencies can have wrong ones, or be in a circle
  const hanging = tasks.filter(({ deps }) => deps.length > 0).flatMap(named);
  const byId = new Map(hanging.length === 0 ? [] : tasks.flatMap(named).map(({ id, task }) => [id, task]));
  return [
    ...(areApart(tasks) ? [] : checkIds(tasks.flatMap(named))),
    ...hanging.flatMap((one) => checkDeps(one, byId, isKnown)),
    ...checkCycles(hanging, byId),
  ];
}

/** Each id goes behind the last one, in small letters: then no two are one. Of a hundred thousand that is found without lists. */
function areApart(tasks: readonly TaskOutline[]): boolean {
  if (apart.has(tasks)) return true;
  let last = "";
  const are = tasks.every((task) => {
    const id = idOf(task);
    if (id === null) return true;
    const key = idKey(id);
    const isBehind = last < key && !/[A-Z]/.test(id);
    last = key;
    return isBehind;
  });
  if (are) apart.add(tasks);
  return are;
}
/** Lists are not changed: one that was looked at is not looked at again while nothing new is read. */
const apart = new WeakSet<readonly TaskOutline[]>();

function checkIds(tasks: readonly Named[]): readonly BacklogFault[] {
  const first = new Map<string, TaskOutline>();
  const groups = new Map<string, TaskOutline[]>();
  for (const { id, task } of tasks) {
    const key = id.toLowerCase();
    const before = first.get(key);
    if (before === undefined) first.set(key, task);
    else groups.set(key, [...(groups.get(key) ?? [before]), task]);
  }
  return [...groups.values()].flatMap(twins);
}

/** The first keeps the blame out of its file: each other one is told of it. */
function twins(group: readonly TaskOutline[]): readonly BacklogFault[] {
  const [first, ...others] = group as [TaskOutline, ...TaskOutline[]];
  const files = group.map(({ file }) => file);
  return others.map((other) => {
    const { name, at } = other.id!;
    const same = name === first.id!.name;
    const message = same
      ? `two tasks have the id ${name}: ${first.file} and ${other.file}`
      : `the ids ${first.id!.name} (${first.file}) and ${name} differ in case only, and name one branch on some machines`;
    const error = new PawlError(same ? "ID_TWICE" : "ID_CASE", message, {
      at,
      next: "give one of them another id.",
      data: { span: name.length, task: name },
    });
    return { error, files };
  });
}

function checkDeps(
  { id, task }: Named,
  byId: ReadonlyMap<string, TaskOutline>,
  isKnown: (id: string) => boolean,
): readonly BacklogFault[] {
  return task.deps.flatMap((dep) => {
    if (dep.name === id)
      return [
        depFault(task, dep, {
          code: "DEPS_SELF",
          message: `${id} depends on itself: ${id} -> ${id}`,
          next: "take it out of its deps.",
        }),
      ];
    if (byId.has(dep.name) || isKnown(dep.name)) return [];
    const meant = nearest(
      dep.name,
      [...byId.keys()].filter((other) => other !== id),
    );
    return [
      depFault(task, dep, {
        code: "DEPS_UNKNOWN",
        message: `${id} depends on ${dep.name}, and there is no such task`,
        next:
          meant === null
            ? `add a task ${dep.name}, or take it out of deps.`
            : `write "${meant}", or add a task ${dep.name}.`,
      }),
    ];
  });
}

const depFault = (
  task: TaskOutline,
  dep: Mention,
  what: { code: string; message: string; next: string },
): BacklogFault => ({
  error: new PawlError(what.code, what.message, {
    at: dep.at,
    next: what.next,
    data: { span: dep.name.length, task: task.id!.name },
  }),
  files: [task.file],
});

/** One fault for each circle; no recursion, since a chain may be as long as the backlog. */
function checkCycles(tasks: readonly Named[], byId: ReadonlyMap<string, TaskOutline>): readonly BacklogFault[] {
  const finished = new Set<string>();
  const faults: BacklogFault[] = [];
  for (const { id: start } of tasks) {
    const path: string[] = [];
    const onPath = new Map<string, number>();
    const stack: { id: string; deps: readonly Mention[]; at: number }[] = [];
    const enter = (id: string): void => {
      onPath.set(id, path.length);
      path.push(id);
      stack.push({ id, deps: byId.get(id)?.deps ?? [], at: 0 });
    };
    if (!finished.has(start)) enter(start);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const dep = top.deps[top.at++];
      if (!dep) {
        stack.pop();
        path.pop();
        onPath.delete(top.id);
        finished.add(top.id);
      } else if (onPath.has(dep.name)) {
        if (dep.name !== top.id) faults.push(cycleFault(path.slice(onPath.get(dep.name)), byId));
      } else if (!finished.has(dep.name) && byId.has(dep.name)) enter(dep.name);
    }
  }
  return faults;
}

function cycleFault(cycle: readonly string[], byId: ReadonlyMap<string, TaskOutline>): BacklogFault {
  const [start = ""] = cycle;
  const last = byId.get(cycle.at(-1)!)!;
  const closing = last.deps.find((dep) => dep.name === start)!;
  const error = new PawlError("DEPS_CYCLE", [...cycle, start].join(" -> "), {
    at: closing.at,
    next: `remove one of these ${cycle.length} deps.`,
    data: { span: start.length, task: last.id!.name },
  });
  return { error, files: cycle.map((id) => byId.get(id)!.file) };
}
