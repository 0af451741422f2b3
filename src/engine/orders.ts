import type { Amount } from "../domain/budget.ts";
import { PawlError } from "../domain/errors.ts";
import type { Intent, SpawnWish, WantedIntent } from "../domain/intent.ts";
import type { BlobHash, MapHash } from "../domain/names.ts";
import type { PhaseMap } from "../domain/phase.ts";
import type { Purpose, Task } from "../domain/task.ts";
import { openFindings } from "../domain/task.ts";
import type { Brief, CommandLine } from "../ports/runtime.ts";
import type { AgentSpec, Settings } from "../ports/settings.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { TaskFile } from "../protocol/task-file.ts";
import { composePrompt } from "./prompt.ts";
import { pullRequestBody } from "./pull-request.ts";

export interface Wardrobe {
  readonly settings: Settings;
  row(id: Task["id"]): Task;
  /** a map that a row is on: not always one that the settings still have */
  map(hash: MapHash): PhaseMap;
  /** the task file behind a row; `fresh`: texts of this very tick, which the store does not have yet */
  file(task: Task, fresh: ReadonlyMap<BlobHash, Uint8Array>): Promise<TaskFile>;
  hash(bytes: Uint8Array): BlobHash;
  /** keeps a text near: its effect is performed next */
  keep(hash: BlobHash, bytes: Uint8Array): void;
  /** what an intent was given when it was decided first: only where a log is decided again */
  logged?(intent: WantedIntent): Dressed | Undressed;
}
export interface Dressed {
  readonly intent: Intent;
  readonly blob: { readonly hash: BlobHash; readonly bytes: Uint8Array } | null;
}
/** Configuration that it needs is gone. */
export interface Undressed {
  readonly why: string;
}

const LOG_BYTES = 64 * 1024 * 1024;
type Program = Brief["program"];

/** Gives an intent its texts: a spawn its brief, a pull request its body. From then on it is frozen. */
export async function dress(
  intent: WantedIntent,
  wardrobe: Wardrobe,
  fresh: ReadonlyMap<BlobHash, Uint8Array>,
): Promise<Dressed> {
  if (intent.kind !== "spawn" && intent.kind !== "open-pr") return { intent, blob: null };
  if ("brief" in intent) return { intent, blob: null }; // a later leg: its run's
  const task = wardrobe.row(intent.task);
  const file = await wardrobe.file(task, fresh);
  const text =
    intent.kind === "spawn"
      ? JSON.stringify(briefOf(intent.wish, { task, file, settings: wardrobe.settings, map: wardrobe.map(task.map!) }))
      : pullRequestBody(task, file);
  const bytes = new TextEncoder().encode(text);
  const hash = wardrobe.hash(bytes);
  wardrobe.keep(hash, bytes);
  const dressed: Intent = intent.kind === "spawn" ? { ...intent, brief: hash } : { ...intent, body: hash };
  return { intent: dressed, blob: { hash, bytes } };
}

interface Cloth {
  readonly task: Task;
  readonly file: TaskFile;
  readonly settings: Settings;
  readonly map: PhaseMap;
}

function briefOf(wish: SpawnWish, cloth: Cloth): Brief {
  const { settings, file, task } = cloth;
  const authorized = file.authorizedFiles;
  const checks = wish.purpose === "agent" ? settings.checks : [];
  const parts = {
    role: wish.who,
    roleText: settings.roles[wish.who] ?? "",
    file,
    task,
    authorized,
    protect: settings.protect,
  };
  const lines = checks.map((check) => shown(check.run));
  return {
    assignment: assignmentOf(wish, cloth),
    prompt: wish.purpose === "agent" ? composePrompt({ ...parts, checks: lines }) : "",
    program: programOf(wish, cloth),
    setup: wish.place.kind === "worktree" || wish.purpose !== "ask" ? settings.worktree.setup : null,
    copy: settings.worktree.copy,
    env: [...settings.env, ...passedTo(wish, cloth)],
    authorized,
    protect: settings.protect,
    waived: waivedPaths(task),
    checks,
    logBytes: LOG_BYTES,
  };
}

/** What a person waived of the bounds of the work (keys of the host's findings). */
const waivedPaths = ({ findings }: Task): readonly string[] =>
  findings.flatMap(({ state, key, file }) =>
    state === "waived" && file !== undefined && /^(scope|left):/.test(key ?? "") ? [file] : [],
  );

const shown = (command: CommandLine): string => (typeof command === "string" ? command : command.join(" "));

function agentOf(role: string, { settings, file }: Pick<Cloth, "settings" | "file">): AgentSpec | undefined {
  const name = file.agents[role] ?? settings.cast[role] ?? settings.cast.default;
  return name === undefined ? undefined : settings.agents[name];
}

/** What an agent's keys are found by is passed on to that agent alone. */
const passedTo = ({ purpose, who }: SpawnWish, cloth: Cloth): readonly string[] =>
  purpose === "agent" ? (agentOf(who, cloth)?.passes ?? []) : [];

function programOf({ purpose, who, phase }: SpawnWish, { settings, task, file, map }: Cloth): Program {
  if (purpose === "agent") {
    const agent = agentOf(who, { settings, file });
    if (agent === undefined)
      throw new PawlError("AGENT_MISSING", `no agent plays the role ${who} of ${task.id}`, {
        next: `add agents.${who} or agents.default to pawl.yaml`,
      });
    return {
      command: agent.command,
      prompt: agent.prompt,
      verdict: agent.verdict,
      ...(agent.output === undefined ? {} : { output: agent.output }),
      stallMs: agent.stallMs,
      env: agent.env,
      ...(agent.screen === undefined ? {} : { isOnScreen: true as const }),
    };
  }
  return {
    command: commandOf(purpose, who, { settings, map, phase, task }),
    prompt: "file",
    verdict: "exit",
    stallMs: null,
    env: {},
  };
}

function commandOf(
  purpose: Exclude<Purpose, "agent">,
  who: string,
  { settings, map, phase, task }: { settings: Settings; map: PhaseMap; phase: string; task: Task },
): CommandLine {
  if (purpose === "check") {
    const check = map.phases[phase]?.check;
    if (check) return check;
    throw new PawlError("CHECK_MISSING", `phase ${phase} of ${task.id} has no check any more`, {
      next: "put `check:` back into the map",
    });
  }
  const action = settings.actions[who];
  const command = purpose === "ask" ? action?.check : action?.command;
  if (command) return command;
  throw new PawlError("ACTION_MISSING", `action ${who} of ${task.id} is not configured any more`, {
    next: `put actions.${who} back into pawl.yaml`,
  });
}

function assignmentOf(wish: SpawnWish, { task, file, settings }: Cloth): Assignment {
  const open = openFindings(task);
  return {
    message_type: "TASK_ASSIGNMENT",
    version: 1,
    agent_id: `${wish.who}-${wish.run}`,
    task_id: task.id,
    run: wish.run,
    leg: wish.leg,
    phase: wish.phase,
    role: wish.who,
    round: wish.round,
    title: task.terms.title,
    body: file.body,
    ...(file.specification === null ? {} : { specification: file.specification }),
    acceptance_criteria: file.acceptanceCriteria,
    test_delta: file.testDelta,
    authorized_files: file.authorizedFiles,
    timeout_minutes: Math.max(wish.wallMs / 60_000, 0.001),
    findings: open.map(({ label, text, file: path, line }) => ({
      id: label,
      text,
      ...(path === undefined ? {} : { file: path }),
      ...(line === undefined ? {} : { line }),
    })),
    notes: task.notes.map((note) => note.text),
    worktree: "",
    branch: task.terms.branch,
    base: task.terms.base,
    ...(wish.place.kind === "worktree" && wish.place.merge !== null ? { merge: wish.place.merge } : {}),
    ...budgetOf(wish.reserve),
    ...(settings.sendsBack === undefined ? {} : { limits: settings.sendsBack }),
    ...(file.filled.length === 0 ? {} : { filled: file.filled }),
  };
}

function budgetOf({ microUsd, tokens, wallMs }: Amount): Pick<Assignment, "budget"> {
  if (microUsd === 0 && tokens === 0) return {};
  return {
    budget: {
      ...(microUsd > 0 ? { cost_usd: microUsd / 1e6 } : {}),
      ...(tokens > 0 ? { tokens } : {}),
      wall_ms: wallMs,
    },
  };
}
