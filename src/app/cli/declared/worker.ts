import type { Declared } from "./declared.ts";

const GROUP = "In a worker";

/** What a worker calls. */
export const WORKER: readonly Declared[] = [
  {
    usage: "check",
    group: GROUP,
    summary: "run the configured checks, and look up the report's evidence; in a worker, write the verdict",
    options: [["--model <name>", "let this model read the change against the ticket's criteria too"]],
    exits: [1, 4, 130],
    load: () => import("../commands/check.ts"),
  },
  {
    usage: "progress",
    group: GROUP,
    summary: "say how far the work is",
    options: [
      ["--status <status>", "initializing, researching, planning, implementing, testing, reporting …"],
      ["--percent <n>", "0 to 100, within the status's range"],
      ["--activity <text>", "what is being done"],
      ["--cost <usd>", "US dollars spent so far"],
      ["--tokens <n>", "tokens spent so far"],
    ],
    load: () => import("../commands/progress.ts"),
  },
  {
    usage: "submit <what> <file>",
    group: GROUP,
    summary:
      "hand in a plan or a report (JSON), and print the owner's answer; 0: GO or NEXT, 1: it says otherwise, 5: none yet",
    options: [["--wait <duration>", "how long the answer is waited for (default: 10s)"]],
    exits: [1, 5],
    load: () => import("../commands/submit.ts"),
  },
  {
    usage: "verdict <verdict>",
    group: GROUP,
    summary: "end the work: pass, fail, no-change or blocked",
    options: [
      ["-m, --message <text>", "the detail: required unless the verdict is pass"],
      ["--complete", "these findings are all there are"],
    ],
    repeated: [["--finding <text>", '"file:line: text", or only the text (again for each)']],
    load: () => import("../commands/verdict.ts"),
  },
];
