import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { PawlError } from "../../domain/errors.ts";
import type { Ms } from "../../domain/names.ts";
import type { CommandLine } from "../../ports/runtime.ts";
import { durationOf } from "../config/units.ts";
import type { Context } from "./context.ts";

/** What `pawl exec` is to run. */
export interface ExecRequest {
  readonly cmd: CommandLine;
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs?: Ms | undefined;
  readonly idleMs?: Ms | undefined;
  /** globs: what it may write; none: everything */
  readonly scope: readonly string[];
}

/** Seconds, or a text like `2m`. */
const time = z.union([
  z
    .number()
    .positive()
    .transform((seconds) => seconds * 1_000),
  z.string().transform((text, on) => {
    const ms = durationOf(text);
    if (ms === null)
      on.issues.push({ code: "custom", message: 'is no time: write seconds, or a text like "2m"', input: text });
    return ms ?? 0;
  }),
]);

const schema = z.strictObject({
  cmd: z.union([z.string(), z.array(z.string())]),
  cwd: z.string().nullish(),
  env: z.record(z.string(), z.string()).nullish(),
  timeout: time.nullish(),
  idle: time.nullish(),
  scope: z.array(z.string()).nullish(),
});

const MAX_BYTES = 8 * 1024 * 1024;

/** A request as JSON, from a file or (`-`) from stdin. Throws REQUEST_BAD with what is wrong where. */
export async function readRequest(ctx: Context, path: string): Promise<ExecRequest> {
  const text = path === "-" ? await stdin() : await readFile(resolve(ctx.cwd, path), "utf8").catch(unreadable(path));
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw bad(`${issue.path.join(".") || "it"}: ${issue.message}`);
  }
  const { cmd, cwd, env, timeout, idle, scope } = parsed.data;
  const times = { timeoutMs: timeout ?? undefined, idleMs: idle ?? undefined };
  return { cmd, cwd: cwd ?? undefined, env: env ?? {}, scope: scope ?? [], ...times };
}

async function stdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw bad(`it has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bad(error instanceof Error ? error.message : String(error));
  }
}

const unreadable =
  (path: string) =>
  (error: unknown): never => {
    throw new PawlError(
      "FILE_UNREADABLE",
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
      {
        next: "name a file that is there, or - for stdin",
      },
    );
  };

const bad = (why: string): PawlError =>
  new PawlError("REQUEST_BAD", `the request is no {"cmd", "cwd", "env", "timeout", "idle", "scope"} in JSON: ${why}`, {
    next: 'echo \'{"cmd": "npm test", "timeout": "2m"}\' | pawl exec --json --request -',
  });
