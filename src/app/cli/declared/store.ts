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
    usage: "completion <shell>",
    group: GROUP,
    summary: "what bash, zsh, fish or powershell reads to complete pawl: source <(pawl completion bash)",
    load: () => import("../commands/completion.ts"),
  },
];
