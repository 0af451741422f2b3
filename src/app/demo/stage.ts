import { copyFileSync, cpSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { systemGit } from "../../adapters/system/git.ts";
import { packageRoot } from "../config/package-root.ts";
import { pawlCommand } from "../pawl-command.ts";

/** Where one demo happens: everything of it lies below `root`, and nothing else is written. */
export interface Stage {
  /** absolute path of `.demo/N` */
  readonly root: string;
  /** the same as people type it from where they are */
  readonly shown: string;
  /** the checkout, with pawl.yaml and tasks */
  readonly shop: string;
  /** the bare repository that work is merged into */
  readonly origin: string;
  /** where each worker signs that it started */
  readonly starts: string;
  readonly store: string;
  /** environment of all that is started here: `pawl` and this node are found first */
  readonly env: NodeJS.ProcessEnv;
}

const git = systemGit();

/** A new `.demo/N` in `folder`, with a shop that has bugs, its bare origin, tasks and workers. Two at once get two. */
export async function setStage(folder: string): Promise<Stage> {
  const root = nextFolder(join(folder, ".demo"));
  const shop = join(root, "shop");
  const stage: Stage = {
    root,
    shown: relative(realpathSync(folder), root),
    shop,
    origin: join(root, "origin.git"),
    starts: join(root, "starts.txt"),
    store: join(shop, ".pawl", "store.db"),
    env: environment(root),
  };
  copyShop(shop);
  writeFileSync(stage.starts, "");
  const [file, ...args] = [...pawlCommand()].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  writeFileSync(join(root, "pawl"), `#!/bin/sh\nexec ${[file, ...args].join(" ")} "$@"\n`, { mode: 0o755 });
  await makeRepositories(stage);
  return stage;
}

function nextFolder(demos: string): string {
  mkdirSync(demos, { recursive: true });
  const numbers = readdirSync(demos).map(Number).filter(Number.isInteger);
  for (let n = Math.max(0, ...numbers) + 1; ; n++) {
    try {
      mkdirSync(join(demos, String(n)));
      return realpathSync(join(demos, String(n)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function copyShop(shop: string): void {
  const examples = join(packageRoot(), "examples");
  cpSync(join(examples, "shop"), shop, { recursive: true });
  mkdirSync(join(shop, "agents"));
  for (const name of readdirSync(join(examples, "workers")))
    copyFileSync(join(examples, "workers", name), join(shop, "agents", name));
  // The changes that the workers apply lie beside them.
  cpSync(join(shop, "prepared"), join(shop, "agents", "prepared"), { recursive: true });
  rmSync(join(shop, "prepared"), { recursive: true });
}

/** Whatever the user's own configuration says of names, signing, hooks and line endings, the shop is the same. */
const SETTINGS = {
  "user.name": "Shop",
  "user.email": "shop@example.org",
  "commit.gpgSign": "false",
  "core.autocrlf": "false",
  "merge.conflictStyle": "merge",
};

async function makeRepositories({ root, shop, origin }: Stage): Promise<void> {
  const at = (...args: readonly string[]) => git.must(args, { cwd: shop });
  await git.must(["init", "--quiet", "--bare", "--template=", "-b", "main", origin], { cwd: root });
  // What reached the origin is counted there: it keeps a log of every ref, pull requests too.
  await git.must(["config", "core.logAllRefUpdates", "always"], { cwd: origin });
  await at("init", "--quiet", "--template=", "-b", "main");
  const settings = { ...SETTINGS, "core.hooksPath": join(shop, ".git", "hooks") };
  for (const [name, value] of Object.entries(settings)) await at("config", name, value);
  await at("add", "--all");
  await at("commit", "--quiet", "-m", "A kettle shop, with bugs");
  // A path from the root: from a worktree a relative one would lead elsewhere.
  await at("remote", "add", "origin", origin);
  await at("push", "--quiet", "--set-upstream", "origin", "main");
}

/** Nothing of a Pawl around this one gets in, and no store or repository of theirs. */
function environment(root: string): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("PAWL_") || name === "PAWL_ASCII");
  const path = [root, dirname(process.execPath), process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"].join(":");
  return { ...Object.fromEntries(ours), PATH: path };
}
