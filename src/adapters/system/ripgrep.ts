import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Searcher, SearchQuery, SearchResult } from "../../ports/searcher.ts";
import { searchArguments } from "../../workspace/search/arguments.ts";
import { resultReader } from "../../workspace/search/read-results.ts";

const NAMED = 20;

/** Searches with the ripgrep that is shipped, or else with the one that is installed. */
export const ripgrep = (): Searcher => ({
  async search(query) {
    refuseNul(query);
    const cwd = realpathSync(query.cwd);
    for (const path of query.paths) refusePath(path, { cwd, root: query.root });
    if (query.signal?.aborted) throw cancelled();
    return run(await program(), { ...query, cwd });
  },
});

let found: Promise<string> | undefined;

/** Its path. Loaded when it is asked for: the package looks for its binary as it is imported. */
const program = (): Promise<string> => {
  found ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => "rg",
  );
  return found;
};

function refuseNul({ pattern, globs, types, paths }: SearchQuery): void {
  const nul = [pattern, ...globs, ...types, ...paths].find((word) => word.includes("\0"));
  if (nul !== undefined)
    throw new PawlError("PATTERN_BAD", `a search holds a NUL character: ${JSON.stringify(nul)}`, {
      next: "write it as \\x00",
    });
}

function refusePath(path: string, { cwd, root }: { readonly cwd: string; readonly root: string | null }): void {
  const real = realOf(resolve(cwd, path));
  if (real === null)
    throw new PawlError("PATH_MISSING", `there is no ${path} in ${cwd} to search`, {
      next: "name a file or folder that is there",
    });
  if (root === null) return;
  const inside = relative(realpathSync(root), real);
  if (inside === ".." || inside.startsWith("../") || isAbsolute(inside))
    throw new PawlError("OUT_OF_SCOPE", `${path} is not below ${root}`, { next: "search below it" });
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

async function run(rg: string, query: SearchQuery): Promise<SearchResult> {
  const reader = resultReader(query);
  const said = collect();
  const child = spawn(rg, searchArguments(query), {
    cwd: query.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    ...aborting(query),
  });
  child.stdout.on("data", reader.push);
  child.stderr.on("data", said.push);
  await new Promise<void>((done, fail) => {
    child.once("error", (error) => fail(query.signal?.aborted ? cancelled() : missing(error)));
    child.once("close", () => done());
  });
  if (query.signal?.aborted) throw cancelled();
  const result = reader.end();
  if (result === null) throw refusal(said.text());
  const unread = said
    .text()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^rg: (?:\.\/)?/, ""));
  return { ...result, unread: unread.sort().slice(0, NAMED), unreadCount: unread.length };
}

const aborting = ({ signal }: SearchQuery) => (signal === undefined ? {} : { signal });

/** What it complains of; a folder of a million files that may not be read is no reason to hold a million lines. */
function collect() {
  let text = "";
  return {
    push: (part: Buffer): void => {
      if (text.length < 200_000) text += part.toString("utf8");
    },
    text: () => text.trim(),
  };
}

const missing = (error: Error): PawlError =>
  new PawlError("SEARCH_MISSING", `ripgrep cannot be started: ${error.message}`, {
    next: "npm ci without --omit=optional, or install ripgrep (Debian: apt install ripgrep)",
  });

const cancelled = (): PawlError => new PawlError("CANCELLED", "the search was cancelled", { next: "search again" });

/** It began no search: why, in its own words, which are clear. */
function refusal(said: string): PawlError {
  const text = said.replace(/^rg: /, "");
  if (/unrecognized file type/.test(text))
    return new PawlError("TYPE_UNKNOWN", `${text.split("\n")[0]}`, {
      next: "take one that rg --type-list names, like ts, py, rust, go, java",
    });
  if (/error parsing glob|invalid glob/i.test(text))
    return new PawlError("GLOB_BAD", text, { next: "write it like src/**" });
  return new PawlError("PATTERN_BAD", `the pattern cannot be used: ${text || "ripgrep said nothing"}`, {
    next: "mend it, or look for the text as it is with --fixed-strings",
  });
}
