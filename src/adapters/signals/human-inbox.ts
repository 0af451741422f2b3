import { createHash } from "node:crypto";
import { lstat, mkdir, open, readdir, rename, watch } from "node:fs/promises";
import { join } from "node:path";
import type { SignalAnswer } from "../../domain/input.ts";
import type { TaskId } from "../../domain/names.ts";
import type { Question, Signals } from "../../ports/signals.ts";
import { mayAnswer, ownerName, splitBy } from "./answerer.ts";

export interface HumanInboxOptions {
  /** absolute path of the folder; made when it is first looked at */
  readonly inbox: string;
  /** who may answer, by name; empty: anybody who can write there */
  readonly from?: readonly string[];
  /** ms since 1970 */
  readonly now?: () => number;
  /** told once of each file that is left lying: no answer to anything that is asked, or (`why`) of nobody who may answer */
  readonly left?: (name: string, why: string | null) => void;
}

/** How long a file has to be left alone before it is read: a program may be half way through writing it. */
const SETTLE_MS = 200;
const MAX_BYTES = 64 * 1024;

/**
 * Answers that a person drops as files: `TASK.approve`, `TASK.reject`; the text is the message. A file counts when its
 * size and time have not changed for 200 ms; who wants to be sure writes it elsewhere and moves it in. With both files
 * there, reject wins. A file stays until its answer is durable (`taken`), then it lies in `taken/`.
 */
export function humanInbox({ inbox, from = [], now = Date.now, left = () => {} }: HumanInboxOptions): Signals {
  const looks = new Map<string, { readonly stamp: string; readonly since: number }>();
  const lying = lyingFiles(left, now);

  return {
    async ask(questions) {
      const names = new Set(await namesIn(inbox));
      for (const name of looks.keys()) if (!names.has(name)) looks.delete(name);
      const found = await Promise.all(questions.map((question) => answerTo(question, names)));
      lying.look(names, new Set(questions.flatMap(({ task }) => [`${task}.approve`, `${task}.reject`])));
      for (const one of found)
        if (one !== null && one !== "unsettled" && one.answer.status === "pending") lying.refused(one.answer);
      const unsettled = found.includes("unsettled");
      const seen = found.flatMap((one) => (one === null || one === "unsettled" ? [] : [one]));
      return { seen, againAfterMs: unsettled ? SETTLE_MS : 1_000 };
    },
    async taken(ids) {
      for (const id of ids) await putAway(inbox, id);
    },
    rung: (signal) => changesIn(inbox, signal),
  };

  async function answerTo(
    question: Question,
    names: ReadonlySet<string>,
  ): Promise<{ task: TaskId; answer: SignalAnswer } | "unsettled" | null> {
    const name = [`${question.task}.reject`, `${question.task}.approve`].find((one) => names.has(one));
    const file = name === undefined ? null : await readAnswer(inbox, name);
    if (file === null) return null;
    return settled(file) ? { task: question.task, answer: answerOf(file, question, from) } : "unsettled";
  }

  /** Unchanged between two looks, or last changed long enough ago by the clock (which may be another machine's). */
  function settled({ name, stamp, changedAt }: File): boolean {
    const before = looks.get(name);
    const since = before?.stamp === stamp ? before.since : now();
    looks.set(name, { stamp, since });
    const age = Math.max(now() - since, changedAt <= now() ? now() - changedAt : 0);
    return age >= SETTLE_MS;
  }
}

/** Tells of each file once, when it has lain there for a moment: a program may be about to give it its real name. */
function lyingFiles(left: NonNullable<HumanInboxOptions["left"]>, now: () => number) {
  const since = new Map<string, number>();
  const told = new Set<string>();
  return {
    look(names: ReadonlySet<string>, asked: ReadonlySet<string>): void {
      for (const name of [...since.keys()]) if (!names.has(name)) since.delete(name) && told.delete(name);
      for (const name of names) {
        if (asked.has(name) || /^\.|~$|^taken$/.test(name)) continue;
        if (!since.has(name)) since.set(name, now());
        if (told.has(name) || now() - since.get(name)! < LYING_MS) continue;
        told.add(name);
        left(name, null);
      }
    },
    refused({ id, message }: SignalAnswer): void {
      const name = /^file:(.+):[0-9a-f]{64}$/s.exec(id)?.[1] ?? id;
      if (told.has(id)) return;
      told.add(id);
      left(name, message);
    },
  };
}
/** more than one look apart */
const LYING_MS = 900;

interface File {
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly uid: number;
  /** what changes with every write */
  readonly stamp: string;
  readonly changedAt: number;
}

async function namesIn(inbox: string): Promise<readonly string[]> {
  await mkdir(inbox, { recursive: true });
  return readdir(inbox);
}

/** null: gone meanwhile, or no plain file (a link could name any file of the machine). */
async function readAnswer(inbox: string, name: string): Promise<File | null> {
  const path = join(inbox, name);
  try {
    if (!(await lstat(path)).isFile()) return null;
    const file = await open(path, "r");
    try {
      const stat = await file.stat({ bigint: true });
      const bytes = Buffer.alloc(Math.min(MAX_BYTES, Number(stat.size)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      const stamp = `${stat.size} ${stat.mtimeNs} ${stat.ino}`;
      const hash = createHash("sha256").update(bytes.subarray(0, bytesRead)).update(` ${stamp}`).digest("hex");
      const more = Number(stat.size) - bytesRead;
      const rest = more > 0 ? `… [cut: ${more} bytes more]` : "";
      const text = (bytes.toString("utf8", 0, bytesRead) + rest).replace(/^\uFEFF/, "").trim();
      return { name, id: `file:${name}:${hash}`, text, uid: Number(stat.uid), stamp, changedAt: Number(stat.mtimeMs) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function answerOf(file: File, { task, head }: Question, from: readonly string[]): SignalAnswer {
  const rejected = file.name.endsWith(".reject");
  const { by, message } = splitBy(file.text, ownerName(file.uid), from);
  const of = { id: file.id, head, by, findings: [] };
  if (!mayAnswer(by, from)) {
    const why = `${file.name} is ${by}'s, who is not in from (${from.join(", ")}); a first line "by: NAME" says who answers`;
    return { ...of, status: "pending", message: why };
  }
  if (rejected)
    return { ...of, status: "rejected", message: message ?? `rejected by ${by} without a reason (${task})` };
  return { ...of, status: "approved", message };
}

/**
 * Moves the file of an answer to `taken/`, if it is still the one that was answered. A rejection takes an approval
 * that lay beside it along, before itself: after a crash between the two the rejection is still there to do it again.
 */
async function putAway(inbox: string, id: string): Promise<void> {
  const [, name, hash] = /^file:(.+):([0-9a-f]{64})$/s.exec(id) ?? [];
  if (name === undefined || hash === undefined || /[\\/]/.test(name)) return;
  const file = await readAnswer(inbox, name);
  if (file?.id !== id) return;
  await mkdir(join(inbox, "taken"), { recursive: true });
  const beside = name.endsWith(".reject") ? [name.replace(/\.reject$/, ".approve")] : [];
  for (const one of [...beside, name]) {
    const to = join(inbox, "taken", `${one}.${hash.slice(0, 12)}`);
    await rename(join(inbox, one), to).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }
}

/** A hint whenever something in the folder changed. A watcher that fails costs an interval, nothing more. */
async function* changesIn(inbox: string, signal: AbortSignal): AsyncGenerator<void> {
  if (signal.aborted) return;
  try {
    await mkdir(inbox, { recursive: true });
    for await (const _ of watch(inbox, { signal })) yield;
  } catch {
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";
