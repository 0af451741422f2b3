import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isServer, openReader } from "../../src/adapters/store/index.ts";
import { NOTHING } from "../../src/domain/budget.ts";
import type { Command } from "../../src/domain/input.ts";
import type { Instant, TaskId } from "../../src/domain/names.ts";
import type { Task } from "../../src/domain/task.ts";
import type { Inbox } from "../../src/ports/inbox.ts";
import type { Reader } from "../../src/ports/store.ts";
import type { Backlog } from "./backlog.ts";
import { storeOf } from "./end-state.ts";

const EVERY_MS = 50;
const MINUTE = 60_000;

/** The second process: reads the store, and answers by requests and by files; what it does depends on the rows alone. */
export async function review(folder: string, backlog: Backlog, signal: AbortSignal): Promise<void> {
  const store = await opened(storeOf(folder), signal);
  if (store === null) return;
  const done = new Set<string>();
  try {
    while (!signal.aborted) {
      for (const [id, { by, rejectFirst }] of Object.entries(backlog.asked)) {
        const row = await store.task(id as TaskId);
        const name = `${id}-${row?.head}`;
        if (row?.doing.kind !== "asking" || done.has(name)) continue;
        const reject = rejectFirst && !row.findings.some((finding) => finding.text.includes(REJECTION));
        if (by === "file") answerByFile(folder, id, reject);
        else await post(store, { id: name, task: id, command: answer(row, reject) });
        done.add(name);
      }
      for (const id of backlog.cancelled) await cancelAtWork(store, id);
      await pause(EVERY_MS);
    }
  } finally {
    await store.close();
  }
}

const REJECTION = "say more";

async function opened(path: string, signal: AbortSignal): Promise<(Reader & Inbox) | null> {
  while (!signal.aborted) {
    try {
      if (isServer(path) || existsSync(path)) return await openReader(path);
    } catch {
      // it is being made just now
    }
    await pause(EVERY_MS);
  }
  return null;
}

const answer = ({ head }: Task, reject: boolean): Command =>
  reject ? { do: "reject", head, message: REJECTION } : { do: "approve", head, message: null };

/** Written elsewhere and moved in, as a careful program does. */
function answerByFile(folder: string, id: string, reject: boolean): void {
  const inbox = join(folder, "repo/.pawl/inbox");
  mkdirSync(inbox, { recursive: true });
  const draft = join(folder, `${id}.answer`);
  writeFileSync(draft, reject ? REJECTION : "");
  renameSync(draft, join(inbox, `${id}.${reject ? "reject" : "approve"}`));
}

/** First more time (a message to its worker), and when that is answered, the end. */
async function cancelAtWork(store: Reader & Inbox, id: string): Promise<void> {
  const row = await store.task(id as TaskId);
  if (row?.doing.kind !== "running") return;
  await post(store, { id: `${id}-extend`, task: id, command: { do: "extend", timeMs: MINUTE, add: NOTHING } });
  if ((await store.reply(`${id}-extend`)) === null) return;
  await post(store, { id: `${id}-cancel`, task: id, command: { do: "cancel", message: "not needed any more" } });
}

const post = (inbox: Inbox, request: { id: string; task: string; command: Command }): Promise<void> =>
  inbox.post({ ...request, task: request.task as TaskId, by: "sweep", at: Date.now() as Instant });
