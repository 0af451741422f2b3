// What a patch of 100 files costs, beside git apply of it. Both go to and fro between two states, so that nothing has to be
// laid out again between rounds.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileLocks } from "../../src/adapters/store/file-lock.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import type { Files } from "../../src/ports/files.ts";
import { createEditor } from "../../src/workspace/edit/editor.ts";
import { compare, type Figure } from "./figure.ts";

const FILES = 100;
const LINES = 300;
const ROUNDS = 40;

/** The 100-file patch without fsync, as git applies it, and apart from that what the fsyncs cost. */
export async function benchEdit(): Promise<readonly Figure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-edit-")));
  try {
    const patches = makeTrees(folder);
    const unflushed = editing(folder, "ours", patches, { ...systemFiles(), flush: async () => {} });
    const git = applying(folder, "git", patches);
    const plain = await compare(`patch of ${FILES} files`, {
      rounds: ROUNDS,
      target: 3,
      ours: unflushed,
      against: ["git apply, neither with fsync", git.apply],
    });
    git.end();
    if (readFileSync(join(folder, "ours/0.ts"), "utf8") !== readFileSync(join(folder, "git/0.ts"), "utf8"))
      throw new Error("the engine and git have made different files");
    const durable = await compare("the same, with fsyncs", {
      rounds: ROUNDS,
      target: null,
      ours: editing(folder, "durable", patches, systemFiles()),
      against: ["without", unflushed],
    });
    return [plain, durable];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Patches = readonly [there: string, back: string];

const linesOf = (file: number, changed: boolean): string =>
  Array.from({ length: LINES }, (_, i) => {
    const isChanged = changed && i % 100 === 50;
    return `  const value${i} = compute(${file}, ${i});${isChanged ? " // changed" : ""}\n${isChanged ? "  more();\n" : ""}`;
  }).join("");

/** Three trees in one state, and the patches to the other and back. */
function makeTrees(folder: string): Patches {
  for (const name of ["a", "b", "ours", "git", "durable"]) {
    mkdirSync(join(folder, name));
    for (let file = 0; file < FILES; file++)
      writeFileSync(join(folder, name, `${file}.ts`), linesOf(file, name === "b"));
  }
  const diff = (...how: readonly string[]): string =>
    spawnSync("git", ["diff", "--no-index", "--no-prefix", ...how, "a", "b"], { cwd: folder, encoding: "utf8" }).stdout;
  const patches: Patches = [diff(), diff("-R")];
  patches.forEach((patch, i) => {
    writeFileSync(join(folder, `${i}.diff`), patch);
  });
  return patches;
}

function editing(folder: string, tree: string, patches: Patches, files: Files): () => Promise<void> {
  const [root, journalDir] = [join(folder, tree), join(folder, `${tree}-journals`)];
  const editor = createEditor({ files, lock: fileLocks(), clock: systemClock(), root, journalDir, scope: () => null });
  let turn = 0;
  return async () => {
    const result = await editor.apply(await editor.plan(patches[turn++ % 2]!));
    if (!result.ok) throw new Error(JSON.stringify(result.error));
  };
}

/**
 * By a shell that waits beside us: starting a program from a process as large as this one would make whatever this one does
 * next slow (its memory is shared until it is written to), and that is no part of either.
 */
function applying(folder: string, tree: string, patches: Patches): { apply: () => Promise<void>; end: () => void } {
  const shell = spawn("sh", [], { cwd: join(folder, tree), stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  let turn = 0;
  return {
    apply: async () => {
      shell.stdin.write(`git apply ../${turn++ % patches.length}.diff && echo done || echo failed\n`);
      if ((await lines.next()).value !== "done") throw new Error("git apply failed");
    },
    end: () => void shell.stdin.end(),
  };
}
