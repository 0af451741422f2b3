import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../../../src/protocol/answer.ts";
import { parseMessageName } from "../../../src/protocol/message-name.ts";
import { git, repository, scratch, write } from "../../support/scratch.ts";
import { ticket } from "../../support/ticket.ts";

/** A program that is to carry out an assignment, and what it finds in its repository. */
export interface Subject {
  /** a command line, through the shell */
  readonly command: string;
  readonly files: Readonly<Record<string, string>>;
  readonly assignment: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

export type Word = "GO" | "FEEDBACK" | "NEXT" | "FIX" | "FIX test" | "BLOCKED";

/** How a leg of it ended: its exit code, or the signal that it was killed by. */
export type LegEnd = number | NodeJS.Signals;

export interface WorkerStage {
  readonly repo: string;
  /** one life of the worker: the owner gives these answers, in order, and then none; `killAt`: dies where that many were handed in */
  leg(words: readonly Word[], killAt?: number): Promise<LegEnd>;
  outbox(): readonly string[];
  message(name: string): Record<string, unknown>;
  progress(): readonly { readonly status: string; readonly percent: number }[];
  verdict(): { readonly verdict: string; readonly detail: string } | null;
}

/** A worktree and a run folder as a processor makes them, and an owner who says what a test wants. */
export function workerStage({ command, files, assignment, env = {} }: Subject): WorkerStage {
  const { repo } = repository({ "README.md": "a project\n", ...files });
  git(repo, "checkout", "-q", "-b", "pawl/task-1");
  const run = join(repo, ".pawl/runs/task-1/01-implement-a1");
  const bin = join(scratch(), "bin");
  write(repo, { ".pawl/.gitignore": "*\n" });
  write(run, {
    "assignment.json": JSON.stringify({ ...ASSIGNMENT, ...assignment, worktree: repo }, null, 2),
    "prompt.md": "Do it.\n",
  });
  for (const folder of ["inbox", "outbox"]) mkdirSync(join(run, folder));
  write(bin, { pawl: `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/cli.mjs")}" "$@"\n` });
  chmodSync(join(bin, "pawl"), 0o755);
  const list = (folder: string) =>
    readdirSync(join(run, folder))
      .filter((name) => parseMessageName(name))
      .sort();
  const text = (name: string) => readFileSync(join(run, name), "utf8");
  let legs = 0;
  return {
    repo,
    outbox: () => list("outbox"),
    message: (name) => JSON.parse(text(`outbox/${name}`)) as Record<string, unknown>,
    progress: () =>
      text("progress.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as never),
    verdict: () => (existsSync(join(run, "verdict.json")) ? (JSON.parse(text("verdict.json")) as never) : null),
    async leg(words, killAt = Number.POSITIVE_INFINITY) {
      const folder = join(run, `leg-${++legs}`);
      mkdirSync(folder);
      const given = {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: repo,
        GIT_AUTHOR_NAME: "w",
        GIT_AUTHOR_EMAIL: "w@example.org",
        GIT_COMMITTER_NAME: "w",
        GIT_COMMITTER_EMAIL: "w@example.org",
        PAWL_TASK: "task-1",
        PAWL_LEG: `task-1/1/1.${legs}`,
        PAWL_LEG_DIR: folder,
        PAWL_RUN_DIR: run,
        PAWL_ASSIGNMENT: join(run, "assignment.json"),
        PAWL_PROMPT: join(run, "prompt.md"),
        PAWL_WORKTREE: repo,
        PAWL_BASE: "main",
        ...(legs > 1 ? { PAWL_RESUME: "1" } : {}),
        ...env,
      };
      const log = join(folder, "output.log");
      const child = spawn("sh", ["-c", `exec ${command} >"${log}" 2>&1`], { cwd: repo, env: given, detached: true });
      const ended = new Promise<LegEnd>((done) => child.on("exit", (code, signal) => done(code ?? signal!)));
      const left = [...words];
      for (let isOver = false; !isOver; ) {
        isOver = await Promise.race([ended.then(() => true), sleep(LOOK_MS).then(() => false)]);
        const [open] = list("outbox").slice(list("inbox").length);
        if (list("outbox").length >= killAt) process.kill(-child.pid!, "SIGKILL");
        else if (open && left.length > 0) answer(join(run, "inbox"), open, left.shift()!);
        if (list("outbox").length >= killAt) isOver = true;
      }
      return ended;
    },
  };
}
const LOOK_MS = 20;

function answer(inbox: string, to: string, word: Word): void {
  const [kind, what] = word.split(" ") as [Answer["message_type"], string?];
  const about = what ?? (kind === "FEEDBACK" ? "plan" : "code");
  const said = {
    message_type: kind,
    agent_id: "task-1",
    task_id: "task-1",
    in_reply_to: to,
    by: "a test",
    sent_at: "2026-11-29T00:00:00Z",
    ...(kind === "FEEDBACK" || kind === "FIX" ? { issues: [{ id: "I1", text: "mind the overflow", about }] } : {}),
    ...(kind === "BLOCKED" ? { reason: "the release is frozen" } : {}),
  };
  const temp = join(inbox, ".temp");
  writeFileSync(temp, JSON.stringify(said));
  renameSync(temp, join(inbox, `${to.slice(0, 3)}-${kind}.json`));
}

const ASSIGNMENT = ticket({
  agent_id: "task-1",
  body: "Do it.",
  acceptance_criteria: [{ id: "AC-001", text: "it is done" }],
  test_delta: { add: [], update: [], regression: [{ name: "suite", command: "true" }] },
  authorized_files: ["**"],
  timeout_minutes: 10,
});
