// Builds dist/ where a source is newer than it. `npm run demo` and the tests call it: dist/ is swapped whole, so that a
// Pawl that runs from there meanwhile (a second demo, a driver) never finds half of it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

ensureBuilt();

/** Throws with tsdown's output where building fails; dist/ is as before then. */
function ensureBuilt() {
  const began = new Date();
  if (!isStale()) return;
  const cache = join(root, "node_modules", ".cache", "pawl-build");
  const [fresh, old] = [join(cache, `${process.pid}`), join(cache, `${process.pid}-old`)];
  mkdirSync(cache, { recursive: true });
  const tsdown = join(root, "node_modules", "tsdown", "dist", "run.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsdown, "--out-dir", fresh], { cwd: root });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}${stderr}`);
  // What was saved while it built is newer than this, and counts the next time.
  utimesSync(join(fresh, "cli.mjs"), began, began);
  swap(fresh, old);
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}

/** Where somebody else is faster, theirs is as good. */
function swap(fresh, old) {
  try {
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  } catch (error) {
    if (!existsSync(dist)) throw error;
  }
}

function isStale() {
  const built = statSync(join(dist, "cli.mjs"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = ["package.json", "tsdown.config.ts"].map((file) => statSync(join(root, file)).mtimeMs);
  return Math.max(...files, newest(join(root, "src"))) > built;
}

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .reduce((most, entry) => Math.max(most, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
}
