import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { watchFiles } from "./watch.ts";

const MORE_THAN_ARE_LOOKED_AT_EACH_TIME = 1_001;

/** A folder with many files, watched; `told` resolves with the hint that follows a change. */
async function watchedFolder() {
  const root = scratch();
  const tasks = join(root, "tasks");
  fill(tasks);
  writeFileSync(join(root, "elsewhere"), "one");
  symlinkSync(join(root, "elsewhere"), join(tasks, "link.md"));
  linkSync(join(tasks, "t1.md"), join(root, "other-name"));
  const stop = new AbortController();
  const hints = watchFiles({ paths: () => [tasks], root, signal: stop.signal });
  const told = async (change: () => void) => {
    const hint = hints.next();
    change();
    return (await hint).done;
  };
  await hints.next();
  return { root, tasks, told, end: () => stop.abort() };
}
function fill(folder: string): void {
  mkdirSync(folder);
  for (let i = 0; i < MORE_THAN_ARE_LOOKED_AT_EACH_TIME; i++) writeFileSync(join(folder, `t${i}.md`), "one");
}

test("of many files a change is told, whatever name of the file it is made by, and whichever folder came to their place", async () => {
  const { root, tasks, told, end } = await watchedFolder();
  expect(await told(() => writeFileSync(join(tasks, "t7.md"), "two"))).toBe(false);
  expect(await told(() => writeFileSync(join(root, "elsewhere"), "three"))).toBe(false);
  expect(await told(() => writeFileSync(join(root, "other-name"), "three"))).toBe(false);
  const moved = () => {
    renameSync(tasks, join(root, "old"));
    fill(tasks);
  };
  expect(await told(moved)).toBe(false);
  expect(await told(() => writeFileSync(join(tasks, "t7.md"), "four"))).toBe(false);
  end();
});
