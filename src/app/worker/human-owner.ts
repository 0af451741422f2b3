import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { json, readRecord, replaceFile } from "../../adapters/agents/files.ts";
import { type Answer, answerSchema } from "../../protocol/answer.ts";
import type { Owner } from "../../tactics/worker-hands.ts";
import { answerInTime, type Waiting } from "./answer-in-time.ts";
import { mailboxOf } from "./mailbox.ts";

const FOLDER = "owner";

/**
 * A person as one of the owners of `pawl work`: what they said lies in the run's folder `owner`, apart from the answer that all
 * owners come to. It is noted there that it is their turn; an answer to anything else is nobody's.
 */
export const humanOwner = (runDir: string, waiting: Waiting): Owner => ({
  async answer(_submission, { signal }) {
    const seq = mailboxOf(runDir).at(-1)?.seq ?? 0;
    mkdirSync(join(runDir, FOLDER), { recursive: true });
    replaceFile(join(runDir, FOLDER, "asked.json"), json({ seq }));
    return answerInTime(() => saidBy(runDir, seq), waiting, signal);
  },
});

/** Which submission a person is asked about; null: none. */
export const askedOf = (runDir: string): number | null =>
  readRecord<{ seq: number }>(join(runDir, FOLDER, "asked.json"))?.seq ?? null;

/** Keeps a person's answer; durable when this returns. */
export function sayAs(runDir: string, seq: number, answer: object): void {
  mkdirSync(join(runDir, FOLDER), { recursive: true });
  replaceFile(nameOf(runDir, seq), json(answer));
}

/** What a person said of a submission; null: nothing yet. */
export const saidBy = (runDir: string, seq: number): Answer | null =>
  answerSchema.safeParse(readRecord(nameOf(runDir, seq))).data ?? null;
const nameOf = (runDir: string, seq: number): string => join(runDir, FOLDER, `${String(seq).padStart(3, "0")}.json`);
