import { expect, it } from "vitest";
import { whyLeft } from "./left-in-inbox.ts";

const STATUS = { "task-1": "in-progress", "task-2": "not-started", "task-3": "completed" } as const;
const around = {
  repo: "/r",
  inbox: "/r/.pawl/inbox",
  asking: ["task-1"],
  statusOf: (id: string) => STATUS[id as keyof typeof STATUS] ?? null,
};

it.each([
  ["task-1.aprove", ".pawl/inbox/task-1.aprove is not read: an answer is called task-1.approve"],
  ["task-1.Reject.txt", ".pawl/inbox/task-1.Reject.txt is not read: an answer is called task-1.reject"],
  ["notes", ".pawl/inbox/notes is not read: an answer is called task-1.approve or task-1.reject"],
  ["tsak-1.approve", ".pawl/inbox/tsak-1.approve is not read: no task is called tsak-1; write task-1.approve"],
  ["other.reject", ".pawl/inbox/other.reject is not read: no task is called other"],
  ["task-2.approve", ".pawl/inbox/task-2.approve lies there until task-2 waits for an answer"],
  ["task-3.approve", ".pawl/inbox/task-3.approve is not read: task-3 is completed"],
  ["task-1.approve", null],
])("of %s it is said: %s", (name, why) => expect(whyLeft(name, around)).toBe(why));
