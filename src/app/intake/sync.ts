import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFile, replaceFile } from "../../adapters/agents/files.ts";
import type { Issues } from "../../adapters/forge/remote/issue.ts";
import { PawlError } from "../../domain/errors.ts";
import type { IntakeSpec } from "../../ports/settings.ts";
import { type TaskFolder, taskFolder } from "../config/task-folder.ts";
import { type Step, stepFor } from "./plan.ts";
import { take } from "./take.ts";
import { isAsWritten } from "./task-text.ts";

/** One repository of `intake:`, and what a sync does with its issues. */
export interface Round {
  readonly spec: IntakeSpec;
  readonly issues: Issues;
  readonly steps: readonly Step[];
  /** why some issues may not be among them; null: all are */
  readonly missing: string | null;
}

/** An intake that could not be read; the error names its repository. */
export interface Failed {
  readonly spec: IntakeSpec;
  readonly error: PawlError;
}

export interface Intake {
  /** absolute path of the main checkout */
  readonly repo: string;
  /** of the task files, from there */
  readonly folder: string;
  readonly from: readonly IntakeSpec[];
  readonly issuesFor: (spec: IntakeSpec) => Promise<Issues>;
  /** keeps task files from one reading to the next */
  readonly files?: TaskFolder;
  readonly signal: AbortSignal;
}

/** What every issue comes to, beside what is here. Writes nothing. No intake waits for another one, or fails with it. */
export async function readRounds(of: Intake): Promise<{ rounds: readonly Round[]; failed: readonly Failed[] }> {
  const { repo, folder, from, signal } = of;
  const tasks = (await (of.files ?? taskFolder(repo)).read(folder)).flatMap(({ id, file }) =>
    id === null ? [] : [[id.name, file] as const],
  );
  const known = new Set(tasks.map(([id]) => id));
  const files = new Map(tasks.map(([id, file]) => [id.toLowerCase(), file]));
  const there = (id: string) => {
    const file = files.get(id.toLowerCase());
    return file === undefined ? null : { file, text: readFileSync(join(repo, file), "utf8") };
  };
  const read = from.map(async (spec): Promise<Round | Failed> => {
    try {
      const issues = await of.issuesFor(spec);
      const { taken, missing } = await take(spec, { issues, known, signal });
      return { spec, issues, steps: taken.map((one) => stepFor(one, there(one.id), folder)), missing };
    } catch (error) {
      return { spec, error: named(spec, error) };
    }
  });
  const all = await Promise.all(read);
  return { rounds: all.filter((one) => "steps" in one), failed: all.filter((one) => "error" in one) };
}

/** With the repository that it is about: there may be several. What is no answer of a forge's goes on as it is. */
function named({ kind, repo }: IntakeSpec, error: unknown): PawlError {
  if (!(error instanceof PawlError)) throw error;
  const { next, data, retryable } = error;
  return new PawlError(error.code, `issues of ${kind} ${repo}: ${error.message}`, {
    ...{ data, retryable },
    ...(next === null ? {} : { next }),
  });
}

/** Whether it was done: a file that came to be, or was edited here, meanwhile stays as it is. */
export function carryOut(repo: string, { does, file, text }: Step): boolean {
  const path = join(repo, file);
  if (does === "write") {
    mkdirSync(dirname(path), { recursive: true });
    return createFile(path, text);
  }
  if (does !== "update" || !existsSync(path) || !isAsWritten(readFileSync(path, "utf8"))) return false;
  replaceFile(path, text);
  return true;
}
