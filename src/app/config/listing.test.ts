import { linkSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { scratch, write } from "../../../test/support/scratch.ts";
import { type Listed, listing } from "./listing.ts";
import { list } from "./look-at-files.ts";

function folder(): string {
  const path = scratch();
  write(path, { "a.md": "a", "b.yaml": "b", "c.txt": "c", "elsewhere/d.md": "d", "z.md": "z" });
  mkdirSync(join(path, "folder.md"));
  symlinkSync("elsewhere/d.md", join(path, "link.md"));
  symlinkSync("nowhere", join(path, "lost.md"));
  linkSync(join(path, "z.md"), join(path, "twin.md"));
  return path;
}
/** Whole, in one go. */
function now(path: string): Listed {
  const steps = listing(path);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

test("names what may be configuration in order, with links and second names as odd", async () => {
  const path = folder();
  const { names, seen, stamps } = await list(path);
  expect(names).toEqual(["a.md", "b.yaml", "folder.md", "link.md", "lost.md", "twin.md", "z.md"]);
  // a folder has more names than one, too
  expect(seen.files?.odd.map(([name]) => name)).toEqual(["folder.md", "link.md", "lost.md", "twin.md", "z.md"]);
  expect([stamps.length, stamps.at(0)[1], stamps.at(3)[1]]).toEqual([7, 1, 1]);
  expect((await list(join(path, "none"))).names).toEqual([]);
});

test("is another one when a name, a size or a time is, and else the same", () => {
  const path = folder();
  const sums = [now(path).sum, now(path).sum];
  const sum = () => sums.push(now(path).sum);
  utimesSync(join(path, "a.md"), 1, 1);
  sum();
  write(path, { "b.yaml": "bb" });
  sum();
  write(path, { "elsewhere/d.md": "dd" });
  sum();
  write(path, { "new.md": "n" });
  sum();
  expect(sums[1]).toBe(sums[0]);
  expect(new Set(sums).size).toBe(5);
});

test("is the same from a thread of its own, which ends then", async () => {
  const path = folder();
  const worker = new Worker(resolve("dist/list-worker.mjs"), { workerData: path });
  const ended = new Promise((done) => worker.once("exit", done));
  const listed = await new Promise<Listed>((done) => worker.once("message", done));
  const { stamps, ...here } = now(path);
  const { stamps: theirs, ...there } = listed;
  expect([there, Buffer.from(theirs).equals(stamps)]).toEqual([here, true]);
  expect(await ended).toBe(0);
});
