import type { Declared } from "./declared.ts";

const GROUP = "Look";

/** What only looks. */
export const LOOK: readonly Declared[] = [
  {
    usage: "status",
    group: GROUP,
    summary: "where every task is",
    options: [
      ["--waiting", "only what waits for you"],
      ["--failed", "only what failed"],
      ["--all", "every task, also of a backlog of more than 200"],
    ],
    exits: [3],
    load: () => import("../commands/status.ts"),
  },
  {
    usage: "show <task>",
    group: GROUP,
    summary: "one task: branch, findings, history",
    options: [
      ["--diff", "what its branch changes"],
      ["--plan", "the plan of its worker"],
      ["--findings", "every finding in full"],
      ["--prompt", "the newest prompt"],
    ],
    exits: [1, 3, 6],
    load: () => import("../commands/show.ts"),
  },
  {
    usage: "metrics",
    group: GROUP,
    summary: "counts for a monitor, in the text format of Prometheus",
    exits: [3],
    load: () => import("../commands/metrics.ts"),
  },
  {
    usage: "why [task]",
    group: GROUP,
    summary: "whose move it is, and when it is looked at",
    exits: [3, 6],
    load: () => import("../commands/why.ts"),
  },
  {
    usage: "logs <task>",
    group: GROUP,
    summary: "what its workers wrote",
    options: [
      ["-f, --follow", "go on as it grows"],
      ["--attempt <name>", "which try, like 03-a1 (default: the newest)"],
      ["--tail <lines>", "only the last lines"],
    ],
    exits: [3, 6],
    load: () => import("../commands/logs.ts"),
  },
  {
    usage: "explain [map]",
    group: GROUP,
    summary: "what a phase map does",
    options: [["--mermaid", "as a mermaid diagram"]],
    load: () => import("../commands/explain.ts"),
  },
  {
    usage: "validate",
    group: GROUP,
    summary: "find everything that is wrong in pawl.yaml, maps and task files",
    options: [["--print", "show each value, and where it comes from"]],
    load: () => import("../commands/validate.ts"),
  },
];
