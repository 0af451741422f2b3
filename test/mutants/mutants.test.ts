import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AGENTS } from "./agents.ts";
import { DEVICE } from "./device.ts";
import { DEVICE_ANSWERS } from "./device-answers.ts";
import { FORGE } from "./forge.ts";
import { LARGE } from "./large.ts";
import { PROCESSOR } from "./processor.ts";
import { REACH } from "./reach.ts";
import { WORKER } from "./worker.ts";
import { WORKSPACE } from "./workspace.ts";

const ALL = [
  ...AGENTS,
  ...DEVICE,
  ...DEVICE_ANSWERS,
  ...FORGE,
  ...LARGE,
  ...PROCESSOR,
  ...REACH,
  ...WORKER,
  ...WORKSPACE,
];

test("every fault of npm run mutants can be put in: its text stands in its file, once", () => {
  const times = ({ file, find }: (typeof ALL)[number]) => readFileSync(file, "utf8").split(find).length - 1;
  expect(ALL.filter((mutant) => times(mutant) !== 1).map(({ id, file }) => `${id} in ${file}`)).toEqual([]);
});
