import type { Declared } from "./declared.ts";

const GROUP = "Store";

/** What is done with the store itself. */
export const STORE: readonly Declared[] = [
  {
    usage: "export",
    group: GROUP,
    summary: "the log as JSON lines: each tick with its inputs and facts",
    exits: [3],
    load: () => import("../commands/export.ts"),
  },
  {
    usage: "replay [file]",
    group: GROUP,
    summary: "decide a log again (an export, - for stdin, or the store's), and say where it comes out otherwise",
    exits: [1, 3],
    load: () => import("../commands/replay.ts"),
  },
  {
    usage: "store <what> [file]",
    group: GROUP,
    summary: "check: look at every page of the store; backup FILE: copy it, also while a processor works",
    exits: [3],
    load: () => import("../commands/store.ts"),
  },
  {
    usage: "prune",
    group: GROUP,
    summary: "take away worktrees that are merged, clean and unused, and old run folders of tasks at their end",
    options: [
      ["--dry", "say what would go and what stays, and why; remove nothing"],
      ["--days <n>", "run folders older than that (default: 30)"],
    ],
    exits: [1, 3],
    load: () => import("../commands/prune.ts"),
  },
  {
    usage: "completion <shell>",
    group: GROUP,
    summary: "what bash, zsh, fish or powershell reads to complete pawl: source <(pawl completion bash)",
    load: () => import("../commands/completion.ts"),
  },
];
