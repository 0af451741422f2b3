import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../../../test/support/scratch.ts";

/** Says when a part of the driver is loaded. */
const HOOK = `const { Module } = require("node:module");
const load = Module._load;
Module._load = function (name, ...rest) {
  if (name.startsWith("pg")) console.error("loaded " + name);
  return load.call(this, name, ...rest);
};`;

test.each([
  [["--version"], false],
  [["status"], false],
  [["run", "--dry"], false],
  [["status", "--store", "postgres://127.0.0.1:1/x"], true],
])("pawl %j loads the driver: %s", (args, loads) => {
  const { repo } = repository({ "pawl.yaml": "agents: {default: {command: git status}}\n" });
  const hook = join(repo, "hook.cjs");
  writeFileSync(hook, HOOK);
  const words = ["--require", hook, resolve("dist/cli.mjs"), ...args];
  const { stderr } = spawnSync(process.execPath, words, { cwd: repo, encoding: "utf8" });
  expect(/^loaded pg/m.test(stderr)).toBe(loads);
});
