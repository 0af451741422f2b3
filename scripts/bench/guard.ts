// What the write scope costs a command: 50,000 files, looked at before and after.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { guardOf } from "../../src/app/checkout-guard.ts";
import { guarded } from "../../src/workspace/scope/guard.ts";
import { type Figure, median } from "./figure.ts";

const FOLDERS = 2_500;
const ROUNDS = 9;
/** until a change is no longer one of a moment ago, after which a quick look is believed */
const SETTLED_MS = 2_500;

/** A command that changes nothing, one that has just written a file, and the first one of a process. */
export async function benchGuard(): Promise<readonly Figure[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-guard-")));
  try {
    makeTree(root);
    await pause(SETTLED_MS);
    const { shadow, quarantineDir } = await guardOf(root, { isOurs: false, env: {} });
    const parts = { shadow, quarantineDir, scope: () => null };
    const timed = async (work: () => void = () => {}): Promise<number> => {
      const start = performance.now();
      await guarded(parts, async () => work());
      return performance.now() - start;
    };
    const first = await timed();
    const [still, wrote]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) still.push(await timed());
    for (let round = 0; round < ROUNDS; round++)
      wrote.push(await timed(() => writeFileSync(join(root, "part-0/file-0.ts"), `${round}\n`)));
    shadow.close();
    const beside = (againstMs: number, target: number | null) => ({ against: `${againstMs} ms`, againstMs, target });
    return [
      { name: "scope, nothing changed", ms: median(still), ...beside(300, 1) },
      { name: "scope, a file written", ms: median(wrote), ...beside(300, null) },
      { name: "scope, first of a process", ms: first, ...beside(300, null) },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function makeTree(root: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(root, `part-${folder}`));
    for (let file = 0; file < 20; file++)
      writeFileSync(join(root, `part-${folder}`, `file-${file}.ts`), `export const x = ${folder * 20 + file};\n`);
  }
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", "--all");
  git("-c", "user.name=B", "-c", "user.email=b@example.org", "commit", "-q", "--no-verify", "-m", "Start");
}
