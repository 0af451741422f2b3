import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFolder } from "../../src/adapters/run-files/folder.ts";
import { openJournal } from "../../src/adapters/run-files/journal.ts";
import { fileLocks } from "../../src/adapters/store/file-lock.ts";
import { guardOf } from "../../src/app/checkout-guard.ts";
import { guarded } from "../../src/workspace/scope/guard.ts";
import { median } from "./figure.ts";

/** What a turn pays for: ms each, medians. */
export interface Costs {
  readonly journal: number;
  readonly files: number;
  readonly scope: number;
}

const ROUNDS = 30;

/**
 * Does what the worker does at each command once more, one by one, with the product's own parts and the files that a run
 * left: its longest line of the journal, appended and fsynced; run.json (the run log),
 * context.md and progress.json, replaced; its worktree, compared before and after nothing.
 */
export async function costsOfTurn({ run, worktree }: { run: string; worktree: string }): Promise<Costs> {
  const scratch = mkdtempSync(join(tmpdir(), "pawl-costs-"));
  const lines = readFileSync(join(run, "journal.jsonl"), "utf8").trimEnd().split("\n");
  const line = lines.reduce((most, one) => (one.length > most.length ? one : most));
  const texts = filesOf(run);
  const journal = await openJournal(join(scratch, "journal.jsonl"), fileLocks());
  const { shadow, quarantineDir } = await guardOf(worktree, { isOurs: true, env: {} });
  try {
    return {
      journal: await timed(() => journal.append(line, { durable: true })),
      files: await timed(() => texts.map((text, i) => runFolder(scratch).replace(`${i}`, text))),
      scope: await timed(() => guarded({ shadow, quarantineDir, scope: () => null }, async () => {})),
    };
  } finally {
    shadow.close();
    journal.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function filesOf(run: string): readonly string[] {
  const logs = join(run, "..", "..");
  const log = readdirSync(logs).filter((name) => name.endsWith(".json"));
  return [...log.map((name) => join(logs, name)), join(run, "context.md"), join(run, "progress.json")].map((file) =>
    readFileSync(file, "utf8"),
  );
}

/** The first one pays for what later ones find. */
async function timed(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - start);
  }
  return median(times);
}
