import { join } from "node:path";
import { z } from "zod";
import type { Instant } from "../../domain/names.ts";
import type { WorkerQuestion } from "../../domain/task.ts";
import { readBounded } from "./files.ts";
import { SCREEN_FOLDER } from "./screen-work.ts";

/** A question that a run waits with, in its folder. */
export interface OpenQuestion {
  /** from 1, within the run */
  readonly number: number;
  readonly question: string;
  /** ISO 8601: from then on no answer is taken */
  readonly until: string;
}

export const QUESTION_FILE = "question.json";
const MAX_BYTES = 64 * 1024;
const MOST_CHARACTERS = 2_000;

const openQuestionSchema = z.object({
  number: z.number().int().positive(),
  question: z.string(),
  until: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
});

/** The question that a run waits with, in the folder where it asks; null: none, or one whose time is over at `now`. */
export function openQuestion(folder: string, now = Date.now()): OpenQuestion | null {
  const reading = readBounded(join(folder, QUESTION_FILE), MAX_BYTES);
  if (reading.kind !== "text") return null;
  const read = openQuestionSchema.safeParse(jsonOf(reading.text));
  return read.success && Date.parse(read.data.until) > now ? read.data : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the worker of a run asks now, on one line; null: nothing. `run`: its run folder. */
export function askedInRun(run: string, now: number): WorkerQuestion | null {
  const asked = openQuestion(join(run, SCREEN_FOLDER), now);
  if (asked === null) return null;
  const text = asked.question.replace(/\s+/g, " ").trim().slice(0, MOST_CHARACTERS);
  return { number: asked.number, text, until: Date.parse(asked.until) as Instant };
}
