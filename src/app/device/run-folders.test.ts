import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { findRunFolder } from "./run-folders.ts";

function runs(...folders: readonly string[]): string {
  const root = join(scratch(), "runs");
  for (const folder of folders) {
    const file = join(root, folder, "trajectory.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "{}");
  }
  mkdirSync(join(root, "task-1/101-implement-a1/device"), { recursive: true });
  return root;
}
const ALL = [
  "phone-7f3a",
  "task-1/99-implement-a2/device",
  "task-1/100-implement-a1/device",
  "task-1/100-implement-a10/device",
  "task-1/100-implement-a9/device",
];

it("a run is found by its number, its name, its path, or its task, whose newest with a trajectory is meant", () => {
  const root = runs(...ALL);
  const find = (named: string) => findRunFolder(root, named, root);
  expect(find("7f3a")).toBe(join(root, "phone-7f3a"));
  expect(find("phone-7f3a")).toBe(join(root, "phone-7f3a"));
  expect(find("task-1/99-implement-a2/device")).toBe(join(root, "task-1/99-implement-a2/device"));
  expect(find("task-1")).toBe(join(root, "task-1/100-implement-a10/device"));
});

it("one that is not there is told with those that are, tasks too", () => {
  const root = runs(...ALL);
  expect(() => findRunFolder(root, "task-2", root)).toThrowError(
    expect.objectContaining({ code: "RUN_UNKNOWN", next: "take one of phone-7f3a, task-1." }),
  );
  const none = scratch();
  expect(() => findRunFolder(none, "task-1", none)).toThrowError(
    expect.objectContaining({ next: "pawl device run GOAL --on TARGET makes one." }),
  );
});
