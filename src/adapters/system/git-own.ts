import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { GitOptions, GitResult } from "../../ports/system.ts";
import { cutter, isUnstarted, listen, MAX_OUTPUT, signalIn } from "./git-answer.ts";
import { ownLine } from "./git-line.ts";
import { signalGroup } from "./signal-group.ts";

export interface OwnCall {
  readonly args: readonly string[];
  readonly options: GitOptions & { readonly input?: string };
  readonly mark: string;
  /** resolves when the shell is gone */
  readonly gone: Promise<null>;
  /** folder for what it says */
  readonly folder: string;
  /** false: it is the shell's, which an abort ends too */
  readonly hasSession: boolean;
}

/**
 * Any git by a shell, as `gitProcess` runs it: a deadline or an abort ends it with all of its session. Null: it was
 * certainly not started. Where the shell is gone before it said how it went, nobody knows: -1.
 */
export async function ownSession(child: ChildProcessWithoutNullStreams, call: OwnCall): Promise<GitResult | null> {
  const { args, options, mark, gone, hasSession } = call;
  const [out, err, begun] = ["out", "err", "begun"].map((name) => join(call.folder, name)) as [string, string, string];
  const cut = cutter(child, options, (signal) => {
    const session = sessionIn(begun);
    signalGroup(session ?? child.pid, signal);
    if (signal === "SIGKILL") signalGroup(child.pid, signal);
  });
  const said = [child.stdout, child.stderr].map((stream) => listen(stream, mark, cut.end));
  child.stdin.write(ownLine(args, options, { mark, out, err, begun, hasSession }));
  const ends = await Promise.race([Promise.all(said.map(({ end }) => end)), gone]);
  cut.over();
  cut.gone();
  for (const stream of said) stream.stop();
  try {
    const code = ends === null ? null : Number(ends[0]);
    if (cut.why() !== null && !hasSession) await gone;
    if (code === null ? !existsSync(begun) : isUnstarted(code)) return null;
    return ended(code, cut.why(), { out, err, encoding: options.encoding ?? "utf8" });
  } finally {
    for (const file of [out, err, begun]) rmSync(file, { force: true });
  }
}

function ended(
  code: number | null,
  cut: string | null,
  { out, err, encoding }: { readonly out: string; readonly err: string; readonly encoding: BufferEncoding },
): GitResult {
  const isOver = [out, err].some((file) => statSync(file).size > MAX_OUTPUT);
  const stderr = isOver ? "" : readFileSync(err, "utf8");
  const by = code === null ? null : signalIn(code);
  const why =
    cut ??
    (code === null ? "ended: the shell that had started it is gone" : by && `ended by ${by}`) ??
    (isOver ? `more than ${MAX_OUTPUT} bytes of output` : null);
  const stdout = isOver ? "" : readFileSync(out, encoding);
  return why === null
    ? { code: code ?? -1, stdout, stderr }
    : { code: -1, stdout, stderr: [stderr, why].filter(Boolean).join("\n") };
}

/** The session that a shell noted; null: none yet. */
function sessionIn(begun: string): number | null {
  try {
    return Number(readFileSync(begun, "utf8")) || null;
  } catch {
    return null;
  }
}
