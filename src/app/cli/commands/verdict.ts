import { join } from "node:path";
import { json, replaceFile } from "../../../adapters/agents/files.ts";
import { PawlError } from "../../../domain/errors.ts";
import { RUN_FILES } from "../../../protocol/run-folder.ts";
import { type Verdict, verdictSchema } from "../../../protocol/verdict.ts";
import type { Context } from "../context.ts";
import { mustBeWorker, type WorkerFolder } from "../worker-folder.ts";

type Options = {
  readonly message?: string;
  readonly finding?: readonly string[];
  readonly complete?: boolean;
};

const VERDICTS = { pass: "PASS", fail: "FAIL", "no-change": "NO_CHANGE", blocked: "BLOCKED" } as const;

/** `pawl verdict`: how a worker that is a script ends. Durable in verdict.json when it returns; the last one counts. */
export async function run(ctx: Context, [word = ""]: readonly string[], options: Options): Promise<number> {
  const said = sayVerdict(mustBeWorker("verdict", ctx.env), word, options);
  if (ctx.flags.json) ctx.json({ ok: true, ...said });
  else ctx.say(`verdict ${said.verdict}${said.detail === "" ? "" : `: ${said.detail}`}`);
  return 0;
}

/** Keeps the verdict of a leg, durable; the last one counts. Throws USAGE where it lacks something. */
export function sayVerdict({ run, leg }: WorkerFolder, word: string, options: Options): Verdict {
  const verdict = verdictOf(word);
  const findings = (options.finding ?? []).map(findingOf);
  const detail = options.message?.trim() || findings[0]?.text.split("\n")[0] || "";
  if (verdict !== "PASS" && detail === "")
    throw new PawlError("USAGE", `the verdict ${word} needs a detail: the next one to work on the task reads it`, {
      next: `pawl verdict ${word} -m "what stopped it"`,
    });
  const said = verdictSchema.parse({
    version: 1,
    ...(leg ? { leg } : {}),
    verdict,
    detail,
    findings,
    complete: options.complete ?? false,
    at: new Date().toISOString(),
  });
  replaceFile(join(run, RUN_FILES.verdict), json(said));
  return said;
}

function verdictOf(word: string): (typeof VERDICTS)[keyof typeof VERDICTS] {
  const known = word.toLowerCase().replace("_", "-");
  if (Object.hasOwn(VERDICTS, known)) return VERDICTS[known as keyof typeof VERDICTS];
  throw new PawlError("USAGE", `"${word}" is no verdict`, {
    next: `write one of ${Object.keys(VERDICTS).join(", ")}.`,
  });
}

/** `src/a.ts:12: text`, also with a column; anything else is only a text. */
export function findingOf(said: string): { text: string; file?: string; line?: number } {
  const text = said.trim();
  if (text === "")
    throw new PawlError("USAGE", "a finding is empty", {
      next: 'write it like --finding "src/a.ts:12: what is wrong"',
    });
  const found = /^(?<file>[^\s:]+):(?<line>[1-9]\d{0,6})(?::\d+)?:\s+(?<text>\S[\s\S]*)$/.exec(text)?.groups;
  return found ? { text: found.text!, file: found.file!, line: Number(found.line) } : { text };
}
