import { lstatSync } from "node:fs";
import { join, normalize } from "node:path";
import { isPath } from "../../adapters/agents/local-origin.ts";
import type { PawlError } from "../../domain/errors.ts";
import { git } from "./repository.ts";
import { child, entriesOf, fault, faultAt, itemsOf, type Spot, textOf } from "./spot.ts";

/** A command, and where it is written; null: on the command line, as the option says. */
export interface Written {
  readonly spot: Spot | null;
  readonly command: string | readonly string[];
}

/** A file of the main checkout that a command names. */
interface Named {
  readonly path: string;
  /** as it is written */
  readonly word: string;
  readonly isProgram: boolean;
  /** in the main checkout, committed or not */
  readonly isThere: boolean;
  readonly by: Written;
}

interface In {
  readonly repo: string;
  readonly base: string;
  /** files that a worktree gets although they are not committed */
  readonly copy: readonly string[];
}

/**
 * Warnings for commands that run in a worktree and name a file that is here, and not there: not committed on the base
 * (NOT_COMMITTED), or a program that git does not hold as executable (NOT_EXECUTABLE). Says what to type. A program that
 * is named by a path and is nowhere is told too; not where git ignores its place, in which a build may put it.
 */
export async function missingInWorktrees(commands: readonly Written[], on: In): Promise<readonly PawlError[]> {
  const named = commands.flatMap((by) => filesIn(by, on));
  if (named.length === 0) return [];
  const { ref, origin } = await startOf(on);
  const paths = [...new Set(named.map(({ path }) => path))];
  const modes = await modesAt(ref, paths, on.repo);
  const missing = paths.filter((path) => !modes.has(path));
  const ignored = missing.length > 0 ? await ignoredOf(missing, on.repo) : new Set<string>();
  const here = missing.length > 0 && origin ? await modesAt(on.base, missing, on.repo) : new Map<string, string>();
  return named.flatMap((one) => {
    const mode = modes.get(one.path);
    const found = { ref, origin, base: on.base, isIgnored: ignored.has(one.path), isHere: here.has(one.path) };
    if (mode === undefined && !one.isThere && (found.isIgnored || found.isHere)) return [];
    if (mode === undefined) return one.isThere ? notCommitted(one, found) : nowhere(one, ref);
    return mode === "100644" && one.isProgram ? notExecutable(one, ref) : [];
  });
}

interface Found {
  readonly ref: string;
  readonly base: string;
  readonly origin: boolean;
  readonly isIgnored: boolean;
  /** on the local base, and not pushed */
  readonly isHere: boolean;
}

function notCommitted(one: Named, { ref, origin, isIgnored, isHere, base }: Found): PawlError {
  const push = origin ? [`git push origin ${base}`] : [];
  const add = [`git add ${isIgnored ? "-f " : ""}${quoted(one.path)}`, `git commit -m "Add ${one.path}"`];
  const why = isIgnored && !isHere ? ", and git ignores it" : "";
  const next = `${[...(isHere ? [] : add), ...push].join(" && ")}.`;
  return told(one, "NOT_COMMITTED", `${one.path} is not committed on ${ref}${why}: no worktree will have it`, next);
}

const nowhere = (one: Named, ref: string): PawlError =>
  told(
    one,
    "NOT_COMMITTED",
    `${one.path} is neither here nor on ${ref}: no worktree will have it`,
    "write it and commit it, or name the program that is meant.",
  );

function notExecutable(one: Named, ref: string): PawlError {
  const name = quoted(one.path);
  const make = `chmod +x ${name} && git add --chmod=+x ${name} && git commit -m "Make ${one.path} executable".`;
  return told(one, "NOT_EXECUTABLE", `${one.path} is not executable on ${ref}: no worktree can start it`, make);
}

function told({ by, word }: Named, code: string, message: string, next: string): PawlError {
  if (by.spot === null) return fault(code, message, { next });
  const items = itemsOf(by.spot);
  if (items !== null) {
    const item = items.find((spot) => textOf(spot) === word) ?? by.spot;
    return faultAt(item, code, message, { next });
  }
  const from = (textOf(by.spot) ?? "").indexOf(word);
  return faultAt(by.spot, code, message, from < 0 ? { next } : { next, from, length: word.length });
}

/** Words that are files of the main checkout, as far as that can be told without a shell. */
function filesIn(by: Written, { repo, copy }: In): readonly Named[] {
  const { command } = by;
  const words = typeof command === "string" ? wordsOf(command) : command;
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return words.flatMap((word, i) => {
    if (/^-|[$`*?~]|^\/|=/.test(word) || word.includes("..")) return [];
    const path = normalize(word);
    const isCopied = copy.some((name) => path === normalize(name) || path.startsWith(`${normalize(name)}/`));
    if (isCopied || path.startsWith(".pawl/") || path.startsWith(".git/")) return [];
    // a bare name is looked for in PATH, not in the folder
    if (i === first && !word.includes("/")) return [];
    const isThere = isFile(join(repo, path));
    return isThere || (i === first && /^[\w./@+-]+$/.test(word))
      ? [{ path, word, isProgram: i === first, isThere, by }]
      : [];
  });
}

/** What a command writes into is nothing that it needs. */
const wordsOf = (text: string): readonly string[] =>
  [...text.replace(/\d*>>?\s*\S+/g, " ").matchAll(/"([^"]*)"|'([^']*)'|([^\s"';&|()<>]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );

function isFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isDirectory();
}

/** Where a worktree starts from: origin's base where origin is on this machine. */
export async function startOf({
  repo,
  base,
}: Pick<In, "repo" | "base">): Promise<{ readonly ref: string; readonly origin: boolean }> {
  const url = await git(repo, ["remote", "get-url", "origin"]);
  const far = `refs/remotes/origin/${base}`;
  const origin =
    url.code === 0 && isPath(url.stdout) && (await git(repo, ["rev-parse", "--verify", "--quiet", far])).code === 0;
  return origin ? { ref: `origin/${base}`, origin } : { ref: base, origin };
}

async function modesAt(ref: string, paths: readonly string[], repo: string): Promise<ReadonlyMap<string, string>> {
  const listed = await git(repo, ["--literal-pathspecs", "ls-tree", "-z", ref, "--", ...paths]);
  const entries = listed.stdout.split("\0").map((line) => /^(\d+) \S+ \S+\t(.+)$/s.exec(line));
  return new Map(entries.flatMap((found) => (found ? [[found[2]!, found[1]!] as const] : [])));
}

async function ignoredOf(paths: readonly string[], repo: string): Promise<ReadonlySet<string>> {
  const { stdout } = await git(repo, ["-c", "core.quotePath=false", "check-ignore", "--", ...paths]);
  return new Set(stdout.split("\n"));
}

const quoted = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The commands of pawl.yaml and of maps that run in worktrees. */
export function worktreeCommands(root: Spot, maps: readonly Spot[]): readonly Written[] {
  const agents = (entriesOf(child(root, "agents")) ?? []).map(([, agent]) => child(agent, "command"));
  const checks = (itemsOf(child(root, "checks")) ?? []).map((check) =>
    entriesOf(check) === null ? check : child(check, "run"),
  );
  const actions = (entriesOf(child(root, "actions")) ?? []).flatMap(([, action]) => [
    ...(entriesOf(action) === null ? [action] : []),
    child(action, "command"),
    child(action, "check"),
  ]);
  const merges = maps.flatMap((map) =>
    (entriesOf(child(map, "phases")) ?? entriesOf(map) ?? []).map(([, phase]) => child(phase, "check")),
  );
  const setup = child(child(root, "worktree"), "setup");
  return [...agents, ...checks, setup, ...actions, ...merges].flatMap((spot) => {
    const command = textOf(spot) ?? itemsOf(spot)?.map((item) => textOf(item) ?? "") ?? null;
    return command === null || command.length === 0 ? [] : [{ spot, command }];
  });
}
