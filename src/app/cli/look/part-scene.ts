import type { Instant, TaskId } from "../../../domain/names.ts";
import { pristine } from "../../../domain/pristine.ts";
import type { Seed, Task } from "../../../domain/task.ts";
import { Board } from "../../../engine/board.ts";
import type { Inbox } from "../../../ports/inbox.ts";
import type { Ended, Overview, Reader } from "../../../ports/store.ts";
import { inOrder, type Scene } from "../views/scene.ts";
import { localOffset } from "../views/times.ts";
import { waitsForYou, whyOf } from "../views/why.ts";
import { MOST_REQUESTS, sightsOf } from "./scene.ts";

/** A backlog up to this is shown whole. */
const WHOLE = 200;
/** Of a larger one: as many that wait for a person, that are at work or wait for something else, and that failed … */
const MOST = 20;
/** … and the next to be picked up. */
const NEXT = 10;

type Store = Reader & Inbox;

/** What a person wants to see of a large backlog, without reading all of it; null: it is not large. */
export async function partScene(reader: Store, state: string): Promise<Scene | null> {
  const overview = await reader.overview({ notStarted: NEXT, failed: MOST });
  const all = Object.values(overview.counts).reduce((sum, n) => sum + n, 0);
  if (all <= WHOLE) return null;
  const { notStarted: next, failed } = overview;
  const { seeds, rows } = await reader.part([...next, ...failed]);
  const deps = await reader.part([...new Set(seeds.flatMap(({ terms }) => terms.deps))]);
  const scene = await sceneOf({
    reader,
    state,
    overview,
    seeds: [...seeds, ...deps.seeds],
    rows: [...rows, ...deps.rows],
  });
  const inProgress = scene.tasks.filter(({ status }) => status === "in-progress");
  const yours = inProgress.filter((task) => waitsForYou(whyOf(task, scene)));
  const others = inProgress.filter((task) => !yours.includes(task));
  const shown = [...yours.slice(0, MOST), ...others.slice(0, MOST)].map(({ id }) => id);
  return { ...scene, part: { counts: overview.counts, shown: new Set([...shown, ...next, ...failed]) } };
}

/** What is in progress, and nothing of all that is not: enough to end it, or to say that it goes on. */
export async function liveScene(of: { readonly reader: Store; readonly state: string }): Promise<Scene> {
  return sceneOf({ ...of, ...NOTHING_ELSE, overview: await of.reader.overview({ notStarted: 0, failed: 0 }) });
}
const NOTHING_ELSE = { seeds: [], rows: [] };

/** The same for who holds the store itself, and must not ask who does: see SQLite's lease. */
export async function ownLiveScene(reader: Reader, state: string): Promise<Scene> {
  const overview = await reader.overview({ notStarted: 0, failed: 0 });
  return { ...viewOf({ overview, ...NOTHING_ELSE }), holder: null, sights: sightsOf(overview.live, state) };
}

interface Of {
  readonly reader: Store;
  readonly state: string;
  readonly overview: Overview;
  readonly seeds: readonly Seed[];
  readonly rows: readonly Task[];
}

async function sceneOf({ reader, state, ...seen }: Of): Promise<Scene> {
  return {
    ...viewOf(seen),
    holder: await reader.holder(),
    // Asked last, as for a whole one.
    sights: sightsOf(seen.overview.live, state),
    requests: await reader.unread(MOST_REQUESTS),
  };
}

function viewOf({ overview, seeds, rows }: Pick<Of, "overview" | "seeds" | "rows">) {
  const { live, seq, now } = overview;
  const known = new Map<TaskId, Task>();
  for (const task of [...seeds.map(pristine), ...rows, ...live]) known.set(task.id, task);
  const tasks = inOrder(known.values());
  const isLive = new Set(live.map(({ id }) => id));
  const ended = tasks.filter(({ id, status }) => status !== "not-started" && !isLive.has(id)).map(endedOf);
  return {
    face: { now: Date.now() as Instant, offset: localOffset },
    world: new Board({ ...overview, seeds: seeds.filter(({ id }) => known.get(id)?.status === "not-started"), ended }),
    tasks,
    ticked: seq === 0 ? null : now,
  };
}

const endedOf = ({ id, status, synced, merged }: Task): Ended => ({ id, status, synced, merged });
