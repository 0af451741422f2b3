import { spawn } from "node:child_process";
import type { GitOptions, GitResult } from "../../ports/system.ts";
import { GIT_FLAGS, gitEnvironment } from "./git-environment.ts";
import { signalGroup } from "./signal-group.ts";

const TIMEOUT_MS = 600_000;
/** Git removes its lock files on SIGTERM; SIGKILL leaves them. */
const GRACE_MS = 5_000;
/** a hook's child may hold the pipes long after git has ended */
const DRAIN_MS = 2_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/** One git process, once. Never throws for what git did; -1 where it did not end by itself, with the reason in `stderr`. */
export function gitProcess(args: readonly string[], options: GitOptions): Promise<GitResult> {
  if (options.signal?.aborted)
    return Promise.resolve({ code: -1, stdout: "", stderr: "aborted before git was started" });
  return new Promise((resolve) => {
    // a session of its own: no terminal to ask at, and Ctrl+C at ours does not cut it off half way
    const child = spawn("git", [...GIT_FLAGS, ...args], {
      cwd: options.cwd,
      env: gitEnvironment(process.env, options.env),
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const out = collect();
    const err = collect();
    let cut: string | null = null;
    let kill: NodeJS.Timeout | undefined;
    const end = (why: string) => {
      if (cut !== null) return;
      cut = why;
      signalGroup(child.pid, "SIGTERM");
      kill = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
    };
    const abort = () => end("ended: it was aborted");
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    const timer = setTimeout(() => end(`ended: it took longer than ${timeoutMs} ms`), timeoutMs);
    options.signal?.addEventListener("abort", abort, { once: true });
    let drain: NodeJS.Timeout | undefined;
    const settle = (code: number, note: string | null) => {
      for (const one of [timer, kill, drain]) clearTimeout(one);
      options.signal?.removeEventListener("abort", abort);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      const overflow = out.over() || err.over() ? `more than ${MAX_OUTPUT} bytes of output` : null;
      const reason = note ?? overflow;
      resolve({
        code: reason === null ? code : -1,
        stdout: out.text(options.encoding),
        stderr: [err.text(), reason].filter(Boolean).join("\n"),
      });
    };
    child.stdout.on("data", out.push);
    child.stderr.on("data", err.push);
    child.stdin.on("error", () => {}); // git may end without reading all of it
    child.stdin.end(options.input ?? "");
    child.on("error", (error) => settle(-1, `git cannot be started in ${options.cwd}: ${error.message}`));
    child.on("exit", (code, signal) => {
      const note = cut ?? (signal ? `ended by ${signal}` : null);
      child.on("close", () => settle(code ?? -1, note));
      drain = setTimeout(() => settle(code ?? -1, note), DRAIN_MS);
    });
  });
}

function collect() {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    push: (part: Buffer): void => {
      size += part.length;
      if (size <= MAX_OUTPUT) parts.push(part);
    },
    over: () => size > MAX_OUTPUT,
    text: (encoding: GitOptions["encoding"] = "utf8") =>
      size > MAX_OUTPUT ? "" : Buffer.concat(parts).toString(encoding),
  };
}
