import { hostname } from "node:os";
import { join } from "node:path";
import type { HostName, LegKey, TaskId } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import { pawlCommand } from "../../pawl-command.ts";
import { askProcessor, decider } from "../ask-processor.ts";
import type { Context } from "../context.ts";
import { confirmed } from "../decide.ts";
import { EXIT } from "../exit-code.ts";
import { liveScene } from "../look/part-scene.ts";
import { type Look, looking } from "../look/scene.ts";
import { counted } from "../views/amounts.ts";
import type { Scene } from "../views/scene.ts";

interface Live {
  readonly task: TaskId;
  readonly leg: LegKey;
}

/** `pawl stop [--workers]`: ends the processor; its workers go on, or are ended too. Without a processor, --workers ends those that still live. */
export async function run(
  ctx: Context,
  _args: readonly string[],
  { workers = false }: { readonly workers?: boolean },
): Promise<number> {
  const stop = async (look: Look): Promise<number> => {
    const { scene } = look;
    const live = scene.tasks.flatMap(liveOf).filter(({ task }) => !scene.sights.get(task)?.ended);
    if (workers && live.length > 0 && !(await confirmed(ctx, [whatGoes(live, scene)]))) return EXIT.no;
    if (scene.holder?.alive) return stopProcessor(ctx, look, workers);
    return workers ? stopWorkers(ctx, live, look) : nothingToStop(ctx, live);
  };
  return looking(ctx, stop, liveScene);
}

function liveOf({ id, doing }: Task): readonly Live[] {
  if (doing.kind === "running") return [{ task: id, leg: doing.leg }];
  // A processor that died in the middle of a spawn: whether it happened, the host knows.
  return doing.kind === "effect" && doing.intent.kind === "spawn" ? [{ task: id, leg: doing.intent.wish.leg }] : [];
}

function whatGoes(live: readonly Live[], { sights, holder }: Scene): string {
  const named = live.map(({ task }) => (sights.get(task)?.pid ? `${task} (pid ${sights.get(task)?.pid})` : task));
  const processor = holder?.alive ? `the processor (pid ${holder.pid}) and ` : "";
  return `stop ends ${processor}${counted(live.length, "worker")}${named.length > 0 ? `: ${named.join(", ")}` : ""}; branches and worktrees stay.`;
}

async function stopProcessor(ctx: Context, { reader, repo, scene }: Look, workers: boolean): Promise<number> {
  const by = await decider(undefined, repo);
  const code = await askProcessor(ctx, reader, { task: null, command: { do: "stop", workers }, what: "the stop", by });
  if (code === EXIT.done && !ctx.flags.json && (await hasGone(reader)))
    ctx.say(`pid ${scene.holder!.pid} has ended; all state is saved.`);
  return code;
}

/** Whether the processor ends within 5 s: one that ends its workers first may take longer. */
async function hasGone(reader: Look["reader"]): Promise<boolean> {
  for (const end = performance.now() + 5_000; performance.now() < end; ) {
    if (!(await reader.holder())?.alive) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function nothingToStop(ctx: Context, live: readonly Live[]): number {
  const text =
    live.length === 0
      ? "nobody ticks; there is nothing to stop"
      : `nobody ticks; ${counted(live.length, "worker")} may still be at work: ${live.map(({ task }) => task).join(", ")}`;
  if (ctx.flags.json)
    ctx.json({ ok: true, processor: null, reply: text, workers: live.map(({ task }) => ({ task, stopped: false })) });
  else ctx.out(text);
  if (live.length > 0) ctx.say("next: pawl stop --workers (ends them, keeps their worktrees)");
  return EXIT.done;
}

/** Their host ends them: what it cannot tell for sure, it does not touch. The next `pawl run` reads how they ended. */
async function stopWorkers(ctx: Context, live: readonly Live[], { repo, state }: Look): Promise<number> {
  const host = await hostHere(repo ?? join(state, ".."), state);
  const signal = AbortSignal.timeout(60_000);
  const ended = await Promise.all(
    live.map(async ({ task, leg }) => {
      try {
        await host.stop(leg, "stopped", { epoch: 0, signal });
        return { task, stopped: true, why: null };
      } catch (error) {
        return { task, stopped: false, why: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
  const text =
    ended.length === 0
      ? "nobody ticks; no worker is at work"
      : ended
          .map(({ task, stopped, why }) => (stopped ? `${task}: its worker has ended` : `${task}: ${why}`))
          .join("\n");
  if (ctx.flags.json)
    ctx.json({ ok: ended.every(({ stopped }) => stopped), processor: null, reply: text, workers: ended });
  else ctx.out(text);
  return ended.every(({ stopped }) => stopped) ? EXIT.done : EXIT.no;
}

async function hostHere(repo: string, state: string) {
  const [{ createHost }, { systemGit }, { systemProcesses }, { systemClock }] = await Promise.all([
    import("../../../adapters/agents/host.ts"),
    import("../../../adapters/system/git.ts"),
    import("../../../adapters/system/processes.ts"),
    import("../../../adapters/system/clock.ts"),
  ]);
  return createHost({
    repo,
    state,
    worktreeRoot: join(state, "worktrees"),
    git: systemGit(),
    processes: systemProcesses(),
    clock: systemClock(),
    pawl: pawlCommand(),
    name: hostname() as HostName,
  });
}
