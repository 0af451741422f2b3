import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { GitOptions, GitResult } from "../../ports/system.ts";
import { cutter, isUnstarted, listen, signalIn } from "./git-answer.ts";
import { quoted, sharedLine } from "./git-line.ts";
import { ownSession } from "./git-own.ts";
import { hold } from "./hold.ts";
import { signalGroup } from "./signal-group.ts";

/** What a line of a shell can hold. */
export type LineOptions = GitOptions & { readonly input?: string };

/** One command at a time. */
export interface Shell {
  isFree(): boolean;
  /** What only reads and starts no other program, for the least. Null: nobody knows how it went, and it is to be done by other means. */
  read(args: readonly string[], options: LineOptions): Promise<GitResult | null>;
  /** Whatever git does, in a session of its own or in the shell's: see `ownSession`. Null: it was not started. */
  start(args: readonly string[], options: LineOptions, hasSession: boolean): Promise<GitResult | null>;
}

const IDLE_MS = 3_000;

/**
 * A `sh` that starts one git after the other. It keeps no process alive, stands in no folder while it waits, and is gone
 * three seconds after its last command, or with who started it. `closed` is told when it takes no more.
 */
export function openShell(env: Readonly<Record<string, string>>, closed: () => void): Shell {
  // a session of its own: no terminal to ask at, and its group is all that it started
  const child = spawn("sh", [], { cwd: "/", env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const mark = randomUUID();
  let state: "free" | "busy" | "closed" = "free";
  let folder: string | null = null;
  const close = () => {
    if (state !== "closed") closed();
    state = "closed";
    clearTimeout(idle);
  };
  const gone = new Promise<null>((resolve) => {
    for (const event of ["error", "close"]) child.on(event, () => resolve(null));
  });
  let turns: Promise<unknown> = Promise.resolve();
  void gone.then(async () => {
    close();
    await turns; // one may still look there for how far its command came
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {}); // `close` follows
  const idle = setTimeout(() => {
    if (state !== "free") return;
    close();
    child.stdin.end();
  }, IDLE_MS).unref();
  hold(child, false);
  const turn = async (cwd: string, work: () => Promise<GitResult | null>) => {
    if (!isAbsolute(cwd)) return null;
    state = "busy";
    hold(child, true);
    const working = work();
    turns = working;
    const result = await working;
    hold(child, false);
    if (state === "busy") state = "free";
    idle.refresh();
    return result;
  };
  /** It goes with the shell, also where this process is killed. */
  const answers = () => {
    if (folder !== null) return folder;
    folder = mkdtempSync(join(tmpdir(), "pawl-git-"));
    child.stdin.write(`trap 'rm -rf ${quoted(folder).replaceAll("'", "'\\''")}' EXIT\n`);
    return folder;
  };
  return {
    isFree: () => state === "free",
    read: (args, options) => turn(options.cwd, () => shared(child, { args, options, mark, gone })),
    start: (args, options, hasSession) =>
      turn(options.cwd, () => ownSession(child, { args, options, mark, gone, folder: answers(), hasSession })),
  };
}

interface Call {
  readonly args: readonly string[];
  readonly options: LineOptions;
  /** what ends an answer: no git says it */
  readonly mark: string;
  readonly gone: Promise<null>;
}

async function shared(
  child: ChildProcessWithoutNullStreams,
  { args, options, mark, gone }: Call,
): Promise<GitResult | null> {
  const cut = cutter(child, options, (signal) => signalGroup(child.pid, signal));
  const out = listen(child.stdout, mark, cut.end);
  const err = listen(child.stderr, mark, cut.end);
  child.stdin.write(sharedLine(args, options, mark));
  const ends = await Promise.race([Promise.all([out.end, err.end]), gone]);
  cut.over();
  if (cut.why() !== null) await gone;
  for (const stream of [out, err]) stream.stop();
  const stderr = err.bytes().toString();
  if (cut.why() !== null) return { code: -1, stdout: "", stderr: [stderr, cut.why()].filter(Boolean).join("\n") };
  const code = ends === null ? Number.NaN : Number(ends[0]);
  return isGits(code) ? { code, stdout: out.bytes().toString(options.encoding ?? "utf8"), stderr } : null;
}

/** What could not be started, or was ended by a signal, is better said by who starts it anew. */
const isGits = (code: number): boolean => code >= 0 && !isUnstarted(code) && signalIn(code) === null;
