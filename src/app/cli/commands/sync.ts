import { PawlError } from "../../../domain/errors.ts";
import type { Task } from "../../../domain/task.ts";
import { tasksFolder } from "../../config/assemble.ts";
import { readPawlFile } from "../../config/read-pawl-file.ts";
import { issuesAt } from "../../intake/issues-at.ts";
import { FOREIGN } from "../../intake/plan.ts";
import { carryOut, type Round, readRounds } from "../../intake/sync.ts";
import { writeBack } from "../../intake/write-back.ts";
import type { Context } from "../context.ts";
import { EXIT, exitCodeOf } from "../exit-code.ts";
import { type Told, tellSync } from "../sync-report.ts";

type Options = { readonly dry?: boolean };

/**
 * `pawl sync`: issues become task files, and change them when they change; a file that was edited here stays. Issues of an
 * intake with `write_back` are told where their task is. All is read before anything is written. An intake that cannot be
 * read holds no other one up: each is named, and the exit code is the first one's.
 */
export async function run(ctx: Context, _args: readonly string[], { dry = false }: Options): Promise<number> {
  const repo = await ctx.repo();
  const { file, root, errors } = readPawlFile(repo, false);
  const faults = [...errors, ...root.text.faults];
  if (faults.length > 0) return ctx.fail(faults);
  if ((file.intake ?? []).length === 0) throw nothingNamed();
  const { signal } = new AbortController();
  const read = await readRounds({
    ...{ repo, folder: tasksFolder(file), from: file.intake ?? [], signal },
    issuesFor: (spec) => issuesAt(spec, { pawl: file, env: ctx.env }),
  });
  const { rounds } = read;
  const failed = read.failed.map(({ error }) => error);
  if (rounds.length === 0) return ctx.fail(failed);
  if (!dry) for (const { steps } of rounds) for (const step of steps) carryOut(repo, step);
  const told = dry ? [] : await tellBack(ctx, rounds, signal);
  tellSync(ctx, { dry, rounds, told, failed });
  if (failed.length > 0) return ctx.flags.json ? exitCodeOf(failed[0]) : ctx.fail(failed);
  return told.some(({ back }) => back.kind === "not") ? EXIT.no : EXIT.done;
}

/** What has begun is told; what nobody has picked up yet has nothing to tell. A processor that runs tells by itself. */
async function tellBack(ctx: Context, rounds: readonly Round[], signal: AbortSignal): Promise<readonly Told[]> {
  const asked = rounds.filter(({ spec }) => spec.writeBack);
  const tasks = asked.length === 0 ? new Map<string, Task>() : await tasksAtRest(ctx);
  const told: Told[] = [];
  for (const { issues, steps } of asked)
    for (const { taken, why } of steps) {
      const task = tasks.get(taken.id);
      if (task === undefined || task.status === "not-started" || why === FOREIGN) continue;
      told.push({ id: taken.id, back: await writeBack(issues, { number: taken.issue.number, task, signal }) });
    }
  return told;
}

/** Without a store nothing has begun; two who tell at once could write two comments. */
async function tasksAtRest(ctx: Context): Promise<ReadonlyMap<string, Task>> {
  const { openStoreHere, sceneOver } = await import("../look/scene.ts");
  const here = await openStoreHere(ctx).catch((error: unknown) => {
    if (error instanceof PawlError && error.code === "STORE_MISSING") return null;
    throw error;
  });
  if (here === null) return new Map();
  try {
    if ((await here.reader.holder())?.alive) return new Map();
    const { tasks } = await sceneOver(here.reader, { holder: null });
    return new Map(tasks.map((task) => [task.id, task]));
  } finally {
    await here.reader.close();
  }
}

const nothingNamed = (): PawlError =>
  new PawlError("INTAKE_MISSING", "pawl.yaml names no issues to be taken", {
    next: "write intake: [{github: {repo: OWNER/NAME, label: pawl}}], or gitlab: {repo: GROUP/NAME, label: pawl}.",
  });
