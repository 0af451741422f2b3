import { hostname } from "node:os";
import { openStore } from "../../../adapters/store/index.ts";
import { systemClock } from "../../../adapters/system/clock.ts";
import { busyGit } from "../../../adapters/system/git.ts";
import { systemProcesses } from "../../../adapters/system/processes.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { HostName, Instant } from "../../../domain/names.ts";
import type { Settings } from "../../../ports/settings.ts";
import type { Reader } from "../../../ports/store.ts";
import { createSource } from "../../config/source.ts";
import { pawlCommand } from "../../pawl-command.ts";
import { carryOut } from "../../prune/carry-out.ts";
import { type Ground, planPrune } from "../../prune/plan.ts";
import type { Context } from "../context.ts";
import { confirmed } from "../decide.ts";
import { EXIT } from "../exit-code.ts";
import { openStoreHere } from "../look/scene.ts";
import { pruneJson, pruneLines } from "../views/prune.ts";

interface Options {
  readonly dry?: boolean;
  readonly days?: string;
}
const DAY_MS = 86_400_000;

/**
 * `pawl prune`: takes away worktrees that are merged, clean and unused, and run folders of tasks at their end that are
 * older than --days. Says first what would go, and why the rest stays; --dry ends there. The lease is held meanwhile:
 * STORE_HELD while a processor runs.
 */
export async function run(ctx: Context, _args: readonly string[], { dry, days = "30" }: Options): Promise<number> {
  const before = Date.now() - daysOf(days) * DAY_MS;
  const settings = await settingsOf(ctx);
  if (dry) {
    const { reader } = await openStoreHere(ctx);
    return withStore(reader, (store) => show(ctx, groundOf(settings, store, before)));
  }
  const store = await openStore(settings.store);
  return withStore(store, async () => {
    const now = Date.now() as Instant;
    const got = await store.lease({ pid: process.pid, host: hostname(), now });
    if (!("lease" in got)) throw held(got.heldBy.pid, got.heldBy.host);
    try {
      return await prune(ctx, groundOf(settings, store, before));
    } finally {
      await got.lease.release();
    }
  });
}

async function withStore<T extends Reader>(store: T, work: (store: T) => Promise<number>): Promise<number> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function show(ctx: Context, ground: Ground): Promise<number> {
  const { go, keep } = await planPrune(ground);
  if (ctx.flags.json) ctx.json(pruneJson({ dry: true, go, keep }));
  else ctx.out(pruneLines({ dry: true, go, keep }).join("\n"));
  return EXIT.done;
}

async function prune(ctx: Context, ground: Ground): Promise<number> {
  const { go, keep } = await planPrune(ground);
  const first = pruneLines({ dry: true, go, keep: [] });
  if (go.length > 0 && !(await confirmed(ctx, first))) return EXIT.no;
  const { gone, kept } = await carryOut(go, ground);
  const done = { dry: false, go: gone, keep: [...keep, ...kept] };
  if (ctx.flags.json) ctx.json(pruneJson(done));
  else ctx.out(pruneLines(done).join("\n"));
  return EXIT.done;
}

function groundOf(settings: Settings, store: Reader, before: number): Ground {
  const host = {
    repo: settings.repo,
    state: settings.state,
    worktreeRoot: settings.worktree.root,
    git: busyGit(),
    processes: systemProcesses(),
    clock: systemClock(),
    pawl: pawlCommand(),
    name: hostname() as HostName,
  };
  return { host, signal: new AbortController().signal, task: (id) => store.task(id), before };
}

async function settingsOf(ctx: Context): Promise<Settings> {
  const source = createSource({ repo: await ctx.repo(), overrides: ctx.overrides, isKnown: () => true });
  const { settings, errors } = await source.read();
  if (settings !== null) return settings;
  throw errors[0] ?? new PawlError("CONFIG_INVALID", "pawl.yaml has faults", { next: "pawl validate" });
}

function daysOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new PawlError("USAGE", `--days takes a number of days, and is "${text}"`, { next: "pawl prune --days 30" });
}

const held = (pid: number, host: string): PawlError =>
  new PawlError("STORE_HELD", `the store is held by pid ${pid} on ${host}, which may need what would go`, {
    next: "pawl prune --dry shows it now; pawl stop, then pawl prune",
  });
