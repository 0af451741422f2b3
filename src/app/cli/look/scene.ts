import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isServer } from "../../../adapters/store/address.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Instant, TaskId } from "../../../domain/names.ts";
import { pristine } from "../../../domain/pristine.ts";
import type { Task } from "../../../domain/task.ts";
import { Board } from "../../../engine/board.ts";
import type { Inbox } from "../../../ports/inbox.ts";
import type { Reader } from "../../../ports/store.ts";
import { lostStore } from "../../lost-store.ts";
import type { Context } from "../context.ts";
import { inOrder, type Scene, type Sight } from "../views/scene.ts";
import { localOffset } from "../views/times.ts";
import { signOf } from "./run-folders.ts";
import { type StorePlace, storePlace } from "./store-place.ts";

/** An open store to look into, and what was seen there. */
export interface Look extends StorePlace {
  readonly reader: Reader & Inbox;
  readonly scene: Scene;
}

/** The store, without the lease: works beside a processor and without one. Throws STORE_MISSING with what to do. */
export async function openStoreHere(ctx: Context): Promise<StorePlace & { readonly reader: Reader & Inbox }> {
  // loaded while git says where the repository is
  const [place, { openReader }] = await Promise.all([storePlace(ctx), import("../../../adapters/store/index.ts")]);
  try {
    return { ...place, reader: await openReader(place.store) };
  } catch (error) {
    if (!(error instanceof PawlError) || error.code !== "STORE_MISSING") throw error;
    throw lostStore(place) ?? (isServer(place.store) ? error : noStore(place));
  }
}

function noStore({ store, state }: StorePlace): PawlError {
  const runs = join(state, "runs");
  // `pawl work` needs no store, and its runs are in none
  const theirs =
    existsSync(runs) && readdirSync(runs).length > 0
      ? `; ${runs} holds what pawl work did, a folder for each ticket, with verdict.json and journal.jsonl`
      : "";
  return new PawlError("STORE_MISSING", `there is no store at ${store} yet: no pawl run has been here${theirs}`, {
    next: `pawl run (makes it), or name the right one with --store PATH${theirs === "" ? "" : "; the same pawl work command says how its ticket stands, and goes on"}.`,
  });
}

/** Looks once (`see`: at what; everything, unless it is said), hands what was seen to `work`, and closes. */
export async function looking<T>(
  ctx: Context,
  work: (look: Look) => Promise<T>,
  see: (here: { readonly reader: Reader & Inbox; readonly state: string }) => Promise<Scene> = sceneIn,
): Promise<T> {
  const here = await openStoreHere(ctx);
  try {
    return await work({ ...here, scene: await see(here) });
  } finally {
    await here.reader.close();
  }
}

/** One state of the store, as views see it. */
export async function sceneIn({
  reader,
  state,
}: {
  readonly reader: Reader & Inbox;
  readonly state: string;
}): Promise<Scene> {
  const scene = await sceneOver(reader, { holder: await reader.holder() });
  // Asked last: what a tick has taken meanwhile is not unread any more, and what it did is seen at the next look.
  return { ...scene, sights: sightsOf(scene.tasks, state), requests: await reader.unread(MOST_REQUESTS) };
}
export const MOST_REQUESTS = 1_000;

/** The same without run folders. The holder itself must not ask who holds: see SQLite's lease. */
export async function sceneOver(reader: Reader, { holder }: Pick<Scene, "holder">): Promise<Scene> {
  const snapshot = await reader.load();
  const seeds = Array.from(snapshot.seeds, pristine);
  // Between the two reads a task may have been picked up: the row counts.
  const rows = [...seeds, ...(await reader.tasks()), ...snapshot.live];
  return {
    face: { now: Date.now() as Instant, offset: localOffset },
    world: new Board(snapshot),
    tasks: inOrder(new Map(rows.map((task) => [task.id, task])).values()),
    sights: new Map(),
    holder,
    ticked: snapshot.seq === 0 ? null : snapshot.now,
  };
}

/** What the run folders of all live runs say. */
export function sightsOf(tasks: Iterable<Task>, state: string): ReadonlyMap<TaskId, Sight> {
  const sights = new Map<TaskId, Sight>();
  for (const { id, doing } of tasks) if (doing.kind === "running") sights.set(id, signOf(state, doing.leg));
  return sights;
}
