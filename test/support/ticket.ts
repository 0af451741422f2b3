import type { Instant } from "../../src/domain/names.ts";
import type { Assignment } from "../../src/protocol/assignment.ts";
import type { JournalRecord } from "../../src/tactics/record.ts";
import { newWorker, type WorkerState } from "../../src/tactics/worker-state.ts";

/** A ticket that lacks nothing: `add` subtracts, and one suite says so. */
export const ticket = (over: Partial<Assignment> = {}): Assignment => ({
  message_type: "TASK_ASSIGNMENT",
  version: 1,
  agent_id: "agent-1",
  task_id: "task-1",
  run: "task-1/1/1",
  leg: "task-1/1/1.1",
  phase: "implement",
  role: "implementer",
  round: 0,
  title: "add adds",
  body: "`add` subtracts. Mend it.",
  acceptance_criteria: [{ id: "AC-001", text: "add(1, 2) is 3" }],
  test_delta: { add: [], update: [], regression: [{ name: "suite", command: "sh suite.sh" }] },
  authorized_files: ["src/**"],
  timeout_minutes: 60,
  findings: [],
  notes: [],
  worktree: "",
  branch: "main",
  base: "main",
  ...over,
});

/** Noon of a day of 2026. */
export const NOON = Date.UTC(2026, 10, 28, 12) as Instant;

export const began = (assignment = ticket()): Extract<JournalRecord, { r: "began" }> => ({
  r: "began",
  at: NOON,
  assignment,
  head: "b".repeat(40),
  models: { planner: "scripted/mind", executor: "scripted/mind", compaction: "scripted/mind" },
  run_id: "r-1",
  run_log: "120000-20261128-task-1-1.json",
});

/** A worker that has just begun, with what a test needs otherwise. */
export const worker = (over: Partial<WorkerState> = {}, assignment = ticket()): WorkerState => ({
  ...newWorker(began(assignment)),
  ...over,
});
