import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Installs the peers' packages once, into the cache folder of this user, outside the project; the folder. */
export function installed(packages: readonly string[]): string {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pawl-bench-peers");
  const note = join(folder, "installed.json");
  const wanted = JSON.stringify(packages);
  if (existsSync(note) && readFileSync(note, "utf8") === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  console.error(`installing ${packages.join(" ")} into ${folder}`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(note, wanted);
  return folder;
}
