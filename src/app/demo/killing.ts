import { PawlError } from "../../domain/errors.ts";
import { parseLeg } from "../../domain/names.ts";
import { broughtToEnd, type Open, openIn } from "./account.ts";
import { readFarEnd, twice } from "./far-end.ts";
import type { Program } from "./programs.ts";
import type { Stage } from "./stage.ts";
import type { Voice } from "./voice.ts";
import type { Witness } from "./witness.ts";
import { type LiveWorker, liveWorkers } from "./workers.ts";

interface Scene {
  readonly stage: Stage;
  readonly voice: Voice;
  readonly witness: Witness;
  readonly signal: AbortSignal;
}

/**
 * Act 3: SIGKILL to the processor, once something is merged and while a worker has just begun. Gives what was under way
 * then, when the worker has been seen to go on alone.
 */
export async function killProcessor({ stage, voice, witness, signal }: Scene, processor: Program): Promise<Open> {
  const young = await witness.until("something merged, and a worker that has just begun", signal, async (seen) => {
    const merged = seen.live.some((task) => task.merged !== null) || seen.ended.some((one) => one.merged !== null);
    return merged ? ((await liveWorkers(stage)).find(hasJustBegun) ?? null) : null;
  });
  processor.signal("SIGKILL");
  const end = await processor.ended;
  if (end.signal !== "SIGKILL") throw new PawlError("DEMO", `pawl run was to be killed, and ended with ${end.code}`);
  const seen = await witness.load();
  const epoch = witness.ticks.at(-1)!.epoch;
  const open = openIn(seen, epoch);
  const workers = await liveWorkers(stage);
  voice.act(`SIGKILL to pawl run (pid ${processor.pid})`);
  voice.say(
    `   Nobody ticks. The store has ${witness.ticks.length} commits, and knows of ${counted(open.effects.length, "effect")} under way.`,
    ...workers.map((worker) => `   alive  ${line(worker)}`),
  );
  const later = await witness.until(`${young.leg} goes on`, signal, async () => {
    const now = (await liveWorkers(stage)).find(({ leg }) => leg === young.leg);
    // An end is as good: it worked on alone.
    if (now === undefined) return young;
    return now.progress?.updated_at === young.progress?.updated_at ? null : now;
  });
  voice.say(`   goes on without it: ${line(later)}`, "   pawl run, again:");
  return open;
}

const hasJustBegun = ({ progress }: LiveWorker): boolean => progress?.status === "researching";

const line = ({ leg, pid, progress }: LiveWorker): string =>
  `${parseLeg(leg).task} (pid ${pid}) ${progress ? `${progress.percent} %, ${progress.activity}` : "has said nothing yet"}`;

/** Waits until the next processor has brought all of that to an end, and says what became of it. */
export async function sayAdopted({ stage, voice, witness, signal }: Scene, open: Open): Promise<void> {
  const all = open.legs.length + open.effects.length;
  const got = await witness.until("what was under way at the kill comes to an end", signal, () => {
    const ended = broughtToEnd(open, witness.ticks);
    return ended.legs.length + ended.effects.length === all ? ended : null;
  });
  const far = await readFarEnd(stage);
  const again = [far.starts, far.publishes, far.pulls, far.merges].flatMap(twice).length;
  const lost = all - got.legs.length - got.effects.length;
  voice.tell(
    voice.paint.bold(
      `   > adopted ${counted(got.legs.length, "worker")}, ${counted(again, "effect")} repeated, ${lost} lost`,
    ),
    `     under way at the kill: ${underWay(open)}`,
    `     at the far end so far: ${counted(far.starts.length, "worker")} signed, ${far.publishes.length} pushes, ${far.pulls.length} moves of pull requests, ${counted(far.merges.length, "merge")}`,
  );
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

function underWay({ legs, effects }: Open): string {
  const kinds = effects.map(({ kind }) => kind);
  const told = kinds.includes("notify") ? " (a console cannot be asked what it showed: told again)" : "";
  const each = [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`);
  return [`${counted(legs.length, "worker")} (${legs.join(", ")})`, ...each].join(", ") + told;
}
