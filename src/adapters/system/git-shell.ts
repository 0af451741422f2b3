import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import type { GitOptions, GitResult } from "../../ports/system.ts";
import { GIT_FLAGS } from "./git-environment.ts";
import { signalGroup } from "./signal-group.ts";

export interface Shell {
  isFree(): boolean;
  /** One command at a time. Null: nobody knows how it went, and it is to be done by other means. */
  run(args: readonly string[], options: GitOptions): Promise<GitResult | null>;
}

const TIMEOUT_MS = 600_000;
const GRACE_MS = 5_000;
const IDLE_MS = 1_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * A `sh` that starts one git after the other. It keeps no process alive, stands in no folder while it waits, and is gone
 * a second after its last command, or with who started it. `closed` is told when it takes no more.
 */
export function openShell(env: Readonly<Record<string, string>>, closed: () => void): Shell {
  // a session of its own: no terminal to ask at, and its group is all that it started
  const child = spawn("sh", [], { cwd: "/", env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const mark = randomUUID();
  let state: "free" | "busy" | "closed" = "free";
  const close = () => {
    if (state !== "closed") closed();
    state = "closed";
    clearTimeout(idle);
  };
  const gone = new Promise<null>((resolve) => {
    for (const event of ["error", "close"]) child.on(event, () => resolve(null));
  });
  void gone.then(close);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {}); // `close` follows
  const idle = setTimeout(() => {
    if (state !== "free") return;
    close();
    child.stdin.end();
  }, IDLE_MS).unref();
  hold(child, false);
  return {
    isFree: () => state === "free",
    async run(args, options) {
      if (!isAbsolute(options.cwd)) return null;
      state = "busy";
      hold(child, true);
      const result = await one(child, { args, options, mark, gone });
      hold(child, false);
      if (state === "busy") state = "free";
      idle.refresh();
      return result;
    },
  };
}

interface Call {
  readonly args: readonly string[];
  readonly options: GitOptions;
  /** what ends an answer: no git says it */
  readonly mark: string;
  readonly gone: Promise<null>;
}

async function one(
  child: ChildProcessWithoutNullStreams,
  { args, options, mark, gone }: Call,
): Promise<GitResult | null> {
  const cut = cutter(child, options);
  const out = listen(child.stdout, mark, cut.end);
  const err = listen(child.stderr, mark, cut.end);
  child.stdin.write(script(args, options, mark));
  const ends = await Promise.race([Promise.all([out.end, err.end]), gone]);
  cut.over();
  if (cut.why() !== null) await gone;
  for (const stream of [out, err]) stream.stop();
  const stderr = err.bytes().toString();
  if (cut.why() !== null) return { code: -1, stdout: "", stderr: [stderr, cut.why()].filter(Boolean).join("\n") };
  const code = ends === null ? Number.NaN : Number(ends[0]);
  return isGits(code) ? { code, stdout: out.bytes().toString(options.encoding ?? "utf8"), stderr } : null;
}

/** 126, 127: it could not be started; above 129: a signal ended it. Both are better said by who starts it anew. */
const isGits = (code: number): boolean => (code >= 0 && code < 126) || code === 128 || code === 129;

/** `cd -P`, as git believes a PWD that leads to where it stands. `command`: no function of that name. */
function script(args: readonly string[], { cwd, input }: GitOptions, mark: string): string {
  const git = `command ${["git", ...GIT_FLAGS, ...args].map(quoted).join(" ")}`;
  const told =
    input === undefined ? `${git} </dev/null` : `printf %s ${quoted(Buffer.from(input).toString())} | ${git}`;
  const end = `printf '\\0%s %s\\n' ${mark}`;
  return `if cd -P ${quoted(cwd)} 2>/dev/null; then ${told}; s=$?; else s=126; fi; cd /; ${end} $s; ${end} 0 >&2\n`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Collects what a stream says up to the mark, and gives the word behind it. */
function listen(stream: Readable, mark: string, cut: (why: string) => void) {
  const parts: Buffer[] = [];
  let size = 0;
  let tail = "";
  let done: (word: string) => void;
  const end = new Promise<string>((resolve) => {
    done = resolve;
  });
  const hear = (part: Buffer) => {
    size += part.length;
    if (size > MAX_OUTPUT) return cut(`more than ${MAX_OUTPUT} bytes of output`);
    parts.push(part);
    tail = (tail + part.subarray(-100).toString("latin1")).slice(-100);
    const at = tail.endsWith("\n") ? tail.lastIndexOf(`\0${mark} `) : -1;
    if (at === -1) return;
    size -= tail.length - at;
    done(tail.slice(at + mark.length + 2, -1));
  };
  stream.on("data", hear);
  return { end, bytes: () => Buffer.concat(parts).subarray(0, size), stop: () => void stream.off("data", hear) };
}

/** Ends it on request, after its time, or when it says too much: SIGTERM, then SIGKILL, to all of its group. */
function cutter(child: ChildProcessWithoutNullStreams, { signal, timeoutMs = TIMEOUT_MS }: GitOptions) {
  let why: string | null = null;
  let kill: NodeJS.Timeout | undefined;
  const end = (reason: string) => {
    if (why !== null) return;
    why = reason;
    signalGroup(child.pid, "SIGTERM");
    kill = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
    child.once("close", () => clearTimeout(kill));
  };
  const abort = () => end("ended: it was aborted");
  const timer = setTimeout(() => end(`ended: it took longer than ${timeoutMs} ms`), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  return {
    end,
    why: () => why,
    over: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}

/** Whether this process stays because of it. */
function hold(child: ChildProcessWithoutNullStreams, isHeld: boolean): void {
  for (const one of [child, child.stdin, child.stdout, child.stderr]) {
    const it = one as unknown as { ref(): void; unref(): void };
    if (isHeld) it.ref();
    else it.unref();
  }
}
