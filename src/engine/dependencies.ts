import { compareIds, type TaskId } from "../domain/names.ts";
import type { Seed } from "../domain/task.ts";

/** Which tasks wait for which: counted, so that the end of one task touches only what hangs on it. */
export class Dependencies {
  readonly #dependants = new Map<TaskId, Set<TaskId>>();
  readonly #deps = new Map<TaskId, readonly TaskId[]>();
  readonly #unmet = new Map<TaskId, number>();
  readonly #isMet: (id: TaskId) => boolean;

  constructor(isMet: (id: TaskId) => boolean) {
    this.#isMet = isMet;
  }
  /** a task that is not picked up, new or changed */
  put({ id, terms }: { readonly id: TaskId; readonly terms: Pick<Seed["terms"], "deps"> }): void {
    this.drop(id);
    if (terms.deps.length === 0) return;
    this.#deps.set(id, terms.deps);
    for (const dep of terms.deps) this.#of(dep).add(id);
    this.#unmet.set(id, terms.deps.filter((dep) => !this.#isMet(dep)).length);
  }
  /** picked up, or gone: it hangs on nothing any more */
  drop(id: TaskId): void {
    for (const dep of this.#deps.get(id) ?? []) this.#dependants.get(dep)?.delete(id);
    this.#deps.delete(id);
    this.#unmet.delete(id);
  }
  /** counts anew what hangs on `dep`; returns those */
  recount(dep: TaskId): readonly TaskId[] {
    const hanging = [...(this.#dependants.get(dep) ?? [])];
    for (const id of hanging) this.#unmet.set(id, this.unmet(id).length);
    return hanging;
  }
  isReady(id: TaskId): boolean {
    return (this.#unmet.get(id) ?? 0) === 0;
  }
  unmet(id: TaskId): readonly TaskId[] {
    return (this.#deps.get(id) ?? []).filter((dep) => !this.#isMet(dep));
  }
  hasDependants(id: TaskId): boolean {
    return (this.#dependants.get(id)?.size ?? 0) > 0;
  }
  dependants(id: TaskId): readonly TaskId[] {
    return [...(this.#dependants.get(id) ?? [])].sort(compareIds);
  }
  /** every chain from `root` to a task that nothing more hangs on */
  chains(root: TaskId): readonly (readonly TaskId[])[] {
    const found: TaskId[][] = [];
    const seen = new Set<TaskId>([root]);
    const stack: TaskId[][] = [[root]];
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      const next = this.dependants(path.at(-1)!).filter((id) => !seen.has(id));
      for (const id of next) seen.add(id);
      if (next.length === 0 && path.length > 1) found.push(path);
      for (const id of next.reverse()) stack.push([...path, id]);
    }
    return found;
  }

  #of(dep: TaskId): Set<TaskId> {
    const set = this.#dependants.get(dep) ?? new Set();
    this.#dependants.set(dep, set);
    return set;
  }
}
