import { existsSync } from "node:fs";
import { isServer } from "../../adapters/store/address.ts";
import { busyGit } from "../../adapters/system/git.ts";
import { emptyBacklog } from "../../domain/backlog.ts";
import { PASSES } from "../../domain/decide.ts";
import type { WantedIntent } from "../../domain/intent.ts";
import type { Commit, Instant, TaskId } from "../../domain/names.ts";
import { settle } from "../../domain/settle.ts";
import { Board } from "../../engine/board.ts";
import { newsOf } from "../../engine/reading.ts";
import type { Settings } from "../../ports/settings.ts";
import type { Snapshot } from "../../ports/store.ts";
import { beforeSpawns, createSource } from "../config/source.ts";
import { withLanded } from "../landed-before.ts";
import { lostStore, unlessNew } from "../lost-store.ts";
import { notInstalled } from "../not-installed.ts";
import { baseCommits } from "./base-commits.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit-code.ts";

type Spawn = Extract<WantedIntent, { kind: "spawn" }>;

/** What the next tick would do: the same settle() and decide(), on a board that is thrown away. Takes no lease, starts nothing. */
export async function dryRun(
  ctx: Context,
  { repo, only }: { repo: string; only: ReadonlySet<TaskId> | null },
): Promise<number> {
  let board: Board | null = null;
  const files = createSource({
    repo,
    overrides: ctx.overrides,
    isKnown: (id) => board === null || board.statusOf(id as TaskId) !== null,
  });
  const source = withLanded(files, { git: busyGit(), board: () => board });
  const first = await source.read();
  if (first.settings === null) return ctx.fail(first.errors, "Nothing was started.");
  const lost = lostStore(first.settings);
  if (lost) return ctx.fail([lost], "Nothing was started.");
  board = new Board(await snapshotOf(first.settings.store), only);
  const reading = await source.read();
  if (reading.settings === null || reading.errors.length > 0) return ctx.fail(reading.errors, "Nothing was started.");
  ctx.warn([...beforeSpawns(reading), ...notInstalled(reading, { env: ctx.env, repo })]);
  board.now = Date.now() as Instant;
  take(board, newsOf(reading, board));
  const wanted = decideOn(board);
  if (ctx.flags.json) ctx.json({ ok: true, would: wanted });
  else for (const line of linesOf(wanted, reading.settings, await baseCommits(wanted, repo))) ctx.out(line);
  return EXIT.done;
}

const NOTHING_YET: Snapshot = {
  seq: 0,
  now: 0 as Instant,
  backlog: emptyBacklog,
  live: [],
  seeds: [],
  ended: [],
  maps: new Map(),
};

async function snapshotOf(store: string): Promise<Snapshot> {
  if (!isServer(store) && !existsSync(store)) return NOTHING_YET;
  const { openReader } = await import("../../adapters/store/index.ts");
  const reader = await openReader(store).catch(unlessNew);
  if (reader === null) return NOTHING_YET;
  try {
    return await reader.load();
  } finally {
    await reader.close();
  }
}

function take(board: Board, news: ReturnType<typeof newsOf>): void {
  for (const { input } of news) {
    if (input.kind === "map-read") board.addMap(input.map);
    const task = "task" in input && input.task !== null ? board.find(input.task) : null;
    for (const fact of settle(task, input, {
      now: board.now,
      backlog: board.backlog,
      map: null,
      newest: null,
      massEnd: false,
      unmet: [],
    }))
      board.apply(fact);
  }
}

function decideOn(board: Board): readonly WantedIntent[] {
  const wanted: WantedIntent[] = [];
  for (const pass of PASSES) {
    const { facts, intents } = pass(board);
    for (const fact of facts) board.apply(fact);
    wanted.push(...intents);
  }
  return wanted;
}

function linesOf(
  wanted: readonly WantedIntent[],
  settings: Settings,
  tips: ReadonlyMap<string, Commit>,
): readonly string[] {
  const baseText = (base: string) => `${base} ${tips.get(base)?.slice(0, 7) ?? ""}`.trimEnd();
  const spawns = wanted.filter((intent): intent is Spawn => intent.kind === "spawn");
  const others = wanted
    .filter((intent) => intent.kind !== "spawn")
    .map((intent) => `would ${intent.kind}   ${intent.task}`);
  const lines = spawns.flatMap(({ task, wish }) => {
    const agent = settings.cast[wish.who] ?? settings.cast.default ?? "?";
    const from =
      wish.place.kind === "worktree"
        ? `from ${wish.place.start?.slice(0, 7) ?? baseText(wish.place.base)}`
        : `at ${wish.place.commit.slice(0, 7)}`;
    const money = wish.reserve.microUsd > 0 ? `$${(wish.reserve.microUsd / 1e6).toFixed(2)}, ` : "";
    return [
      `would spawn   ${task} ${wish.phase}: ${agent} ${from}`,
      `would reserve ${money}1 spawn, ${Math.round(wish.reserve.wallMs / 60_000)}m`,
    ];
  });
  return [
    ...(lines.length + others.length === 0 ? ["nothing would be started now"] : [...lines, ...others]),
    "Nothing was started.",
  ];
}
