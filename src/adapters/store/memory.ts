import { type Backlog, emptyBacklog } from "../../domain/backlog.ts";
import { type BlobHash, compareIds, type Instant, type MapHash, type TaskId } from "../../domain/names.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import type { Seed, Task } from "../../domain/task.ts";
import type { Inbox, Posted, Reply } from "../../ports/inbox.ts";
import type { Ended, Holder, LoggedTick, Reader, Store, Tick } from "../../ports/store.ts";
import { bell } from "./bell.ts";
import { countsOf } from "./counts.ts";
import { isBusy } from "./place.ts";
import { plainCopy } from "./plain-copy.ts";
import { isSequence, together } from "./together.ts";

/** All that a store knows, as this one keeps it. */
interface Kept {
  readonly ticks: LoggedTick[];
  readonly rows: Map<TaskId, Task>;
  readonly seeds: Map<TaskId, Seed>;
  readonly maps: Map<MapHash, PhaseMap>;
  readonly blobs: Map<BlobHash, Uint8Array>;
  readonly requests: Map<string, Posted & { reply: Reply | null }>;
  backlog: Backlog;
  holder: Holder | null;
}

/**
 * A store that lives as long as this object: the same contract, nothing durable, a commit costs the copy of what it
 * brings. For tests and worlds. `close` releases the lease and no more, so that it can be "opened" again.
 */
export function memoryStore(): Store & Inbox {
  const kept: Kept = {
    ticks: [],
    rows: new Map(),
    seeds: new Map(),
    maps: new Map(),
    blobs: new Map(),
    requests: new Map(),
    backlog: emptyBacklog,
    holder: null,
  };
  const release = (): void => {
    if (kept.holder) kept.holder = { ...kept.holder, alive: false };
  };
  return {
    ...readerOf(kept),
    ...inboxOf(kept),
    lease: leaseOf(kept, release),
    close: async () => release(),
    async commit(epoch, ...ticks) {
      const isHolder = kept.holder?.alive === true && kept.holder.epoch === epoch;
      if (!isHolder || ticks[0]?.seq !== kept.ticks.length + 1 || !isSequence(ticks)) return "fenced";
      for (const tick of together(ticks)) write(kept, epoch, tick);
      return "ok";
    },
  };
}

function write(kept: Kept, epoch: number, tick: Tick): void {
  const { seq, now, build, inputs, facts } = tick;
  kept.ticks.push(plainCopy({ seq, now, epoch, build, inputs, facts }));
  for (const seed of tick.seeds) if (!kept.rows.has(seed.id)) kept.seeds.set(seed.id, plainCopy(seed));
  for (const row of tick.rows) {
    kept.rows.set(row.id, plainCopy(row));
    kept.seeds.delete(row.id);
  }
  for (const map of tick.maps) kept.maps.set(map.hash, plainCopy(map));
  for (const [hash, bytes] of tick.blobs) kept.blobs.set(hash, new Uint8Array(bytes));
  if (tick.backlog) kept.backlog = plainCopy(tick.backlog);
  for (const fact of facts) {
    const request = fact.kind === "command-answered" && kept.requests.get(fact.id);
    if (request) request.reply ??= { accepted: fact.accepted, reply: fact.reply };
  }
}

const readerOf = (kept: Kept): Omit<Reader, "close"> => ({
  load: async () => ({
    seq: kept.ticks.length,
    now: kept.ticks.at(-1)?.now ?? (0 as Instant),
    backlog: plainCopy(kept.backlog),
    live: [...kept.rows.values()].filter(isBusy).map(plainCopy),
    seeds: [...kept.seeds.values()].map(plainCopy),
    ended: [...kept.rows.values()].filter((row) => !isBusy(row)).map(endedOf),
    maps: new Map([...kept.maps].map(([hash, map]) => [hash, plainCopy(map)])),
  }),
  overview: async (most) => ({
    seq: kept.ticks.length,
    now: kept.ticks.at(-1)?.now ?? (0 as Instant),
    backlog: plainCopy(kept.backlog),
    live: [...kept.rows.values()].filter(isBusy).map(plainCopy),
    maps: new Map([...kept.maps].map(([hash, map]) => [hash, plainCopy(map)])),
    counts: countsOf([
      ...[...kept.rows.values()].map(({ status }) => ({ status, n: 1 })),
      { status: "not-started", n: kept.seeds.size },
    ]),
    notStarted: [...kept.seeds.keys()].sort(compareIds).slice(0, most.notStarted),
    failed: [...kept.rows.values()]
      .filter(({ status }) => status === "failed")
      .map(({ id }) => id)
      .sort(compareIds)
      .slice(0, most.failed),
  }),
  part: async (ids) => ({
    seeds: ids.flatMap((id) => plainCopy(kept.seeds.get(id) ?? [])),
    rows: ids.flatMap((id) => plainCopy(kept.rows.get(id) ?? [])),
  }),
  task: async (id) => plainCopy(kept.rows.get(id) ?? null),
  tasks: async () => [...kept.rows.values()].map(plainCopy),
  blob: async (hash) => kept.blobs.get(hash)?.slice() ?? null,
  ticks: async (after, limit) => kept.ticks.slice(after, after + limit).map(plainCopy),
  holder: async () => kept.holder && { ...kept.holder },
});

const endedOf = ({ id, status, synced, merged }: Task): Ended => ({ id, status, synced, merged });

function leaseOf(kept: Kept, release: () => void): Store["lease"] {
  return async ({ pid, host, now }) => {
    if (kept.holder?.alive) return { heldBy: { ...kept.holder } };
    const epoch = (kept.holder?.epoch ?? 0) + 1;
    kept.holder = { pid, host, since: now, epoch, alive: true };
    const isHeld = (): boolean => kept.holder?.epoch === epoch && kept.holder.alive;
    return {
      lease: {
        epoch,
        until: null,
        lost: new AbortController().signal,
        renew: async () => isHeld(),
        release: async () => {
          if (isHeld()) release();
        },
      },
    };
  };
}

function inboxOf(kept: Kept): Inbox {
  const posted = bell();
  return {
    async post({ id, by, task, command }) {
      if (!kept.requests.has(id)) kept.requests.set(id, { id, by, task, command: plainCopy(command), reply: null });
      posted.ring();
    },
    unread: async (limit) =>
      [...kept.requests.values()]
        .filter((request) => !request.reply)
        .slice(0, limit)
        .map(({ id, by, task, command }) => ({ kind: "command-received", id, by, task, command: plainCopy(command) })),
    reply: async (id) => plainCopy(kept.requests.get(id)?.reply ?? null),
    rung: (signal) => posted.rung([signal]),
  };
}
