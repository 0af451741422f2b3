import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "../../../../test/support/scratch.ts";
import { systemProcesses } from "../../../adapters/system/processes.ts";
import type { LegKey } from "../../../domain/names.ts";
import { progressOf, signOf } from "./run-folders.ts";

const LEG = "task-3/3/1.2" as LegKey;

it("a live leg is seen by its pid, its last sign of life and its own words", () => {
  const state = scratch();
  const run = join(state, "runs/task-3/03-implement-a1");
  mkdirSync(join(run, "leg-2"), { recursive: true });
  const nothing = { pid: null, lastSign: null, progress: null, ended: false };
  expect(signOf(state, LEG)).toEqual({ ...nothing, stallMs: null });
  writeFileSync(join(run, "leg-2/drive.json"), '{"program": {"stallMs": 600000}}');
  expect(signOf(state, LEG)).toEqual({ ...nothing, stallMs: 600_000 });
  writeFileSync(join(run, "progress.json"), '{"status": "testing", "percent": 80, "activity": "npm test", "more": 1}');
  writeFileSync(join(run, "leg-2/claim.json"), '{"driver": {"pid": 1}, "agent": {"pid": 4188}}');
  const sign = signOf(state, LEG);
  expect(sign).toMatchObject({ pid: 4188, progress: { status: "testing", percent: 80, activity: "npm test" } });
  expect(Date.now() - sign.lastSign!).toBeLessThan(60_000);
  writeFileSync(join(run, "leg-2/ended.json"), "{}");
  expect(signOf(state, LEG)).toMatchObject({ pid: null, progress: null, ended: true });
  expect(signOf(state, "task-4/1/1.1" as LegKey)).toEqual({ pid: null, lastSign: null, progress: null, ended: false });
});

it("a leg that died with its driver is not at work, although nobody wrote its end", () => {
  const state = scratch();
  const folder = join(state, "runs/task-3/03-implement-a1/leg-2");
  mkdirSync(folder, { recursive: true });
  const here = systemProcesses().self;
  const gone = { ...here, startedAt: "1" };
  const claim = (driver: object, agent: object | null) =>
    writeFileSync(join(folder, "claim.json"), JSON.stringify({ driver, agent }));
  claim(gone, gone);
  expect(signOf(state, LEG)).toMatchObject({ pid: null, ended: true });
  claim(gone, null);
  expect(signOf(state, LEG)).toMatchObject({ pid: null, ended: true });
  claim(gone, here);
  expect(signOf(state, LEG)).toMatchObject({ pid: here.pid, ended: false });
  claim(here, gone);
  expect(signOf(state, LEG)).toMatchObject({ ended: false });
});

it.each([
  ["half written", '{"status": "impl'],
  ["no object", "[1, 2]"],
  ["without a percent", '{"status": "testing"}'],
  ["from nowhere", '{"percent": 1e999}'],
  ["100 KiB", JSON.stringify({ percent: 5, activity: "x".repeat(100_000) })],
])("a progress file that is %s is no progress", (_name, text) => {
  const path = join(scratch(), "progress.json");
  writeFileSync(path, text);
  expect(progressOf(path)).toBeNull();
});

it("percents are bounded, odd texts are left out, links are not followed", () => {
  const folder = scratch();
  const [path, link] = [join(folder, "progress.json"), join(folder, "link.json")];
  writeFileSync(path, '{"percent": 400, "status": 7, "activity": {"a": 1}}');
  symlinkSync(path, link);
  expect(progressOf(path)).toEqual({ status: "at work", percent: 100, activity: "" });
  expect(progressOf(link)).toBeNull();
});
