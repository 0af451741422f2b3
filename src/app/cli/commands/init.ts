import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { putSchemas } from "../../config/put-schemas.ts";
import { git, readRepository } from "../../config/repository.ts";
import { prepareState } from "../../config/state-folder.ts";
import { guessChecks, guessSetup } from "../../guessed-commands.ts";
import type { Context } from "../context.ts";
import { firstFiles } from "../first-files.ts";
import { noteOfAgent } from "../named-agent.ts";
import { newFile } from "../new-file.ts";

type Options = { readonly agent?: string; readonly full?: boolean };

/** `pawl init`: looks, asks at most one question, shows what it would write, writes what is not there yet. */
export async function run(ctx: Context, _args: readonly string[], options: Options): Promise<number> {
  const repo = await ctx.repo();
  const { usual, empty } = await readRepository(repo);
  const checks = guessChecks(repo);
  ctx.say(
    `found   git: ${usual ?? "no branch"}, ${await commits(repo)}   checks: ${checks.map(({ run, from }) => `${run} (${from})`).join(", ") || "none"}`,
  );
  const agent = options.agent ?? (await askAgent(ctx));
  const note = agent === null ? null : noteOfAgent(agent, { env: ctx.env, repo });
  const files = firstFiles({
    agent,
    checks: checks.map(({ run }) => run),
    setup: guessSetup(repo),
    base: usual,
    full: options.full ?? false,
  });
  const fresh = Object.entries(files).filter(([path]) => !existsSync(join(repo, path)));
  const kept = Object.keys(files).filter((path) => existsSync(join(repo, path)));
  if (!(await isWanted(ctx, fresh))) {
    ctx.say("Nothing was written.");
    return 0;
  }
  const wrote = fresh.filter(([path, text]) => newFile(join(repo, path), text)).map(([path]) => path);
  putSchemas(prepareState(join(repo, ".pawl")));
  if (ctx.flags.json) ctx.json({ ok: true, wrote, kept, agent, checks: checks.map(({ run }) => run) });
  else tell(ctx, { wrote, kept, agent, empty });
  if (note !== null) ctx.say(note);
  return 0;
}

async function commits(repo: string): Promise<string> {
  const { code, stdout } = await git(repo, ["rev-list", "--count", "HEAD"]);
  return code === 0 ? `${stdout} commit${stdout === "1" ? "" : "s"}` : "no commits yet";
}

async function askAgent(ctx: Context): Promise<string | null> {
  if (ctx.env.PAWL_AGENT) return ctx.env.PAWL_AGENT;
  if (!ctx.isTerminal || ctx.flags.yes || ctx.flags.json) return null;
  return (await ask("? Which command does the work? (empty: say it later with pawl run --agent) > ")) || null;
}

async function isWanted(ctx: Context, fresh: readonly (readonly [string, string])[]): Promise<boolean> {
  if (!ctx.isTerminal || ctx.flags.yes || ctx.flags.json || fresh.length === 0) return true;
  const [pawl] = fresh.filter(([path]) => path === "pawl.yaml");
  if (pawl) ctx.say(`\n${pawl[1].trimEnd().replace(/^/gm, "  ")}\n`);
  return /^(y|yes|)$/i.test(await ask(`? Write ${fresh.map(([path]) => path).join("  ")}? [Y/n] `));
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

function tell(
  ctx: Context,
  of: { wrote: readonly string[]; kept: readonly string[]; agent: string | null; empty: boolean },
): void {
  if (of.wrote.length > 0)
    ctx.out(
      `wrote   ${of.wrote.map((path) => (path === "tasks/example.md" ? `${path} (draft: true)` : path)).join("  ")}`,
    );
  if (of.kept.length > 0) ctx.out(`kept    ${of.kept.join("  ")}`);
  if (of.agent !== null && of.kept.includes("pawl.yaml"))
    ctx.say(`note: pawl.yaml is yours, and is not told of ${of.agent}; see its agents:`);
  // a pawl.yaml that was there says itself who does the work
  const agent = of.agent === null && of.wrote.includes("pawl.yaml") ? " --agent ./fix.sh" : "";
  const start = of.empty ? "git add . && git commit -m Start; " : "";
  ctx.out(`next:   ${start}pawl add "Search by colour" --edit; pawl run --dry${agent}; pawl run${agent}`);
}
