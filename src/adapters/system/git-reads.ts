import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { GitOptions, GitResult } from "../../ports/system.ts";
import { gitEnvironment } from "./git-environment.ts";
import { objectNamed } from "./git-names.ts";
import { gitProcess } from "./git-process.ts";
import { type LineOptions, openShell, type Shell } from "./git-shell.ts";

/**
 * Git for a process that asks it all the time: it is started by a small shell that stays. A fork copies the page tables
 * of who forks: from a processor with 140 MB that is 15 ms of its turn, in which it does nothing else, and from the shell
 * one. Contract as `gitProcess`, which does what is odd. A read that nobody knows the end of is done again, all else is not.
 */
export async function oftenGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const told = lineOf(options);
  if (told === null || options.signal?.aborted) return gitProcess(args, options);
  const env = gitEnvironment(process.env);
  const object = told.input === undefined && isEmpty(told.env) ? await objectNamed(args, told.cwd, env) : null;
  if (object === "nothing") return { code: 1, stdout: "", stderr: "" };
  if (object !== null) return { code: 0, stdout: `${object}\n`, stderr: "" };
  const kind = kindOf(args);
  const shell = kind !== "any" || hasSessions(env.PATH) ? freeShell(env) : null;
  const done = kind === "read" ? shell?.read(args, told) : shell?.start(args, told, kind === "any");
  return (await done) ?? gitProcess(args, options);
}

const isEmpty = (env: Readonly<Record<string, string>> = {}): boolean => Object.keys(env).length === 0;

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
function lineOf(options: GitOptions): LineOptions | null {
  const { input, env = {}, ...rest } = options;
  if (!Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name))) return null;
  if (input === undefined) return { ...rest, env };
  const bytes = Buffer.from(input);
  return bytes.length <= MOST_INPUT && isUtf8(bytes) && !bytes.includes(0)
    ? { ...rest, env, input: bytes.toString() }
    : null;
}

/** Whether there is a program that starts others in a session of their own, as on every Linux. */
function hasSessions(path = ""): boolean {
  const known = sessions.get(path) ?? path.split(delimiter).some((folder) => existsSync(join(folder, "setsid")));
  sessions.set(path, known);
  return known;
}
const sessions = new Map<string, boolean>();

/** They run no hook, filter or helper, so that nothing of theirs can live on and write into another's answer. */
const READS: ReadonlySet<string> = new Set([
  ...["rev-parse", "for-each-ref", "rev-list", "merge-base", "merge-tree", "cat-file", "ls-tree", "ls-files"],
  ...["diff-tree", "show-ref", "check-ref-format", "version", "patch-id", "hash-object"],
]);
/** They run one hook at most, `reference-transaction`, and end at once: no session is worth its program. */
const REFS: ReadonlySet<string> = new Set(["update-ref", "symbolic-ref"]);
const WITH_VALUE: ReadonlySet<string> = new Set(["-c", "--git-dir"]);

function kindOf(args: readonly string[]): "read" | "ref" | "any" {
  let at = 0;
  while (args[at]?.startsWith("-")) at += WITH_VALUE.has(args[at]!) ? 2 : 1;
  const [verb = "", ...rest] = args.slice(at);
  if (REFS.has(verb)) return "ref";
  return isPlainRead(verb, rest) ? "read" : "any";
}

function isPlainRead(verb: string, rest: readonly string[]): boolean {
  const has = (word: string) => rest.includes(word);
  if (READS.has(verb)) return !has("--textconv") && !has("--filters") && !has("--path");
  if (verb === "worktree") return rest[0] === "list";
  if (verb === "remote") return rest[0] === "get-url";
  if (verb === "config") return has("--get-regexp") || has("--get");
  // it signs nothing by itself, and twice the same is the same commit, or one that nobody knows
  if (verb === "commit-tree") return !rest.some((word) => word.startsWith("-S") || word.startsWith("--gpg"));
  // no patch, so no filters; no signatures, so no gpg
  if (verb === "show" || verb === "log") return has("--no-show-signature") && (has("-s") || has("--name-only"));
  // of two commits: the files of a checkout would go through filters
  const isOfCommits = rest.some((arg) => /^[0-9a-f]{40,64}\.\.\.?[0-9a-f]{40,64}$/.test(arg));
  return verb === "diff" && isOfCommits && has("--no-ext-diff") && has("--no-textconv");
}
