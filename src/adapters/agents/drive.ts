import { dirname, join } from "node:path";
import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CommandLine } from "../../ports/runtime.ts";
import type { Processes } from "../../ports/system.ts";
import { LEG_FILES, RUN_FILES } from "../../protocol/run-folder.ts";
import { messagesIn, startBounds } from "./bounds.ts";
import { workerEnvironment } from "./environment.ts";
import { createFile, json, readRecord, replaceFile } from "./files.ts";
import { whenThereIsRoom } from "./full-disk.ts";
import { type Claim, type Drive, type Ended, fileMark, type LegPlace } from "./leg.ts";
import { listenTo } from "./listen.ts";
import { openOutput } from "./output.ts";
import { type ProcessEnd, runProcess } from "./process.ts";
import { isSetUp, noteSetUp } from "./setup.ts";
import { submittedSoFar } from "./submitted.ts";

export interface DriverParts {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly commandLine: (command: CommandLine) => { readonly file: string; readonly args: readonly string[] };
}

/**
 * The driver's whole life (`pawl drive command LEGFOLDER`): claims the leg, runs setup and program, keeps the bounds,
 * writes ended.json when nothing of the leg lives any more, and waits for room to do so. Gives the exit code for its
 * process: 0 too where another driver has the leg. SIGTERM to this process ends the leg. This file's imports are few:
 * each leg pays for them.
 */
export async function drive(legFolder: string, parts: DriverParts): Promise<number> {
  const order = readRecord<Drive>(join(legFolder, LEG_FILES.drive));
  if (order === null) throw new Error(`${join(legFolder, LEG_FILES.drive)} cannot be read`);
  const at: LegPlace = { leg: order.wish.leg, run: dirname(legFolder), folder: legFolder };
  const claim = firstClaim(at, parts);
  // before the claim, which lets others write to this leg
  const earlier = messagesIn(at);
  if (!createFile(join(legFolder, LEG_FILES.claim), json(claim))) return 0;

  const started = parts.clock.read();
  const output = openOutput(join(legFolder, LEG_FILES.log), order.logBytes);
  const end = await work({ order, at, claim, earlier, output, parts });
  const tail = output.tail();
  const now = parts.clock.read();
  const ended: Ended = {
    ...end,
    tail,
    started_at: iso(started.wall),
    ended_at: iso(now.wall),
    wall_ms: Math.round(now.mono - started.mono),
    ...output.close(),
  };
  await whenThereIsRoom(
    (wasFull) => replaceFile(join(legFolder, LEG_FILES.ended), json(wasFull ? { ...ended, disk_full: true } : ended)),
    parts.clock,
  );
  return 0;
}

function firstClaim(at: LegPlace, { processes, clock }: DriverParts): Claim {
  const mark = (file: "verdict" | "usage") => fileMark(join(at.run, RUN_FILES[file]));
  return {
    leg: at.leg,
    driver: processes.self,
    agent: null,
    at: Math.round(clock.read().wall),
    before: { verdict: mark("verdict"), usage: mark("usage"), submitted: submittedSoFar(at) },
  };
}

interface Work {
  readonly order: Drive;
  readonly at: LegPlace;
  readonly claim: Claim;
  /** messages of the inbox that came before this leg */
  readonly earlier: ReadonlySet<string>;
  readonly output: ReturnType<typeof openOutput>;
  readonly parts: DriverParts;
}

async function work(of: Work): Promise<ProcessEnd & Pick<Ended, "gate_ms" | "said">> {
  const { order, at, claim, output, parts } = of;
  const bounds = startBounds(of);
  const listener = listenTo({ order, at, parts });
  try {
    const env = workerEnvironment(order, at, process.env);
    const run = (command: CommandLine, stdin: string | null, stallMs: Ms | null, hear?: (part: Buffer) => void) =>
      runProcess({
        ...(hear === undefined ? {} : { hear }),
        command,
        cwd: order.worktree,
        env,
        stdin,
        folder: at.folder,
        output,
        parts,
        started: (agent) => replaceFile(join(at.folder, LEG_FILES.claim), json({ ...claim, agent } satisfies Claim)),
        reasonToEnd: () => bounds.passed(stallMs),
      });
    if (order.setup !== null && !isSetUp(order)) {
      const end = await run(order.setup, null, null);
      if (end.ending !== "exit" || end.exit_code !== 0) return { ...setupFailed(end), gate_ms: 0 };
      noteSetUp(order);
    }
    const prompt = order.program.prompt === "stdin" ? join(at.run, RUN_FILES.prompt) : null;
    const end = await run(order.program.command, prompt, order.program.stallMs, listener?.hear);
    return { ...end, gate_ms: bounds.gateMs(), ...(listener === null ? {} : { said: listener.end() }) };
  } finally {
    bounds.close();
  }
}

function setupFailed(end: ProcessEnd): ProcessEnd {
  if (end.ending === "stopped") return end;
  const how = end.ending === "exit" ? `ended with ${end.signal ?? `exit ${end.exit_code}`}` : (end.why ?? end.ending);
  return { ...end, ending: "setup-failed", why: `setup ${how}` };
}

const iso = (wall: number): string => new Date(wall).toISOString();
