import type { TaskId } from "../../src/domain/names.ts";
import type { TaskFile } from "../../src/protocol/task-file.ts";

/** A task file as the store keeps it, with what the test says of it. */
export const aFile = (id: string, change: Partial<TaskFile> = {}): TaskFile => ({
  id: id as TaskId,
  path: `tasks/${id}.md`,
  title: `The work of ${id}`,
  body: `What ${id} is about.`,
  type: null,
  specification: null,
  acceptanceCriteria: [{ id: "AC-001", text: "it works" }],
  testDelta: { add: [], update: [], regression: [] },
  authorizedFiles: ["src/**"],
  timeoutMinutes: 60,
  agents: {},
  environment: null,
  labels: [],
  source: null,
  filled: [],
  extra: {},
  ...change,
});
