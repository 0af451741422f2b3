import { stringify } from "yaml";
import { idFault } from "../../domain/names.ts";
import { bad, type Item } from "./item.ts";

/** A task file that an item becomes. */
export interface MadeTask {
  readonly id: string;
  readonly title: string;
  readonly deps: readonly string[];
  readonly text: string;
}
export interface Made {
  readonly tasks: readonly MadeTask[];
  /** keys of what is over there, and makes no task */
  readonly over: readonly string[];
}

/**
 * Task files of items: the key becomes the id, as far as an id can be it. What is over makes none, and nobody waits for
 * it. `known`: ids of tasks that are there. Throws IMPORT_BAD where two become one, where a dependency is neither in the
 * file nor a task, and where they go round in a circle.
 */
export function madeTasks(items: readonly Item[], { file, known }: { file: string; known: ReadonlySet<string> }): Made {
  const ids = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const { key, line } of items) {
    const id = idOf(key, file, line);
    const other = taken.get(id.toLowerCase());
    if (other !== undefined) throw bad(file, `"${other}" and "${key}" would both be the task ${id}`, line);
    taken.set(id.toLowerCase(), key);
    ids.set(key, id);
  }
  const over = new Set(items.filter(({ isOver }) => isOver).map(({ key }) => key));
  const tasks = items.filter(({ isOver }) => !isOver).map((item) => taskOf(item, { ids, over, file, known }));
  const circle = circleIn(tasks);
  if (circle !== null) {
    const first = items.find(({ key }) => ids.get(key) === circle[0]);
    throw bad(file, `dependencies go round in a circle: ${circle.join(" -> ")}`, first?.line);
  }
  return { tasks, over: [...over] };
}

/** A circle of dependencies, its first id again at the end; null: there is none. */
function circleIn(tasks: readonly Pick<MadeTask, "id" | "deps">[]): readonly string[] | null {
  const left = waitingForEver(tasks);
  const [start] = left.keys();
  if (start === undefined) return null;
  const path = [start];
  for (const seen = new Map([[start, 0]]); ; seen.set(path.at(-1)!, path.length - 1)) {
    const next = left.get(path.at(-1)!)!.find((dep) => left.has(dep))!;
    if (seen.has(next)) return [...path.slice(seen.get(next)), next];
    path.push(next);
  }
}

/** Ids of tasks that are in a circle of dependencies, each of them. */
export function idsInCircles(tasks: readonly Pick<MadeTask, "id" | "deps">[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let rest = tasks; ; rest = rest.filter(({ id }) => !found.has(id))) {
    const circle = circleIn(rest);
    if (circle === null) return found;
    for (const id of circle) found.add(id);
  }
}

/** What is left where each task that waits for nobody is taken away, and then who waited for it. */
function waitingForEver(tasks: readonly Pick<MadeTask, "id" | "deps">[]): ReadonlyMap<string, readonly string[]> {
  const left = new Map(tasks.map(({ id, deps }) => [id, deps]));
  const waits = new Map(tasks.map(({ id, deps }) => [id, deps.filter((dep) => left.has(dep)).length]));
  const behind = new Map<string, string[]>();
  for (const { id, deps } of tasks) for (const dep of deps) behind.get(dep)?.push(id) ?? behind.set(dep, [id]);
  const free = tasks.flatMap(({ id }) => (waits.get(id) === 0 ? [id] : []));
  for (let at = 0; at < free.length; at++) {
    left.delete(free[at]!);
    for (const id of behind.get(free[at]!) ?? []) {
      waits.set(id, waits.get(id)! - 1);
      if (waits.get(id) === 0) free.push(id);
    }
  }
  return left;
}

function idOf(key: string, file: string, line?: number): string {
  const words = key
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
  // a number alone would say little as the name of a branch
  const id = (/^\d+$/.test(words) ? `task-${words.padStart(3, "0")}` : words).slice(0, 64);
  const fault = idFault(id);
  if (fault !== null) throw bad(file, `"${key}" can be no task's id: ${fault}`, line);
  return id;
}

interface Ground {
  readonly ids: ReadonlyMap<string, string>;
  readonly over: ReadonlySet<string>;
  readonly file: string;
  readonly known: ReadonlySet<string>;
}

function taskOf(item: Item, { ids, over, file, known }: Ground): MadeTask {
  const id = ids.get(item.key)!;
  const deps = [...new Set(item.deps)].flatMap((dep) => {
    if (over.has(dep)) return [];
    const found = ids.get(dep) ?? (known.has(dep) ? dep : null);
    if (found === null)
      throw bad(file, `"${item.key}" depends on "${dep}", which is neither in it nor a task`, item.line);
    if (found === id) throw bad(file, `"${item.key}" depends on itself`, item.line);
    return [found];
  });
  const source = `${file.slice(file.lastIndexOf("/") + 1)}#${item.key}`;
  return { id, title: item.title, deps, text: textOf(item, { deps, source }) };
}

function textOf(item: Item, { deps, source }: { deps: readonly string[]; source: string }): string {
  const matter = {
    title: item.title.replace(/\s+/g, " "),
    ...(deps.length === 0 ? {} : { deps }),
    ...(item.criteria.length === 0 ? {} : { acceptance_criteria: item.criteria }),
    ...(item.labels.length === 0 ? {} : { labels: item.labels }),
    source,
  };
  return `---\n${stringify(matter, { lineWidth: 0 })}---\n${item.body === "" ? `${matter.title}.` : item.body}\n`;
}
