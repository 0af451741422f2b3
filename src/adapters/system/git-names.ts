import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Ms } from "../../domain/names.ts";
import { GIT_FLAGS } from "./git-environment.ts";
import { hold } from "./hold.ts";

/** Who asks less needs no program that stays. */
const FIRST = 2;
/** At once; who comes then asks a git of its own. */
const MOST = 8;
const IDLE_MS: Ms = 3_000;
const ANSWER_MS: Ms = 5_000;

/** An object's name; nothing: there is certainly no such thing; null: git itself is to be asked. */
type Named = string | "nothing" | null;

interface Session {
  ask(name: string): Promise<Named>;
  close(): void;
}

/** A git folder, as long as it is the same one. */
interface Place {
  readonly mark: string;
  asked: number;
  session: Session | null;
}
const places = new Map<string, Place>();

/**
 * What a name stands for (`refs/heads/main^{commit}`), told by a `git cat-file` that stays: refs are read anew for each
 * question, and no program is started. Null: it is no such question, or the answer is not certain. The program stands in no checkout, holds no process alive, and is gone three seconds after its last question.
 */
export async function objectNamed(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Named> {
  const asked = questionIn(args);
  const gitDir = asked && (asked.gitDir === null ? gitDirAt(cwd) : resolve(cwd, asked.gitDir));
  const mark = gitDir && markOf(gitDir);
  if (!asked || !gitDir || !mark) return null;
  const place = placeFor(`${gitDir}\0${JSON.stringify(env)}`, mark);
  if (++place.asked <= FIRST) return null;
  place.session ??= open(gitDir, env, place);
  return place.session?.ask(asked.name) ?? null;
}

function placeFor(key: string, mark: string): Place {
  const known = places.get(key);
  if (known?.mark === mark) return known;
  known?.session?.close();
  const made: Place = { mark, asked: 0, session: null };
  places.set(key, made);
  return made;
}

function open(gitDir: string, env: Readonly<Record<string, string>>, place: Place): Session | null {
  const closed = () => {
    place.session = null;
    place.asked = 0;
    // a place that nobody asks is not kept
    for (const [key, one] of places) if (one === place) places.delete(key);
  };
  return [...places.values()].filter(({ session }) => session !== null).length < MOST
    ? openNames(gitDir, env, closed)
    : null;
}

/** Words that say how one object is asked for, and change nothing of the answer. */
const HOW: ReadonlySet<string> = new Set(["--verify", "--quiet", "-q"]);

/**
 * `rev-parse` of one name without anything that git would look for in a date, a path or a message. A commit's tree and
 * parents are not told: another commit may replace it (`git replace`), which a git that stays reads once.
 */
function questionIn(args: readonly string[]): { readonly name: string; readonly gitDir: string | null } | null {
  const rest = [...args];
  const gitDir = rest[0] === "--git-dir" ? (rest.splice(0, 2)[1] ?? null) : null;
  if (rest[0] === "--literal-pathspecs") rest.shift();
  if (rest.shift() !== "rev-parse") return null;
  const names = rest.filter((word) => !HOW.has(word));
  const [name = ""] = names;
  const isPlain = /^[A-Za-z0-9_][\w./-]*(\^\{commit\})?$/.test(name) && !name.includes("..");
  return names.length === 1 && isPlain ? { name, gitDir } : null;
}

/** Null: not the top of a checkout, and no bare repository. */
function gitDirAt(cwd: string): string | null {
  const path = join(cwd, ".git");
  try {
    if (statSync(cwd).isDirectory() && !existsSync(path)) return isBare(cwd) ? cwd : null;
    if (statSync(path).isDirectory()) return path;
    const line = /^gitdir: (.+)\n?$/.exec(readFileSync(path, "utf8"));
    return line ? resolve(cwd, line[1]!) : null;
  } catch {
    return null;
  }
}

const isBare = (folder: string): boolean => ["objects", "refs", "HEAD"].every((name) => existsSync(join(folder, name)));

/** Differs where another folder has taken its place. */
function markOf(gitDir: string): string | null {
  const stat = statSync(gitDir, { throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.birthtimeMs}` : null;
}

function openNames(gitDir: string, env: Readonly<Record<string, string>>, closed: () => void): Session {
  const args = [...GIT_FLAGS, "--git-dir", gitDir, "cat-file", "--batch-check=%(objectname)"];
  const child = spawn("git", args, { cwd: "/", env, detached: true, stdio: ["pipe", "pipe", "ignore"] });
  const waiting: ((line: string | null) => void)[] = [];
  let isOpen = true;
  let text = "";
  const close = () => {
    if (isOpen) closed();
    isOpen = false;
    clearTimeout(timer);
    child.stdin.end();
    for (const tell of waiting.splice(0)) tell(null);
    hold(child, false);
  };
  const late = () => {
    if (waiting.length > 0) child.kill("SIGKILL");
    close();
  };
  let timer = setTimeout(late, IDLE_MS).unref();
  const wait = (ms: Ms) => {
    clearTimeout(timer);
    timer = setTimeout(late, ms).unref();
  };
  for (const event of ["error", "close"]) child.on(event, close);
  for (const stream of [child.stdin, child.stdout]) stream.on("error", close);
  child.stdout.on("data", (part: Buffer) => {
    const lines = (text + part.toString("latin1")).split("\n");
    text = lines.pop()!;
    for (const line of lines) waiting.shift()?.(line);
    if (waiting.length > 0) return;
    hold(child, false);
    wait(IDLE_MS);
  });
  hold(child, false);
  return {
    ask(name) {
      if (!isOpen) return Promise.resolve(null);
      hold(child, true);
      wait(ANSWER_MS);
      const answer = new Promise<string | null>((tell) => waiting.push(tell));
      child.stdin.write(`${name}\n`);
      return answer.then((line) => meant(name, line));
    },
    close,
  };
}

/** Of a whole ref's commit git says no more than that it is missing; of other names it may have more to say. */
function meant(name: string, line: string | null): Named {
  if (line !== null && /^[0-9a-f]{40,64}$/.test(line)) return line;
  return line === `${name} missing` && /^refs\/.+\^\{commit\}$/.test(name) ? "nothing" : null;
}
