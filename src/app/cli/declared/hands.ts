import type { Declared } from "./declared.ts";

const GROUP = "Hands";

/** Hands on a checkout, for people and agents. */
export const HANDS: readonly Declared[] = [
  {
    usage: "edit [files...]",
    group: GROUP,
    summary: "apply a diff, patch, SEARCH/REPLACE blocks or JSON edits: all of it or nothing",
    options: [["--dry", "say what would change, as a diff; write nothing"]],
    repeated: [["--scope <glob>", "only files that fit may change (again for each)"]],
    exits: [1],
    load: () => import("../commands/edit.ts"),
  },
  {
    usage: "search <pattern> [paths...]",
    group: GROUP,
    summary: "find lines by a regular expression; ignore files are kept to",
    options: [
      ["-C, --context <lines>", "lines before and after each match"],
      ["--limit <n>", "matched lines that are shown (default: 200; 0: all)"],
      ["-F, --fixed-strings", "the pattern is a text as it is"],
      ["-i, --ignore-case", "case does not matter (default: where the pattern has no capital)"],
      ["-s, --case-sensitive", "case matters"],
      ["-w, --word", "whole words only"],
      ["-U, --multiline", "a match may go over several lines"],
      ["--hidden", "files too whose names begin with a dot"],
      ["--no-ignore", "files too that .gitignore and the like leave out"],
    ],
    repeated: [
      ["--glob <glob>", "only files that fit, or with ! before it do not (again for each)"],
      ["--type <type>", "only files of that type, like ts or py (again for each)"],
    ],
    exits: [1, 130],
    load: () => import("../commands/search.ts"),
  },
  {
    usage: "map [path]",
    group: GROUP,
    summary: "what the files define, those first that much leans on, within a budget of tokens",
    options: [["--tokens <n>", "the budget, like 800 or 2k (default: 2k; about four characters each)"]],
    load: () => import("../commands/map.ts"),
  },
  {
    usage: "rank <ticket...>",
    group: GROUP,
    summary: "the files that a ticket is about, with the reasons: a file, - for stdin, or the text itself",
    options: [["--limit <n>", "files that are shown (default: 10)"]],
    load: () => import("../commands/rank.ts"),
  },
  {
    usage: "work [ticket]",
    group: GROUP,
    summary:
      "carry out one ticket (a file, gh:OWNER/NAME#12 or gl:GROUP/NAME#12) with a model: plan, gate, edits, tests, commits, report; the same command goes on",
    options: [
      ["--model <model>", "PROVIDER/MODEL, or a name below models: in pawl.yaml"],
      ["--planner <model>", "another one for what is to be done next"],
      ["--executor <model>", "another one for how it is done"],
      ["--compaction <model>", "another one for what becomes too long"],
      ["--in-place", "work in this checkout, which has to be clean, and not in a worktree of its own"],
      ["--again", "begin another run of a ticket whose run has ended, on its branch"],
      ["--wait <duration>", "how long it waits alive for somebody's answer at a gate (default: 5s)"],
      ["--record <file>", "write what passes between it and its models to a cassette, without keys"],
      ["--replay <file>", "play a cassette in place of the models: no network, no key"],
    ],
    exits: [1, 4, 5, 130],
    load: () => import("../commands/work.ts"),
  },
  {
    usage: "exec [command...]",
    group: GROUP,
    summary: "run a command: bounded, nothing left behind, no secrets in its output; exit code: its own",
    options: [
      ["--request <file>", 'read {"cmd", "cwd", "env", "timeout", "scope"} as JSON from a file, or - for stdin'],
      ["--timeout <duration>", "end it after that time (default: 10m, at most 2h)"],
      ["--idle <duration>", "end it after so long without output (default: 5m)"],
      ["--cwd <dir>", "the folder that it runs in"],
      ["--log <file>", "all of its output, at most 64 MiB"],
      ["--sandbox <mode>", "auto, require or off (default): writes to this checkout only, by bubblewrap"],
      ["--no-network", "a sandbox without network"],
    ],
    repeated: [
      ["--scope <glob>", "what it writes elsewhere is put back, what it makes there set aside (again for each)"],
      ["--env <pair>", "NAME=VALUE, beside what is passed on (again for each)"],
      ["--allow <command>", 'only commands that begin so, like "git status" (again for each)'],
      ["--deny <command>", 'no command that begins so, like "git push"; a rule, no sandbox (again for each)'],
    ],
    exits: [1, 124, 126, 127, 130],
    load: () => import("../commands/exec.ts"),
  },
  {
    usage: "mcp",
    group: GROUP,
    summary: "these hands for any agent: an MCP server on stdin and stdout",
    options: [
      ["--worker", "in a worker: its assignment, progress, plan, report and verdict, instead of these hands"],
      ["--tools <names>", "which: search,map,rank,edit,exec (default: all)"],
      ["--sandbox <mode>", "auto, require or off (default): commands write to this checkout only, by bubblewrap"],
      ["--no-network", "a sandbox without network"],
    ],
    repeated: [
      [
        "--scope <glob>",
        "only files that fit may change; what a command writes elsewhere is put back (again for each)",
      ],
      ["--allow <command>", 'only commands that begin so, like "npm test" (again for each)'],
      ["--deny <command>", 'no command that begins so, like "git push" (again for each)'],
    ],
    load: () => import("../commands/mcp.ts"),
  },
];
