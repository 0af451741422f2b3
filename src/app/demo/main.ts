// `npm run demo`: the main job on a real repository with real workers, with a SIGKILL in the middle. It checks itself:
// exit 0, or 1 with what differs; 130 after Ctrl+C. No process of it is left behind either way.
import { openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PawlError } from "../../domain/errors.ts";
import { closing, farewell } from "./closing.ts";
import { announceGate, answerGate, onlyGateIsLeft } from "./gate.ts";
import { killProcessor, sayAdopted } from "./killing.ts";
import { opening } from "./opening.ts";
import { type Program, startProcessor, startReviewer } from "./programs.ts";
import { type Stage, setStage } from "./stage.ts";
import { teller } from "./told.ts";
import { openVoice, type Voice } from "./voice.ts";
import { openWitness, type Witness } from "./witness.ts";
import { endWorkers, leftIn, liveWorkers } from "./workers.ts";

process.exitCode = await main(openVoice());

async function main(voice: Voice): Promise<number> {
  const began = performance.now();
  const interrupt = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => interrupt.abort());
  // Nobody listens any more (`npm run demo | head`): that ends it as Ctrl+C does, and its workers are ended too.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => interrupt.abort());
  const stage = await setStage(process.cwd());
  const witness = openWitness(stage.store, teller(stage, voice));
  const started: Program[] = [];
  try {
    const faults = await play({ stage, voice, witness, started, signal: interrupt.signal });
    interrupt.signal.throwIfAborted();
    const left = await leftIn(stage, 10_000);
    if (left.length > 0) faults.push(`processes are left behind: ${left.join(", ")}`);
    farewell(stage, voice);
    return verdict(faults, voice, began);
  } catch (error) {
    if (interrupt.signal.aborted) return await interrupted(stage, voice, started);
    voice.hold(false);
    voice.say(
      "",
      voice.paint.red(
        `The demo failed: ${error instanceof PawlError ? error.message : String((error as Error).stack)}`,
      ),
      `It is all in ${stage.shown}.`,
    );
    return 1;
  } finally {
    for (const program of started) program.signal("SIGKILL");
    await endWorkers(stage);
    await witness.close();
  }
}

interface Play {
  readonly stage: Stage;
  readonly voice: Voice;
  readonly witness: Witness;
  /** everything that has to end with the demo */
  readonly started: Program[];
  readonly signal: AbortSignal;
}

async function play(of: Play): Promise<string[]> {
  const { stage, voice, witness, started, signal } = of;
  await opening(stage, voice);
  signal.throwIfAborted();

  voice.act("pawl run: several workers at once, each in a worktree of its own");
  started.push(startReviewer(stage, openSync(join(stage.root, "reviewer.log"), "w")));
  const first = begin(of);
  const open = await beside(first, killProcessor(of, first));

  const second = begin(of);
  await beside(second, Promise.all([sayAdopted(of, open), witness.until("all but task-003", signal, onlyGateIsLeft)]));
  voice.tell("", `   Only task-003 is left, and it waits for a person: the demo stops the processor, as Ctrl+C does.`);
  second.signal("SIGINT");
  await second.ended;

  announceGate(stage, voice);
  const third = begin(of);
  await beside(third, answerGate(of));
  const end = await third.ended;
  signal.throwIfAborted();
  const faults = await closing(stage, voice, witness);
  return [...(end.code === 0 ? [] : [`the last pawl run ended with ${end.code}`]), ...faults];
}

function begin({ stage, voice, started }: Play): Program {
  const processor = startProcessor(stage, voice);
  started.push(processor);
  return processor;
}

/** What happens beside a processor; a processor that ends meanwhile of its own accord ends the demo. */
async function beside<T>(processor: Program, work: Promise<T>): Promise<T> {
  const early = processor.ended.then(async ({ code, signal }) => {
    if (signal === "SIGKILL") return work;
    throw new PawlError("DEMO", `pawl run ended before its time, with ${code ?? signal}`);
  });
  return Promise.race([work, early]);
}

async function interrupted(stage: Stage, voice: Voice, started: readonly Program[]): Promise<number> {
  const processor = started.at(-1);
  // On a terminal Ctrl+C reached it too, and a second one would cut it short.
  if (voice.isTerminal) await Promise.race([processor?.ended, pause(2_000)]);
  processor?.signal("SIGINT");
  await processor?.ended;
  voice.hold(false);
  const workers = await liveWorkers(stage);
  const names = workers.map(({ leg, pid }) => `${leg} (pid ${pid})`);
  voice.say(
    "",
    workers.length === 0
      ? "Stopped. No worker was at work."
      : `Stopped. ${workers.length} would go on; the demo ends them: ${names.join(", ")}.`,
    `next: cd ${stage.shown}/shop && ../pawl run   (goes on where it was)`,
  );
  return 130;
}

function verdict(faults: readonly string[], { say, paint }: Voice, began: number): number {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  if (faults.length === 0) {
    say("", paint.green(`All 6 tasks completed, nothing twice, nothing lost, in ${seconds} s.`));
    return 0;
  }
  say("", paint.red("Not as it should be:"), ...faults.map((fault) => `   ${fault}`));
  return 1;
}
