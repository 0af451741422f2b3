import type { Declared } from "./declared.ts";

const MESSAGE = ["-m, --message <text>", "what is said with it"] as const;
const HEAD = ["--head <commit>", "the commit that is meant, if not the one that is waited with"] as const;
const ANSWERS = ["--as <name>", "who answers (default: git's user.email)"] as const;
const DECIDES = ["--as <name>", "who decides (default: git's user.email)"] as const;

const GROUP = "Decide";

/** What answers a task, or decides about it. */
export const DECIDE: readonly Declared[] = [
  {
    usage: "approve <task>",
    group: GROUP,
    summary: "answer yes to what a task waits for",
    options: [MESSAGE, HEAD, ANSWERS],
    exits: [1, 3, 6],
    load: () => import("../commands/approve.ts"),
  },
  {
    usage: "reject <task>",
    group: GROUP,
    summary: "answer no, with what has to change",
    options: [MESSAGE, HEAD, ANSWERS],
    exits: [1, 3, 6],
    load: () => import("../commands/reject.ts"),
  },
  {
    usage: "go <task>",
    group: GROUP,
    summary: "let a plan be carried out (GO)",
    options: [MESSAGE, ANSWERS],
    exits: [1, 3, 6],
    load: () => import("../commands/go.ts"),
  },
  {
    usage: "feedback <task>",
    group: GROUP,
    summary: "send a plan back, with what has to become otherwise (FEEDBACK)",
    options: [MESSAGE, ANSWERS],
    exits: [1, 3, 6],
    load: () => import("../commands/feedback.ts"),
  },
  {
    usage: "next <task>",
    group: GROUP,
    summary: "accept a report (NEXT)",
    options: [MESSAGE, ANSWERS],
    exits: [1, 3, 6],
    load: () => import("../commands/next.ts"),
  },
  {
    usage: "fix <task>",
    group: GROUP,
    summary: "send work back, with what has to become otherwise (FIX)",
    options: [MESSAGE, ANSWERS],
    exits: [1, 3, 6],
    load: () => import("../commands/fix.ts"),
  },
  {
    usage: "block <task>",
    group: GROUP,
    summary: "end the work at its gate, with the reason (BLOCKED)",
    options: [MESSAGE, ANSWERS],
    exits: [1, 3, 6],
    load: () => import("../commands/block.ts"),
  },
  {
    usage: "answer <task> <text...>",
    group: GROUP,
    summary: "answer what a worker on a screen asks (ask_user)",
    options: [ANSWERS],
    exits: [1, 6],
    load: () => import("../commands/answer.ts"),
  },
  {
    usage: "waive <task> <finding>",
    group: GROUP,
    summary: "let a finding rest",
    options: [MESSAGE, DECIDES],
    exits: [1, 3, 6],
    load: () => import("../commands/waive.ts"),
  },
  {
    usage: "extend <task>",
    group: GROUP,
    summary: "give a task more time or budget",
    options: [
      ["--time <duration>", "for the running try, like 30m"],
      ["--cost <usd>", "US dollars more"],
      ["--spawns <n>", "workers more"],
      ["--tokens <n>", "tokens more"],
      DECIDES,
    ],
    exits: [1, 3, 6],
    load: () => import("../commands/extend.ts"),
  },
  {
    usage: "retry <task>",
    group: GROUP,
    summary: "try a task again, also one that failed",
    options: [["--from <phase>", "the phase to enter (default: the one it is in)"], DECIDES],
    exits: [1, 3, 6],
    load: () => import("../commands/retry.ts"),
  },
  {
    usage: "cancel <task>",
    group: GROUP,
    summary: "end a task as failed; its branch stays",
    options: [MESSAGE, DECIDES],
    exits: [1, 3, 6],
    load: () => import("../commands/cancel.ts"),
  },
];
