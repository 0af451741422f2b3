import { createHash } from "node:crypto";
import type { Issues } from "../../adapters/forge/remote/issue.ts";
import { PawlError } from "../../domain/errors.ts";
import { isTaskFact } from "../../domain/fact.ts";
import type { Ms, TaskId } from "../../domain/names.ts";
import type { Task } from "../../domain/task.ts";
import type { Looker } from "../../engine/look.ts";
import type { Ticked } from "../../engine/parts.ts";
import type { Probe } from "../../ports/probe.ts";
import type { IntakeSpec, Settings } from "../../ports/settings.ts";
import type { Reader } from "../../ports/store.ts";
import type { TaskFile } from "../../protocol/task-file.ts";
import { createBell } from "../bell.ts";
import { createTold } from "./told.ts";
import { wordsFor, writeBack } from "./write-back.ts";

/** A task goes through several states in a moment: its issue is told of the last one. */
const GAP_MS: Ms = 10_000;
/** GitHub asks for no more than 80 a minute that a person would be told of. */
const MOST_AT_ONCE = 10;
const MORE_MS: Ms = 15_000;
const IDLE_MS: Ms = 60 * 60_000;
/** Where it is not known what they were told, each is asked. */
const LONGEST_MS: Ms = 5 * 60_000;

interface Options {
  readonly settings: () => Settings;
  readonly store: Pick<Reader, "task" | "tasks" | "blob">;
  readonly issuesFor: (spec: IntakeSpec) => Promise<Issues>;
  readonly probe: Probe;
  readonly tell?: ((word: string, text: string) => void) | undefined;
}

/**
 * Tells the issues of intakes with `write_back` where their task is, while a processor runs: one comment each, edited when
 * the state changes. What each was told last is kept in `.pawl/issues-told.json`; where a crash came between, or the file
 * is gone, the comment is found by its mark. `heard` is for what the engine did.
 */
export function tellIssues(of: Options): { readonly looker: Looker; heard(ticked: Ticked): () => void } {
  const told = createTold(of.settings().state);
  const bell = createBell(GAP_MS);
  const open = new Set<TaskId>();
  const specFor = (id: TaskId) =>
    of.settings().intake?.from.find((spec) => spec.writeBack && numberIn(id, spec) !== null);
  const tellOne = createTeller(of, told);
  let isFirst = true;

  async function look(signal: AbortSignal): Promise<Ms> {
    if (!of.settings().intake?.from.some(({ writeBack: isTold }) => isTold)) return IDLE_MS;
    if (isFirst) for (const { id } of await of.store.tasks()) if (specFor(id)) open.add(id);
    isFirst = false;
    try {
      const away = await tellAll([...open], signal);
      return Math.min(open.size > 0 ? MORE_MS : IDLE_MS, ...away.values());
    } finally {
      told.keep();
    }
  }

  /** Leaves open what is not told. Gives the intakes that cannot be told now, each with the ms until it may be tried. */
  async function tellAll(ids: readonly TaskId[], signal: AbortSignal): Promise<ReadonlyMap<IntakeSpec, Ms>> {
    const away = new Map<IntakeSpec, Ms>();
    let writes = 0;
    for (const id of ids) {
      const spec = specFor(id);
      if (spec !== undefined && (away.has(spec) || writes >= MOST_AT_ONCE)) continue;
      // what happens while it is told opens it again
      open.delete(id);
      const came = spec === undefined ? "nothing" : await tellOne(spec, id, signal).catch((error) => again(id, error));
      if (came === "written") writes++;
      if (typeof came !== "number") continue;
      open.add(id);
      away.set(spec!, came);
    }
    return away;
  }

  function again(id: TaskId, error: unknown): never {
    open.add(id);
    throw error;
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    looker: {
      name: "issues told",
      deadlineMs: LONGEST_MS,
      rung: (signal) => bell.rings(signal),
      once({ signal }) {
        const next = last.then(() => look(signal));
        last = next.catch(() => {});
        return next;
      },
    },
    heard({ facts, board }) {
      const news = [...new Set(facts.filter(isTaskFact).map(({ task }) => task))].filter((id) => {
        const spec = specFor(id);
        const row = board.rows.get(id);
        return spec !== undefined && !(row && told.is(spec, id, hashOf(row)));
      });
      return () => {
        for (const id of news) open.add(id);
        if (news.length > 0) bell.ring();
      };
    },
  };
}

/** Tells one; a number: it cannot be told now, and may be in so many ms. */
function createTeller({ store, issuesFor, probe, tell }: Options, told: ReturnType<typeof createTold>) {
  const broken = new Set<string>();
  const later = ({ repo }: IntakeSpec, why: string, until: number): Ms => {
    if (!broken.has(repo)) {
      tell?.("intake", `issues of ${repo} are not told now, but later: ${why}`);
      probe.record({ event: "issue_untold", repo, error: why });
    }
    broken.add(repo);
    return Math.max(MORE_MS, until - Date.now());
  };
  return async (spec: IntakeSpec, id: TaskId, signal: AbortSignal): Promise<"written" | "nothing" | Ms> => {
    const task = await store.task(id);
    if (task === null || told.is(spec, id, hashOf(task)) || !(await isOfThat(task, spec, store))) return "nothing";
    try {
      const back = await writeBack(await issuesFor(spec), { number: numberIn(id, spec)!, task, signal });
      if (back.kind === "not" && back.again !== null) return later(spec, back.why, back.again);
      broken.delete(spec.repo);
      told.set(spec, id, hashOf(task));
      // refused as these words are: the next state is tried again
      if (back.kind === "not") tell?.("intake", `the issue of ${id} is not told: ${back.why}`);
      return back.kind === "same" ? "nothing" : "written";
    } catch (error) {
      if (!(error instanceof PawlError) || signal.aborted) throw error;
      return later(spec, error.message, error.code === "FORGE_LIMITED" ? Number(error.data.until) : 0);
    }
  };
}

/** The number of the issue that a task was; null: it was none of these. */
function numberIn(id: string, { prefix }: IntakeSpec): number | null {
  const rest = id.startsWith(prefix) ? id.slice(prefix.length) : "";
  return /^[1-9]\d{0,15}$/.test(rest) ? Number(rest) : null;
}

/** Whether its file says that it is that issue: one that somebody wrote by hand may have such an id too. */
async function isOfThat({ id, spec: blob }: Task, spec: IntakeSpec, store: Options["store"]): Promise<boolean> {
  const bytes = await store.blob(blob);
  const source = bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as TaskFile).source;
  const place = source?.toLowerCase() ?? "";
  return place.includes(`/${spec.repo.toLowerCase()}/`) && place.endsWith(`/issues/${numberIn(id, spec)}`);
}

const hashOf = (task: Task): string => createHash("sha256").update(wordsFor(task)).digest("hex").slice(0, 16);
