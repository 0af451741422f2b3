#!/usr/bin/env node
// A worker of Pawl that solves a merge conflict: it merges the base into the task's branch, keeps both sides where they
// collide, and lets the tests judge. Copy it where two changes add to the same list more often than they disagree.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const run = (file, ...args) => execFileSync(file, args, { encoding: "utf8" }).trim();
const git = (...args) => run("git", ...args);
const say = (status, percent, activity) =>
  run("pawl", "progress", "--status", status, "--percent", String(percent), "--activity", activity);

// the commit of the base that the branch conflicts with; on another round there may be none any more
const { PAWL_BASE: base, PAWL_MERGE: tip = base, PAWL_TASK: task, PAWL_PROMPT: prompt } = process.env;

/** The two sides of each conflict, one after the other. */
const bothSides = (text) => text.replace(/^(<{7}|={7}|>{7})( .*)?\n/gm, "");

function merge() {
  try {
    git("merge", "--quiet", "--no-edit", tip);
    return [];
  } catch {
    return git("diff", "--name-only", "--diff-filter=U").split("\n").filter(Boolean);
  }
}

try {
  const finding = /^- F\d+.*$/m.exec(readFileSync(prompt, "utf8"))?.[0] ?? "no finding";
  console.log(`asked to solve: ${finding}`);
  say("implementing", 30, `merging ${base}`);
  const files = merge();
  for (const file of files) writeFileSync(file, bothSides(readFileSync(file, "utf8")));
  if (files.length > 0) {
    say("implementing", 60, `keeping both sides in ${files.join(" and ")}`);
    git("add", "--", ...files);
    git("commit", "--quiet", "-m", `${task}: merge ${base}, both sides kept in ${files.join(" and ")}`);
  }
  say("testing", 80, "running every test of the commands");
  run("sh", "-c", "node --test test/shop*.test.js");
  run("pawl", "verdict", "pass");
} catch (error) {
  run("pawl", "verdict", "fail", "-m", `${task} is not resolved: ${error.stdout || error.message}`.slice(0, 2_000));
}
