import type { GitOptions, GitResult } from "../../ports/system.ts";
import { gitEnvironment } from "./git-environment.ts";
import { gitProcess } from "./git-process.ts";
import { openShell, type Shell } from "./git-shell.ts";

/**
 * Git for a process that asks it all the time: what only reads, and can start no other program, is started by a small
 * shell that stays. A fork copies the page tables of who forks: from a processor with 140 MB that is 15 ms of its turn
 * and from the shell 5. Contract as `gitProcess`; whatever is odd is done by it: a read may be repeated.
 */
export async function oftenGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  if (!isPlainRead(args) || !isPlainText(options.input) || options.signal?.aborted) return gitProcess(args, options);
  const shell = freeShell(gitEnvironment(process.env, options.env));
  return (await shell?.run(args, options)) ?? gitProcess(args, options);
}

/** Who asks once or twice, like most commands of a person, needs no shell. */
const FIRST = 2;
/** At once; who comes then forks for itself. */
const MOST = 4;

interface Place {
  asked: number;
  readonly shells: Set<Shell>;
}
/** by environment: what a test or a person sets later is heard */
const places = new Map<string, Place>();

function freeShell(env: Record<string, string>): Shell | null {
  const key = JSON.stringify(env);
  const place = places.get(key) ?? { asked: 0, shells: new Set() };
  places.set(key, place);
  if (++place.asked <= FIRST) return null;
  const free = [...place.shells].find((shell) => shell.isFree());
  if (free || place.shells.size >= MOST) return free ?? null;
  const made = openShell(env, () => {
    place.shells.delete(made);
    if (place.shells.size === 0) places.delete(key);
  });
  place.shells.add(made);
  return made;
}

/** What a shell can be told within a line, whatever shell it is. */
const MOST_INPUT = 64 * 1024;
function isPlainText(input: GitOptions["input"]): boolean {
  if (input === undefined) return true;
  return input.length <= MOST_INPUT && !/[^\x01-\x7f]/.test(Buffer.from(input).toString("latin1"));
}

/** They run no hook, filter or helper, so that nothing of theirs can live on and write into another's answer. */
const READS: ReadonlySet<string> = new Set([
  ...["rev-parse", "for-each-ref", "rev-list", "merge-base", "merge-tree", "cat-file", "ls-tree", "ls-files"],
  ...["diff-tree", "show-ref", "check-ref-format", "version", "patch-id", "hash-object"],
]);
const WITH_VALUE: ReadonlySet<string> = new Set(["-c", "--git-dir"]);

function isPlainRead(args: readonly string[]): boolean {
  let at = 0;
  while (args[at]?.startsWith("-")) at += WITH_VALUE.has(args[at]!) ? 2 : 1;
  const [verb = "", first] = args.slice(at);
  if (READS.has(verb)) return !args.includes("--textconv") && !args.includes("--filters") && !args.includes("--path");
  if (verb === "worktree") return first === "list";
  if (verb === "remote") return first === "get-url";
  // of two commits: the files of a checkout would go through filters
  const isOfCommits = args.some((arg) => /^[0-9a-f]{40,64}\.\.\.?[0-9a-f]{40,64}$/.test(arg));
  return verb === "diff" && isOfCommits && args.includes("--no-ext-diff") && args.includes("--no-textconv");
}
