import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openReader } from "../../src/adapters/store/index.ts";
import { compose, type Processor } from "../../src/app/compose.ts";
import type { Fact, TaskFact } from "../../src/domain/fact.ts";
import { isTaskFact } from "../../src/domain/fact.ts";
import type { Command } from "../../src/domain/input.ts";
import type { Instant, TaskId } from "../../src/domain/names.ts";
import type { Task } from "../../src/domain/task.ts";
import type { Parts, Ticked, Until } from "../../src/engine/parts.ts";
import type { Reply } from "../../src/ports/inbox.ts";
import { copyOf, scratch } from "./scratch.ts";

export interface ProjectOptions {
  /** pawl.yaml */
  readonly config: string;
  /** id -> task file; a text without front matter gets the id as title */
  readonly tasks: Readonly<Record<string, string>>;
  /** worker scripts (made executable) and other files */
  readonly files?: Readonly<Record<string, string>>;
  readonly origin?: boolean;
}

/** A real repository with a backlog: worker programs are committed with it, under agents/. */
export function project({ config, tasks, files = {}, origin = true }: ProjectOptions) {
  const backlog = Object.fromEntries(
    Object.entries(tasks).map(([id, text]) => [
      `tasks/${id}.md`,
      text.startsWith("---") ? text : `---\ntitle: ${id}\n---\n${text}\n`,
    ]),
  );
  const commits = {
    Start: { "README.md": "a project\n", "pawl.yaml": config },
    Backlog: { ...backlog, ...files },
  };
  const programs = Object.keys(files).filter((path) => path.startsWith("agents/"));
  const made = copyOf({ commits, origin, programs }, scratch());
  return { repo: made.repo, origin: made.origin ?? made.repo, state: join(made.repo, ".pawl") };
}

/** A processor at work in this process, on real parts; its facts can be waited for. */
export interface Watched {
  readonly processor: Processor;
  readonly facts: readonly Fact[];
  readonly said: readonly string[];
  readonly ticks: readonly Ticked[];
  /** the first fact (also an earlier one) of that kind that fits; fails the test after `ms` */
  fact<K extends TaskFact["kind"]>(
    kind: K,
    task?: string,
    fits?: (fact: Extract<TaskFact, { kind: K }>) => boolean,
    ms?: number,
  ): Promise<Extract<TaskFact, { kind: K }>>;
  task(id: string): Task;
  /** turns in the background; resolves with how it ended */
  run(until?: Until): Promise<unknown>;
  stop(): Promise<void>;
}

export async function start(
  repo: string,
  options: { wrap?: (parts: Parts) => Parts; only?: ReadonlySet<TaskId> } = {},
): Promise<Watched> {
  const facts: Fact[] = [];
  const ticks: Ticked[] = [];
  const said: string[] = [];
  const waiting = new Set<() => void>();
  const processor = await compose({
    repo,
    overrides: {},
    pawl: [process.execPath, join(process.cwd(), "dist", "cli.mjs")],
    build: "test",
    say: (line) => said.push(line),
    ...(options.wrap ? { wrap: options.wrap } : {}),
    ...(options.only ? { only: options.only } : {}),
  });
  const abort = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const last = new Map<string, Task>();
  processor.engine.listen((ticked) => {
    const rows = [...ticked.board.rows.values()];
    return () => {
      facts.push(...ticked.facts);
      ticks.push(ticked);
      for (const row of rows) last.set(row.id, row);
      for (const look of waiting) look();
    };
  });
  const stop = async () => {
    abort.abort();
    await running.catch(() => {});
    await processor.close();
  };
  onTestFinished(stop);
  return {
    processor,
    facts,
    said,
    ticks,
    fact: (kind, task, fits = () => true, ms = 20_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () =>
            end(() =>
              reject(
                new Error(
                  `no fact ${kind} of ${task ?? "any task"} within ${ms} ms; facts: ${facts.map((f) => f.kind + (isTaskFact(f) ? `(${f.task})` : "")).join(" ")}`,
                ),
              ),
            ),
          ms,
        );
        const end = (then: () => void) => {
          clearTimeout(timer);
          waiting.delete(look);
          then();
        };
        const look = () => {
          const found = facts.find(
            (fact) =>
              fact.kind === kind &&
              isTaskFact(fact) &&
              (task === undefined || fact.task === task) &&
              fits(fact as never),
          );
          if (found) end(() => resolve(found as never));
        };
        waiting.add(look);
        look();
      }),
    task(id) {
      const task = processor.engine.board.find(id as TaskId) ?? last.get(id);
      if (!task) throw new Error(`no task ${id}`);
      return last.get(id) ?? task;
    },
    run(until = "terminal") {
      running = processor.engine.run(until, abort.signal);
      return running;
    },
    stop,
  };
}

let requests = 0;
/** Another process's request, and its answer. */
export async function ask(run: Watched, task: string, command: object): Promise<Reply | null> {
  const inbox = await openReader(run.processor.settings.store);
  const id = `request-${++requests}`;
  await inbox.post({ id, by: "lead", task: task as TaskId, command: command as Command, at: Date.now() as Instant });
  await expect.poll(async () => await inbox.reply(id), { timeout: 10_000 }).not.toBe(null);
  const reply = await inbox.reply(id);
  await inbox.close();
  return reply;
}

/** A file of a run: `runFile(state, "task-1", "01-implement-a1", "prompt.md")`. */
export const runFile = (state: string, task: string, run: string, file: string): string =>
  readFileSync(join(state, "runs", task, run, file), "utf8");
export const hasRun = (state: string, task: string, run: string): boolean => existsSync(join(state, "runs", task, run));

/** A worker that writes its file and commits it: `pass`. */
export const WORKER = `#!/bin/sh -e
echo "work on $PAWL_TASK" >> "$PAWL_TASK.txt"
git add "$PAWL_TASK.txt"
git commit -qm "Work on $PAWL_TASK"
printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"
`;
/** Ends with that verdict at once. */
export const verdict = (kind: string, detail = ""): string =>
  `#!/bin/sh -e\nprintf '%s' '${JSON.stringify({ verdict: kind, detail })}' > "$PAWL_RUN_DIR/verdict.json"\n`;
