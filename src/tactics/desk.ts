import type { Instant } from "../domain/names.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import { evolve } from "./evolve.ts";
import type { JournalRecord } from "./record.ts";
import type { WorkerState } from "./worker-state.ts";

/** A record without its time: the desk knows what time it is. */
export type Note = JournalRecord extends infer R ? (R extends { at: Instant } ? Omit<R, "at"> : never) : never;

/** A worker's journal, and the state that it comes to. */
export interface Desk {
  /** null: nothing was ever written */
  readonly state: WorkerState | null;
  readonly now: Instant;
  /** lines that could not be read: they count for nothing, and are said */
  readonly unread: number;
  /** writes a record, then is in the state that follows from it. With `durable` it is on the disk when this resolves */
  note(note: Note, how?: { readonly durable: boolean }): Promise<void>;
}

/** Opens a journal: what it holds is folded, line by line; a line that is no record hides none of those behind it. */
export function openDesk(journal: Journal, clock: Clock): Desk {
  let state: WorkerState | null = null;
  let unread = 0;
  for (const line of journal.lines) {
    const read = after(state, line);
    if (read) state = read.state;
    else unread += 1;
  }
  const now = (): Instant => Math.max(Math.round(clock.read().wall), state?.lastAt ?? 0) as Instant;
  return {
    get state() {
      return state;
    },
    get now() {
      return now();
    },
    unread,
    async note(note, how = { durable: false }) {
      const record = { ...note, at: now() } as JournalRecord;
      await journal.append(JSON.stringify(record), how);
      state = evolve(state, record);
    },
  };
}

/** The state after a line; null: it is none of ours, or not as it was written. */
function after(state: WorkerState | null, line: string): { readonly state: WorkerState | null } | null {
  const record = readRecord(line);
  if (record === null) return null;
  try {
    return { state: evolve(state, record) };
  } catch {
    return null;
  }
}

function readRecord(line: string): JournalRecord | null {
  try {
    const value = JSON.parse(line) as Partial<JournalRecord> | null;
    return typeof value?.r === "string" && typeof value.at === "number" ? (value as JournalRecord) : null;
  } catch {
    return null;
  }
}
