#!/usr/bin/env node
// A reviewer beside the processor: it looks at what waits for a person, reads the change, and answers with
// `pawl approve` or `pawl reject`. Copy it and put your own reading, or a model's, in the place of `complaint`.
//   node reviewer.mjs [--leave TASK]… [--after TASK=OTHER]…     in the repository; ends when all others are finished
import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { leave: { type: "string", multiple: true }, after: { type: "string", multiple: true } },
});
const leave = new Set(values.leave);
const after = new Map(values.after?.map((pair) => pair.split("=")));
const run = (file, ...args) => execFileSync(file, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** What is wrong with a change, or null: here, that somebody left a console.log in. */
function complaint(branch) {
  let file = "";
  let line = 0;
  for (const text of run("git", "diff", "--unified=0", `origin/main...${branch}`, "--", "src").split("\n")) {
    if (text.startsWith("+++ b/")) file = text.slice(6);
    else if (text.startsWith("@@")) line = Number(/\+(\d+)/.exec(text)[1]);
    else if (text.startsWith("+")) {
      if (/^\+\s*console\.log\(/.test(text)) return `${file}:${line}: a console.log is left in`;
      line++;
    }
  }
  return null;
}

function answer({ task, branch, head }) {
  const wrong = complaint(branch);
  // The head that was read goes with the answer: were there newer commits by now, it would be refused.
  const as = ["--head", head, "--as", "reviewer"];
  const said = wrong
    ? run("pawl", "reject", task, "-m", wrong, ...as)
    : run("pawl", "approve", task, "-m", "read, nothing to add", ...as);
  console.log(`reviewer: ${said}`);
}

for (;;) {
  const began = Date.now();
  try {
    const { tasks, processor } = JSON.parse(run("pawl", "status", "--json"));
    const finished = new Set(tasks.filter((one) => one.finished).map((one) => one.task));
    if (tasks.length > 0 && tasks.every(({ task }) => finished.has(task) || leave.has(task))) break;
    for (const one of tasks.filter(({ code, owner }) => code === "asking" && owner === "human")) {
      // Answers count without a processor too, but it would not see what became of them.
      if (!processor || leave.has(one.task)) continue;
      if (after.has(one.task) && !finished.has(after.get(one.task))) continue;
      answer(one);
    }
  } catch (error) {
    // No store yet, or the answer came too late: it looks again.
    if (process.env.PAWL_LOG) console.error(String(error.stderr || error));
  }
  // A busy machine is asked less often.
  await pause(Math.max(400, 1.5 * (Date.now() - began)));
}
