// What running a command, and searching, costs beside doing the same with nothing around it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemCommands } from "../../src/adapters/system/command.ts";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import { ripgrep } from "../../src/adapters/system/ripgrep.ts";
import type { SearchQuery } from "../../src/ports/searcher.ts";
import { searchArguments } from "../../src/workspace/search/arguments.ts";
import { compare, type Figure } from "./figure.ts";

const ROUNDS = 200;
const SEARCHES = 25;

/** Commands and searches, each with what it is measured against in the same run. */
export async function benchCommands(): Promise<readonly Figure[]> {
  const commands = systemCommands({
    processes: systemProcesses(),
    clock: systemClock(),
    env: process.env,
    names: ["PATH"],
  });
  const run = await compare("exec of true", {
    rounds: ROUNDS,
    target: 1.5,
    ours: async () => void (await commands.run({ cmd: ["true"], cwd: "/" })),
    against: ["child_process.spawn of it, piped", () => piped("true", [], "/")],
  });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-search-")));
  try {
    makeTree(folder);
    return [
      run,
      await searching("search, 200 of 60,000", folder, { pattern: MANY, limit: 200, target: 1.3 }),
      await searching("search, all of 600", folder, { pattern: "needle", limit: null, target: 1.3 }),
      // told apart: to hold 60,000 lines costs more than to find them
      await searching("search, all of 60,000", folder, { pattern: MANY, limit: null, target: null }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MANY = "return \\w+ \\+ \\w+";

function searching(
  name: string,
  cwd: string,
  {
    pattern,
    limit,
    target,
  }: { readonly pattern: string; readonly limit: number | null; readonly target: number | null },
): Promise<Figure> {
  const query: SearchQuery = {
    pattern,
    isLiteral: false,
    letterCase: "smart",
    wholeWords: false,
    multiline: false,
    cwd,
    paths: [],
    root: null,
    globs: [],
    types: [],
    hidden: false,
    ignored: false,
    context: 0,
    limit,
  };
  const searcher = ripgrep();
  return compare(name, {
    rounds: SEARCHES,
    target,
    ours: async () => void (await searcher.search(query)),
    against: ["the same rg --json, read to its end", () => piped(rgPath, searchArguments(query), cwd)],
  });
}

function piped(file: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((done) => {
    const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.once("close", () => done());
  });
}

/** 3,000 files of 8 KB: 20 matches in each, and one of another kind in every fifth. */
function makeTree(folder: string): void {
  const part = `export function add(left: number, right: number): number {\n  return left + right;\n}\n${"// what a file says beside its code, line by line\n".repeat(6)}`;
  for (let i = 0; i < 60; i++) {
    mkdirSync(join(folder, `part-${i}`));
    for (let k = 0; k < 50; k++)
      writeFileSync(join(folder, `part-${i}`, `file-${k}.ts`), part.repeat(20) + (k % 5 === 0 ? "// a needle\n" : ""));
  }
}
