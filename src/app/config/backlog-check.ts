import { PawlError } from "../../domain/errors.ts";
import { nearest } from "./nearest.ts";
import type { Mention, WrittenTask } from "./written-task.ts";

/** A fault, and the task files that cannot be used because of it. */
export interface BacklogFault {
  readonly error: PawlError;
  readonly files: readonly string[];
}

/** What is wrong between task files: ids that are there twice, deps that lead nowhere or in a circle. */
export function checkBacklog(tasks: readonly WrittenTask[], isKnown: (id: string) => boolean): readonly BacklogFault[] {
  const named = tasks.filter((task) => task.id !== null);
  const byId = new Map(named.map((task) => [task.id!.name, task]));
  return [...checkIds(named), ...named.flatMap((task) => checkDeps(task, byId, isKnown)), ...checkCycles(named, byId)];
}

function checkIds(tasks: readonly WrittenTask[]): readonly BacklogFault[] {
  const groups = new Map<string, WrittenTask[]>();
  for (const task of tasks) {
    const key = task.id!.name.toLowerCase();
    const group = groups.get(key);
    if (group) group.push(task);
    else groups.set(key, [task]);
  }
  return [...groups.values()].filter((group) => group.length > 1).flatMap(twins);
}

/** The first keeps the blame out of its file: each other one is told of it. */
function twins(group: readonly WrittenTask[]): readonly BacklogFault[] {
  const [first, ...others] = group as [WrittenTask, ...WrittenTask[]];
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
  task: WrittenTask,
  byId: ReadonlyMap<string, WrittenTask>,
  isKnown: (id: string) => boolean,
): readonly BacklogFault[] {
  const id = task.id!.name;
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
  task: WrittenTask,
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
function checkCycles(tasks: readonly WrittenTask[], byId: ReadonlyMap<string, WrittenTask>): readonly BacklogFault[] {
  const finished = new Set<string>();
  const faults: BacklogFault[] = [];
  for (const task of tasks) {
    const path: string[] = [];
    const onPath = new Map<string, number>();
    const stack: { id: string; deps: readonly Mention[]; at: number }[] = [];
    const enter = (id: string): void => {
      onPath.set(id, path.length);
      path.push(id);
      stack.push({ id, deps: byId.get(id)?.deps ?? [], at: 0 });
    };
    if (!finished.has(task.id!.name)) enter(task.id!.name);
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

function cycleFault(cycle: readonly string[], byId: ReadonlyMap<string, WrittenTask>): BacklogFault {
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
