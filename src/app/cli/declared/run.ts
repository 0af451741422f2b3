import type { Declared } from "./declared.ts";

const GROUP = "Run";

/** The processor. */
export const RUN: readonly Declared[] = [
  {
    usage: "run [tasks...]",
    group: GROUP,
    summary: "walk the tasks through their phases",
    options: [
      ["--agent <command>", "the command that does the work, for every role that has no agent"],
      ["--workers <n>", "workers at once"],
      ["--once", "one cycle, then end"],
      ["--dry", "say what would be started, and start nothing"],
      ["--until-idle", "end too when all that is left waits for people"],
      ["--stay", "go on when nothing is left, for what comes: task files, issues, answers"],
      ["--standby", "wait while another processor holds the store, and take over when it is gone"],
      ["--no-live", "complete lines instead of a picture that is redrawn"],
    ],
    exits: [1, 3, 5, 6, 130],
    load: () => import("../commands/run.ts"),
  },
  {
    usage: "watch [tasks...]",
    group: GROUP,
    summary: "see what a running processor does, by reading alone",
    options: [["--no-live", "complete lines instead of a picture that is redrawn"]],
    exits: [3, 6],
    load: () => import("../commands/watch.ts"),
  },
  {
    usage: "stop",
    group: GROUP,
    summary: "end the processor; its workers go on",
    options: [["--workers", "end the workers too"]],
    exits: [1, 3],
    load: () => import("../commands/stop.ts"),
  },
];
