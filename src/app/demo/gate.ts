import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { TaskId } from "../../domain/names.ts";
import type { Snapshot } from "../../ports/store.ts";
import { run } from "./programs.ts";
import type { Stage } from "./stage.ts";
import type { Voice } from "./voice.ts";
import type { Witness } from "./witness.ts";

const TASK = "task-003" as TaskId;
const PATIENCE_MS = 20_000;

/** Whether nothing is left but the task that waits for the viewer. */
export function onlyGateIsLeft(seen: Snapshot): true | null {
  const gate = seen.live.find(({ id }) => id === TASK);
  const others = seen.live.filter(({ id, status }) => id !== TASK && status !== "completed");
  return gate?.doing.kind === "asking" && others.length === 0 && [...seen.seeds].length === 0 ? true : null;
}

/** Act 5, before its processor starts: what waits for whom, and what to type. */
export function announceGate(stage: Stage, { act, say, paint, isTerminal }: Voice): void {
  act(`${TASK} waits for you`);
  say(
    "   Everything else is merged. Waiting needs no worker and no slot, and it survives any crash.",
    `   In a second window:   ${paint.cyan(`cd ${stage.shown}/shop && ../pawl approve ${TASK}`)}`,
    ...(isTerminal
      ? [`   or press Enter here. After ${PATIENCE_MS / 1_000} s another process approves.`]
      : ["   Nobody is at this terminal, so another process approves:"]),
  );
}

/** Waits for the viewer's answer, Enter, or the time; then approves from a process of its own. Resolves when it is answered. */
export async function answerGate(of: {
  readonly stage: Stage;
  readonly voice: Voice;
  readonly witness: Witness;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { stage, voice, witness, signal } = of;
  const done = new AbortController();
  const before = witness.ticks.at(-1)?.epoch ?? 0;
  // Its answer is to be seen at once, so somebody has to tick.
  await witness.until("the third processor ticks", signal, () => (witness.ticks.at(-1)!.epoch > before ? true : null));
  const answered = witness.until("task-003 is answered", signal, (seen) => (isAsking(seen) ? null : true));
  try {
    const asked = voice.isTerminal
      ? Promise.race([enter(done.signal), pause(PATIENCE_MS, undefined, { signal: done.signal }).catch(() => {})])
      : Promise.resolve();
    const first = await Promise.race([asked.then(() => "nobody"), answered.then(() => "viewer")]);
    if (first === "viewer") return voice.tell(`   > ${TASK} was answered in another window.`);
    const { output } = await run(stage, ["pawl", "approve", TASK]);
    voice.tell(`   $ pawl approve ${TASK}`, ...output.split("\n").map((line) => `   ${line}`));
    await answered;
  } finally {
    done.abort();
  }
}

const isAsking = (seen: Snapshot): boolean => seen.live.some(({ id, doing }) => id === TASK && doing.kind === "asking");

/** Resolves at the next Enter. */
function enter(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin });
    signal.addEventListener("abort", () => lines.close(), { once: true });
    lines.once("line", () => resolve());
  });
}
