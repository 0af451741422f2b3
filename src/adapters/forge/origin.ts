import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Git } from "../../ports/system.ts";

/** Where branches, pull requests and merges live. */
export interface FarEnd {
  /** its git directory: absolute, links resolved */
  readonly gitDir: string;
  /** true: the user's repository itself; branches are local and nothing is pushed */
  readonly self: boolean;
  /** what pushes and fetches go to: a path, never the name of a remote */
  readonly path: string;
}

/**
 * The origin, if its URL is a path on this machine; else the repository itself (architecture 6.7). Throws
 * FORGE_UNREACHABLE where the origin is a path and no repository is there now: that is not "there is no origin".
 */
export async function findFarEnd(git: Git, repo: string, signal: AbortSignal): Promise<FarEnd> {
  const own = await gitDirOf(git, repo, signal);
  if (own === null)
    throw new PawlError("FORGE_UNREACHABLE", `no git repository at ${repo}`, { next: "run pawl in a git repository" });
  const named = await git.run(["remote", "get-url", "origin"], { cwd: repo, signal });
  const path = named.code === 0 ? pathOnThisMachine(named.stdout.replace(/\n$/, ""), repo) : null;
  if (path === null) return { gitDir: own, self: true, path: repo };
  const gitDir = await gitDirOf(git, path, signal);
  if (gitDir === null) {
    const next = "make the origin reachable again, or remove the remote: git remote remove origin";
    throw new PawlError("FORGE_UNREACHABLE", `the origin at ${path} is not a git repository now`, { next });
  }
  return gitDir === own ? { gitDir, self: true, path: repo } : { gitDir, self: false, path };
}

/** The absolute path that a remote's URL names, or null where it names another machine (ssh, http, host:path …). */
export function pathOnThisMachine(url: string, repo: string): string | null {
  if (url === "") return null;
  if (/^file:\/\/\//i.test(url)) return decoded(url.slice("file://".length));
  if (/^[A-Za-z][A-Za-z0-9+.-]*:(\/\/|:)/.test(url)) return null; // scheme://, or a remote helper: scheme::
  if (isAbsolute(url)) return url;
  // git's own rule: a colon before the first slash is host:path
  const colon = url.indexOf(":");
  const slash = url.indexOf("/");
  return colon !== -1 && (slash === -1 || colon < slash) ? null : resolve(repo, url);
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The git folder that all worktrees of a repository share, links resolved; null: there is none at that path. */
export async function gitDirOf(git: Git, path: string, signal: AbortSignal): Promise<string | null> {
  const cwd = await realpath(path).catch(() => null);
  if (cwd === null) return null;
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const { code, stdout } = await git.run(args, { cwd, signal }).catch(() => ({ code: 128, stdout: "" }));
  if (code === -1) throw new PawlError("FORGE_UNREACHABLE", `git was ended while it looked at ${path}`);
  return code === 0 ? await realpath(stdout.replace(/\n$/, "")) : null;
}
