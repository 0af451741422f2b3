import { posix } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { CopyFile } from "../../ports/copy-file.ts";
import { BY_NAME, type Checkout, mustGit, named, runGit, split } from "./checkout.ts";
import { makeShadow, shadowEnv } from "./shadow-folder.ts";

/** All files of a checkout at one time, new ones too, byte for byte; not those that git ignores. */
export interface Look {
  readonly tree: string;
  /** paths that could not be read, or are a repository without a commit: what is in them is not known */
  readonly unread: readonly string[];
}

export interface PathChange {
  readonly path: string;
  readonly how: "made" | "changed" | "gone";
}

/**
 * Looks at the files of a checkout through a git folder of its own: its index, which knows what was looked at by size and
 * time, is not the user's, and no filter, line end or hook of the repository has a say. One at a time per checkout.
 */
export interface Shadow {
  readonly on: Checkout;
  look(): Promise<Look>;
  changes(from: string, to: string): Promise<readonly PathChange[]>;
  /** puts these paths, which the look has, back as it found them; the user's index stays as it is */
  putBack(tree: string, paths: readonly string[]): Promise<void>;
}

/** Made at the first look; what git ignores is settled then, so that a command cannot hide a file by way of `info/exclude`. */
export function openShadow(on: Checkout, copy: CopyFile): Shadow {
  const dir = `${on.gitDir}/pawl-shadow`;
  let made: Promise<Record<string, string>> | null = null;
  const env = () => {
    made ??= makeShadow(on, dir, copy).then((objects) => shadowEnv(on, dir, objects));
    return made;
  };
  const alone = async <T>(work: (env: Record<string, string>) => Promise<T>): Promise<T> => {
    const vars = await env();
    return on.git.worktrees(dir, () => work(vars));
  };
  return {
    on,
    look: () => alone((vars) => lookOnce(on, dir, vars)),
    async changes(from, to) {
      const words = split(await mustGit(on, ["diff-tree", "-r", "--no-renames", "--name-status", "-z", from, to]));
      return words.flatMap((word, at) => (at % 2 === 0 ? [{ path: words[at + 1]!, how: HOW[word] ?? "changed" }] : []));
    },
    async putBack(tree, paths) {
      if (paths.length === 0) return;
      const args = ["restore", "--quiet", `--source=${tree}`, "--staged", "--worktree", ...BY_NAME];
      await alone((vars) => mustGit(on, args, { env: vars, input: named(paths) }));
    },
  };
}

const HOW: Readonly<Record<string, PathChange["how"]>> = { A: "made", D: "gone" };

/** An index that cannot be used, because objects that only it knew are gone, is made again. */
async function lookOnce(on: Checkout, dir: string, env: Record<string, string>): Promise<Look> {
  for (const isLast of [false, true]) {
    const args = ["-c", "advice.addEmbeddedRepo=false", "add", "--all", "--ignore-errors", "--", "."];
    const added = await runGit(on, args, { env });
    await addIgnoreFiles(on, env);
    const written = added.code === 0 || added.code === 1 ? await runGit(on, ["write-tree"], { env }) : added;
    if (written.code === 0) return { tree: written.stdout.trim(), unread: unreadIn(added.stderr) };
    if (isLast)
      throw new PawlError("GIT_FAILED", `the files in ${on.top} cannot be looked at: ${written.stderr.trim()}`, {
        next: "mend what git names",
      });
    if (on.files.read(`${dir}/index`, 0).kind !== "none") on.files.unlink(`${dir}/index`);
  }
  throw new Error("unreachable");
}

/**
 * A `.gitignore` may say that it is ignored itself, and then hides all that lies beside it: where there are files that we
 * know, one is looked at whatever it says. A new folder that ignores itself whole, as caches do, stays ignored.
 */
async function addIgnoreFiles(on: Checkout, env: Record<string, string>): Promise<void> {
  const listed = await runGit(on, ["ls-files", "-z"], { env });
  const known = new Set(split(listed.stdout));
  const folders = new Set(["."]);
  for (const path of known)
    for (let at = posix.dirname(path); !folders.has(at); at = posix.dirname(at)) folders.add(at);
  const missed = [...folders]
    .map((folder) => posix.join(folder, ".gitignore"))
    .filter((path) => !known.has(path) && on.files.read(`${on.top}/${path}`, 0).kind !== "none");
  if (missed.length > 0) await runGit(on, ["add", "--force", ...BY_NAME], { env, input: named(missed) });
}

function unreadIn(stderr: string): readonly string[] {
  const found = stderr.matchAll(/^error: (?:open\("(.*)"\): |'(.*)\/' does not have a commit checked out)/gm);
  return [...found].map((match) => (match[1] ?? match[2])!);
}
