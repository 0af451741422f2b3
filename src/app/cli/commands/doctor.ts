import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isServer, shownAddress } from "../../../adapters/store/address.ts";
import { PawlError } from "../../../domain/errors.ts";
import { beforeSpawns, type Configuration, readConfiguration } from "../../config/reading.ts";
import { git } from "../../config/repository.ts";
import { storeIn } from "../../config/store-in.ts";
import { askForge } from "../../forge.ts";
import { lostStore, unlessNew } from "../../lost-store.ts";
import type { Context } from "../context.ts";
import { lookAtAgents } from "../doctor-agents.ts";
import { lookAtHands } from "../doctor-hands.ts";
import { lookAtIntake } from "../doctor-intake.ts";
import { lookAtWebhooks } from "../doctor-webhooks.ts";
import { forgeAt } from "../forge-at.ts";
import { oneLine, table } from "../printable.ts";
import { version } from "../version.ts";

/** One thing that was looked at. `no` stops work, `note` is worth knowing. */
interface Look {
  readonly name: string;
  readonly state: "ok" | "note" | "no";
  readonly text: string;
  readonly next?: string;
}

/** `pawl doctor`: what is installed and ready. Reads only; exit 1 where something would stop the work. */
export async function run(ctx: Context): Promise<number> {
  const looks: Look[] = [lookAtNode(), await lookAtGit(ctx.cwd), await lookAtSqlite(), ...(await lookAtHands())];
  const repo = await ctx.repo().catch((error: unknown) => error);
  if (typeof repo === "string") looks.push(...(await lookAtRepo(ctx, repo)));
  else looks.push(failed("repository", repo));
  const ok = looks.every(({ state }) => state !== "no");
  if (ctx.flags.json) ctx.json({ ok, checks: looks.map((look) => ({ next: null, ...look })) });
  else for (const line of lines(looks, ctx)) ctx.out(line);
  return ok ? 0 : 1;
}

function lines(looks: readonly Look[], { colour }: Context): readonly string[] {
  const paint = { ok: colour.green, note: colour.yellow, no: colour.red };
  const rows = table(looks.map(({ name, state, text }) => [state, name, oneLine(text)]));
  return looks.flatMap(({ state, next }, i) => {
    const row = rows[i]!.replace(/^(ok|note|no)/, (word) => paint[state](word));
    return next === undefined ? [row] : [row, `      next: ${next}`];
  });
}

function failed(name: string, error: unknown): Look {
  if (!(error instanceof PawlError))
    return { name, state: "no", text: error instanceof Error ? error.message : String(error) };
  return { name, state: "no", text: error.message, ...(error.next === null ? {} : { next: error.next }) };
}

function lookAtNode(): Look {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isGood = major > 20 || (major === 20 && minor >= 19);
  const text = `${process.versions.node}; pawl ${version()}`;
  return isGood
    ? { name: "node", state: "ok", text }
    : { name: "node", state: "no", text, next: "install Node 20.19 or newer." };
}

/** Merges are tried without a worktree by `git merge-tree --write-tree`, which 2.38 brought. */
async function lookAtGit(cwd: string): Promise<Look> {
  try {
    const { stdout } = await git(cwd, ["--version"]);
    const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
    const isGood = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38);
    const text = stdout.replace("git version ", "");
    return isGood
      ? { name: "git", state: "ok", text }
      : { name: "git", state: "no", text, next: "install git 2.38 or newer (apt install git)." };
  } catch (error) {
    return failed("git", error);
  }
}

async function lookAtSqlite(): Promise<Look> {
  try {
    const { sqliteVersion } = await import("../../../adapters/store/open-sqlite.ts");
    const { version, from } = await sqliteVersion();
    return { name: "sqlite", state: "ok", text: `${version} (${from})` };
  } catch (error) {
    return { ...failed("sqlite", error), next: "npm ci in the folder of Pawl, for this Node." };
  }
}

async function lookAtRepo(ctx: Context, repo: string): Promise<readonly Look[]> {
  const configuration = await readConfiguration({ repo, overrides: ctx.overrides });
  const looks = [
    await lookAtBase(repo, configuration),
    await lookAtTree(repo),
    await lookAtForge(repo, configuration, ctx.env),
    ...lookAtIntake(configuration.file, ctx.env),
    ...lookAtWebhooks(configuration.file, ctx.env),
    lookAtFiles(configuration),
    ...beforeSpawns(configuration.reading).map(lookAtMissing),
  ];
  return [
    ...looks,
    await lookAtStore(ctx, repo, configuration),
    ...lookAtAgents(configuration.cast, configuration.file, { env: ctx.env, repo }),
  ];
}

async function lookAtBase(repo: string, { file, repository, reading }: Configuration): Promise<Look> {
  const fault = reading.errors.find(
    ({ code, at }) => (code === "REPO_EMPTY" || code === "BASE_MISSING") && (at.file ?? "pawl.yaml") === "pawl.yaml",
  );
  if (fault) return failed("repository", fault);
  const base = file.base ?? repository?.usual ?? "HEAD";
  const { stdout } = await git(repo, ["log", "-1", "--no-show-signature", "--format=%h %s", base]);
  return { name: "repository", state: "ok", text: `${repo}, base ${base}${stdout === "" ? "" : ` at ${stdout}`}` };
}

async function lookAtTree(repo: string): Promise<Look> {
  const { stdout } = await git(repo, ["status", "--porcelain", "-z", "--untracked-files=normal"]);
  const files = stdout
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(3));
  if (files.length === 0) return { name: "tree", state: "ok", text: "everything is committed" };
  const shown = `${files.slice(0, 3).join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""}`;
  return {
    name: "tree",
    state: "note",
    text: `${files.length} file${files.length === 1 ? " is" : "s are"} not committed, so workers do not see them: ${shown}`,
  };
}

/** Where merges land. A forge beyond this machine is asked for the repository: nothing else tells whether the token is good. */
async function lookAtForge(repo: string, { file }: Configuration, env: Context["env"]): Promise<Look> {
  const { forge } = file;
  if (forge === undefined || forge.kind === "local") return lookAtOrigin(repo);
  const text = `${forge.kind} ${forge.repo}, by ${forge.baseUrl}, with the token of ${forge.tokenEnv}`;
  if (!env[forge.tokenEnv]?.trim()) {
    const next = `put a token ${RIGHTS[forge.kind]} into ${forge.tokenEnv}.`;
    return { name: "forge", state: "no", text: `${text}, which is empty`, next };
  }
  return askForge(forge, (name) => env[name]).then(
    () => ({ name: "forge", state: "ok", text }),
    (error: unknown) => failed("forge", error),
  );
}

const RIGHTS = {
  github: "that may write contents and pull requests",
  gitlab: "of scope api and a role of Developer or above",
} as const;

async function lookAtOrigin(repo: string): Promise<Look> {
  const { code, stdout } = await git(repo, ["remote", "get-url", "origin"]);
  if (code !== 0) return { name: "origin", state: "ok", text: "none: this repository is its own forge" };
  const url = stdout.replace(/^file:\/\//, "").replace(/\/\/[^/@]*@/, "//");
  const isHere = !/^[\w+.-]+:/.test(url) && existsSync(resolve(repo, url));
  const forge = forgeAt(url);
  return isHere
    ? { name: "origin", state: "ok", text: `${url}, on this machine: merges land there` }
    : {
        name: "origin",
        state: "note",
        text: `${url} is not on this machine: it is left alone, and merges land in this repository`,
        ...(forge === null ? {} : { next: `write ${forge} into pawl.yaml, if they should land there.` }),
      };
}

function lookAtFiles({ reading, usualMap }: Configuration): Look {
  const faults = reading.errors.filter(({ code }) => code !== "REPO_EMPTY" && code !== "BASE_MISSING");
  const tasks = `${reading.specs.length} task${reading.specs.length === 1 ? "" : "s"}`;
  if (faults.length === 0) return { name: "files", state: "ok", text: `pawl.yaml, map ${usualMap?.name}, ${tasks}` };
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
  return {
    name: "files",
    state: "no",
    text: `${first!.message}${more}`,
    next: faults.length > 1 ? "pawl validate" : (first!.next ?? "pawl validate"),
  };
}

/** What a worktree will not have. */
function lookAtMissing({ message, next, at }: PawlError): Look {
  const place = at.file === undefined ? "" : `${at.file}:${at.line}: `;
  return { name: "worktrees", state: "note", text: `${place}${message}`, ...(next === null ? {} : { next }) };
}

async function lookAtStore(ctx: Context, repo: string, { file }: Configuration): Promise<Look> {
  const path = ctx.overrides.store?.value ?? storeIn(repo, file.store);
  const lost = lostStore({ store: path, state: join(repo, ".pawl") });
  if (lost) return failed("store", lost);
  const shown = shownAddress(path);
  const none: Look = { name: "store", state: "ok", text: `${shown} is made by the first pawl run` };
  if (!isServer(path) && !existsSync(path)) return none;
  try {
    const { openReader } = await import("../../../adapters/store/index.ts");
    const store = await openReader(path).catch(unlessNew);
    if (store === null) return none;
    try {
      const holder = await store.holder();
      const held = holder?.alive
        ? `, held by pid ${holder.pid} on ${holder.host} (epoch ${holder.epoch})`
        : ", nobody holds it";
      return { name: "store", state: "ok", text: `${shown}${held}` };
    } finally {
      await store.close();
    }
  } catch (error) {
    return failed("store", error);
  }
}
