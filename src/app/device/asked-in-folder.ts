import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createFile, json, replaceFile } from "../../adapters/agents/files.ts";
import { type OpenQuestion, QUESTION_FILE } from "../../adapters/agents/question.ts";
import type { AskPerson } from "../../device/device-parts.ts";

const answerFile = (number: number): string => `answer-${String(number).padStart(3, "0")}.json`;

/**
 * Asks people who are somewhere else: the question lies in the run's folder until it is answered there (`pawl answer`),
 * and is gone when nobody waits with it any more. Durable before this waits: the question.
 */
export const askedInFolder =
  (folder: string): AskPerson =>
  async (question, timeoutMs, signal) => {
    const number = numberOfNext(folder);
    const asked = { number, question, until: new Date(Date.now() + timeoutMs).toISOString() };
    replaceFile(join(folder, QUESTION_FILE), json(asked));
    try {
      return await answerIn(join(folder, answerFile(number)), signal);
    } finally {
      rmSync(join(folder, QUESTION_FILE), { force: true });
    }
  };

const numberOfNext = (folder: string): number =>
  1 + Math.max(0, ...readdirSync(folder).map((name) => Number(/^answer-(\d+)\.json$/.exec(name)?.[1] ?? 0)));

async function answerIn(file: string, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { answer: string }).answer;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  return null;
}
const LOOK_MS = 200;

/** Answers it, once. False: somebody else did. Durable at its return. */
export const answerQuestion = (folder: string, { number }: OpenQuestion, answer: string, by: string): boolean =>
  createFile(join(folder, answerFile(number)), json({ answer, by, at: new Date().toISOString() }));
