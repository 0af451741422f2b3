import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createFile, json, readRecord, replaceFile } from "../../adapters/agents/files.ts";
import { type OpenQuestion, QUESTION_FILE } from "../../adapters/agents/question.ts";
import type { AskPerson } from "../../device/device-parts.ts";

const answerFile = (number: number): string => `answer-${String(number).padStart(3, "0")}.json`;

/**
 * Asks people who are somewhere else: the question lies in the run's folder until it is answered there (`pawl answer`),
 * and is gone when nobody waits with it any more. Its number is never used again, so that a late answer to it answers no
 * other. Durable before this waits: the question. Durable at its return: what it was answered, or that it was not.
 */
export const askedInFolder =
  (folder: string): AskPerson =>
  async (question, timeoutMs, signal) => {
    const number = numberOfNext(folder);
    // who answers at the last moment is heard before the time of who asks is over
    const takenMs = timeoutMs - Math.min(LAST_MS, timeoutMs / 4);
    const asked = { number, question, until: new Date(Date.now() + takenMs).toISOString() };
    replaceFile(join(folder, QUESTION_FILE), json(asked));
    await answered(join(folder, answerFile(number)), AbortSignal.any([signal, AbortSignal.timeout(takenMs)]));
    const answer = closed(folder, number);
    rmSync(join(folder, QUESTION_FILE), { force: true });
    // that the time is over is said by who asks
    if (answer === null && !signal.aborted) await once(signal, "abort");
    return answer;
  };
const LAST_MS = 400;

/** Behind every number that was answered, given up, or asked by a process that was killed at it. */
function numberOfNext(folder: string): number {
  const ended = readdirSync(folder).map((name) => Number(/^answer-(\d+)\.json$/.exec(name)?.[1] ?? 0));
  return 1 + Math.max(0, ...ended, readRecord<OpenQuestion>(join(folder, QUESTION_FILE))?.number ?? 0);
}

async function answered(file: string, over: AbortSignal): Promise<void> {
  while (!over.aborted && !existsSync(file)) await sleep(LOOK_MS, undefined, { signal: over }).catch(() => {});
}
const LOOK_MS = 200;

/** What it was answered; null: nothing, and from now on nobody can. Whoever is first wins. */
function closed(folder: string, number: number): string | null {
  const file = join(folder, answerFile(number));
  if (createFile(file, answerOf(null, "nobody"))) return null;
  return (JSON.parse(readFileSync(file, "utf8")) as { answer: string }).answer;
}

/** Answers it, once. False: somebody else did, or its time is over. Durable at its return. */
export const answerQuestion = (folder: string, { number }: OpenQuestion, answer: string, by: string): boolean =>
  createFile(join(folder, answerFile(number)), answerOf(answer, by));

const answerOf = (answer: string | null, by: string): string => json({ answer, by, at: new Date().toISOString() });
