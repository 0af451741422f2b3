import { resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import { WORKER_ENV } from "../../../protocol/run-folder.ts";
import type { HandTool } from "../../mcp/tool.ts";
import { scopeOf } from "../../scope.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { onStopOrder } from "../stop-signals.ts";
import { version } from "../version.ts";
import { mustBeWorker } from "../worker-folder.ts";

interface Options {
  readonly tools?: string;
  readonly scope?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly sandbox?: string;
  readonly network?: boolean;
  readonly worker?: boolean;
}

/** `pawl mcp`: these hands for any agent, by the Model Context Protocol on stdin and stdout. Ends with its client, exit 0. */
export async function run(ctx: Context, _: readonly string[], options: Options): Promise<number> {
  if (ctx.flags.json)
    throw new PawlError("USAGE", "pawl mcp has no document: its stdout is the protocol's", { next: "pawl mcp" });
  if (options.worker === true) return runForWorker(ctx);
  const { scope = [], allow = [], deny = [], network = true } = options;
  const [allowed, sandbox] = [scopeOf(scope), sandboxNamed(options.sandbox)];
  const { ABOUT_HANDS, serve, TOOLS } = await import("../../mcp/serve.ts");
  const tools = chosen(TOOLS, options.tools);
  const open = async () => {
    const { openHands } = await import("../../hands.ts");
    const folder = resolve(ctx.cwd, ctx.flags.repo ?? ctx.env.PAWL_REPO ?? ".");
    const rules = { allow: allow.length === 0 ? null : allow, deny };
    const hands = await openHands({
      folder,
      env: ctx.env,
      scope: allowed,
      rules,
      sandbox,
      network,
      isWatched: scope.length > 0,
    });
    for (const { outcome } of hands.recovered) ctx.say(`an edit that was broken off is ${outcome}`);
    return hands;
  };
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  try {
    const names = tools.map(({ name }) => name).join(", ");
    ctx.say(
      `pawl mcp: ${tools.length} tool${tools.length === 1 ? "" : "s"} (${names}), scope ${scope.join(" ") || "**"}`,
    );
    ctx.say("next: claude mcp add pawl -- pawl mcp");
    await serve({ version: version(), about: ABOUT_HANDS, tools, open, signal: stop.signal });
    return EXIT.done;
  } finally {
    listening.off();
  }
}

const WAIT_MS = 10_000;
const ABOUT_WORKER =
  "What the worker of a task says to Pawl, which runs it: how far it is, its plan, its report, its verdict.";

/** `pawl mcp --worker`: a worker's own words, for an agent that was started by pawl run. */
async function runForWorker(ctx: Context): Promise<number> {
  const worker = mustBeWorker("mcp --worker", ctx.env);
  const cwd = ctx.env[WORKER_ENV.worktree] ?? ctx.cwd;
  const { serve } = await import("../../mcp/serve.ts");
  const { WORKER_TOOLS: tools } = await import("../../mcp/worker-tools.ts");
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  try {
    const open = async () => ({ worker, cwd, waitMs: WAIT_MS, close: async () => {} });
    await serve({ version: version(), about: ABOUT_WORKER, tools, open, signal: stop.signal });
    return EXIT.done;
  } finally {
    listening.off();
  }
}

function chosen(all: readonly HandTool[], names: string | undefined): readonly HandTool[] {
  if (names === undefined) return all;
  const wanted = names.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !all.some((tool) => tool.name === name));
  if (unknown !== undefined)
    throw new PawlError("USAGE", `there is no tool "${unknown}"`, {
      next: `pawl mcp --tools ${all.map(({ name }) => name).join(",")}`,
    });
  return all.filter(({ name }) => wanted.includes(name));
}

function sandboxNamed(word = "off"): "auto" | "require" | "off" {
  if (word === "auto" || word === "require" || word === "off") return word;
  throw new PawlError("USAGE", `--sandbox is auto, require or off, and not "${word}"`, {
    next: "pawl mcp --sandbox auto",
  });
}
