import type { Declared } from "./declared.ts";

const GROUP = "Start";

/** What makes a repository ready for Pawl. */
export const START: readonly Declared[] = [
  {
    usage: "init",
    group: GROUP,
    summary: "look at this repository and write pawl.yaml, roles and an example",
    options: [
      ["--agent <command>", "the command that does the work"],
      ["--full", "write every key, with its default"],
    ],
    load: () => import("../commands/init.ts"),
  },
  {
    usage: "add <title...>",
    group: GROUP,
    summary: "write a task file with the next free id",
    options: [
      ["--type <type>", "its task type"],
      ["--edit", "open it in $EDITOR"],
    ],
    repeated: [["--dep <id>", "a task that must be done before (again for each)"]],
    load: () => import("../commands/add.ts"),
  },
  {
    usage: "import <file>",
    group: GROUP,
    summary:
      "task files of Task Master's tasks.json, beads' JSON lines, a Markdown check list, Vibe Kanban's issues.csv, or CSV with columns id and title",
    options: [
      ["--from <tool>", "taskmaster, beads, checklist, csv or vibe-kanban (default: as the file's name ends)"],
      ["--dry", "say what would be written; write nothing"],
    ],
    load: () => import("../commands/import.ts"),
  },
  {
    usage: "sync",
    group: GROUP,
    summary: "issues of intake: as task files, changed where they changed there; states back to them",
    options: [["--dry", "say what would be written; write nothing, here and there"]],
    exits: [1, 4],
    load: () => import("../commands/sync.ts"),
  },
  {
    usage: "doctor",
    group: GROUP,
    summary: "what is installed and ready",
    exits: [1],
    load: () => import("../commands/doctor.ts"),
  },
];
