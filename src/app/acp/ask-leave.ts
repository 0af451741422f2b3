import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AskLeave } from "../../adapters/acp/client.ts";
import { SCREEN_FOLDER } from "../../adapters/agents/screen-work.ts";
import type { AskPerson } from "../../device/device-parts.ts";
import type { Ms } from "../../domain/names.ts";
import { askedInFolder } from "../device/asked-in-folder.ts";

/** Without another word a person has so long; then the work ends as blocked. */
export const ASK_MS: Ms = 30 * 60_000;

/**
 * Asks a person for leave, one question at a time, where a worker on a screen asks too: `pawl answer` and those who tell
 * people look there. `tell`: what is asked, for its progress; again each half of a minute, so that waiting is no silence.
 */
export function askLeave(on: {
  readonly run: string;
  readonly task: string;
  readonly timeoutMs: Ms;
  readonly say: (line: string) => void;
  readonly tell: (activity: string) => void;
}): AskLeave {
  const folder = join(on.run, SCREEN_FOLDER);
  mkdirSync(folder, { recursive: true });
  const person = askedInFolder(folder);
  let before: Promise<unknown> = Promise.resolve();
  return ({ kind, title }, signal) => {
    const question = `may it ${kind}: ${title}? (yes or no)`;
    const answer = before.then(() => asked(person, question, { ...on, signal }));
    before = answer.catch(() => {});
    return answer;
  };
}

const AGAIN_MS: Ms = 30_000;

async function asked(
  person: AskPerson,
  question: string,
  {
    task,
    timeoutMs,
    say,
    tell,
    signal,
  }: {
    readonly task: string;
    readonly timeoutMs: Ms;
    readonly say: (line: string) => void;
    readonly tell: (activity: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<"allow" | "reject" | null> {
  const began = Date.now();
  const speak = () =>
    tell(`asks a person, ${Math.round((Date.now() - began) / 60_000)} min: ${question} pawl answer ${task} yes`);
  speak();
  const alive = setInterval(speak, AGAIN_MS);
  try {
    const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await person(question, timeoutMs, over);
    if (answer === null) return null;
    say(`asked  ${question} ${answer}`);
    return /^(y|yes|ok|go|allow|allowed)\b/i.test(answer.trim()) ? "allow" : "reject";
  } finally {
    clearInterval(alive);
  }
}
