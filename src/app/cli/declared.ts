import type { Context } from "./context.ts";

/** A command as the command line knows it; its file is loaded when it is asked for. */
export interface Declared {
  /** name and arguments as commander reads them: `add <title...>` */
  readonly usage: string;
  readonly group: string;
  readonly summary: string;
  readonly options?: readonly (readonly [flags: string, text: string])[];
  /** options that may be given several times; each is a list */
  readonly repeated?: readonly (readonly [flags: string, text: string])[];
  /** exit codes that it has beside 0, 2 and 70, which every command may end with */
  readonly exits?: readonly number[];
  readonly load: () => Promise<Module>;
}

/** `never`: what each command's options are, only that command knows. */
export interface Module {
  readonly run: (ctx: Context, args: readonly string[], options: never) => Promise<number>;
}

const START = "Start";
const RUN = "Run";
const LOOK = "Look";
const DECIDE = "Decide";
const HANDS = "Hands";
const WORKER = "In a worker";

const MESSAGE = ["-m, --message <text>", "what is said with it"] as const;
const HEAD = ["--head <commit>", "the commit that is meant, if not the one that is waited with"] as const;

/** Every command, in the order of the help. */
export const DECLARED: readonly Declared[] = [
  {
    usage: "init",
    group: START,
    summary: "look at this repository and write pawl.yaml, roles and an example",
    options: [
      ["--agent <command>", "the command that does the work"],
      ["--full", "write every key, with its default"],
    ],
    load: () => import("./commands/init.ts"),
  },
  {
    usage: "add <title...>",
    group: START,
    summary: "write a task file with the next free id",
    options: [
      ["--type <type>", "its task type"],
      ["--edit", "open it in $EDITOR"],
    ],
    repeated: [["--dep <id>", "a task that must be done before (again for each)"]],
    load: () => import("./commands/add.ts"),
  },
  {
    usage: "doctor",
    group: START,
    summary: "what is installed and ready",
    exits: [1],
    load: () => import("./commands/doctor.ts"),
  },
  {
    usage: "run [tasks...]",
    group: RUN,
    summary: "walk the tasks through their phases",
    options: [
      ["--agent <command>", "the command that does the work, for every role that has no agent"],
      ["--workers <n>", "workers at once"],
      ["--once", "one cycle, then end"],
      ["--dry", "say what would be started, and start nothing"],
      ["--until-idle", "end too when all that is left waits for people"],
      ["--standby", "wait while another processor holds the store, and take over when it is gone"],
      ["--no-live", "complete lines instead of a picture that is redrawn"],
    ],
    exits: [1, 3, 5, 6, 130],
    load: () => import("./commands/run.ts"),
  },
  {
    usage: "stop",
    group: RUN,
    summary: "end the processor; its workers go on",
    options: [["--workers", "end the workers too"]],
    exits: [1, 3],
    load: () => import("./commands/stop.ts"),
  },
  {
    usage: "status",
    group: LOOK,
    summary: "where every task is",
    options: [
      ["--waiting", "only what waits for you"],
      ["--failed", "only what failed"],
    ],
    exits: [3],
    load: () => import("./commands/status.ts"),
  },
  {
    usage: "show <task>",
    group: LOOK,
    summary: "one task: branch, findings, history",
    options: [
      ["--diff", "what its branch changes"],
      ["--plan", "the plan of its worker"],
      ["--findings", "every finding in full"],
      ["--prompt", "the newest prompt"],
    ],
    exits: [1, 3, 6],
    load: () => import("./commands/show.ts"),
  },
  {
    usage: "why [task]",
    group: LOOK,
    summary: "whose move it is, and when it is looked at",
    exits: [3, 6],
    load: () => import("./commands/why.ts"),
  },
  {
    usage: "logs <task>",
    group: LOOK,
    summary: "what its workers wrote",
    options: [
      ["-f, --follow", "go on as it grows"],
      ["--attempt <name>", "which try, like 03-a1 (default: the newest)"],
      ["--tail <lines>", "only the last lines"],
    ],
    exits: [3, 6],
    load: () => import("./commands/logs.ts"),
  },
  {
    usage: "explain [map]",
    group: LOOK,
    summary: "what a phase map does",
    options: [["--mermaid", "as a mermaid diagram"]],
    load: () => import("./commands/explain.ts"),
  },
  {
    usage: "validate",
    group: LOOK,
    summary: "find everything that is wrong in pawl.yaml, maps and task files",
    options: [["--print", "show each value, and where it comes from"]],
    load: () => import("./commands/validate.ts"),
  },
  {
    usage: "approve <task>",
    group: DECIDE,
    summary: "answer yes to what a task waits for",
    options: [MESSAGE, HEAD, ["--as <name>", "who answers (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/approve.ts"),
  },
  {
    usage: "reject <task>",
    group: DECIDE,
    summary: "answer no, with what has to change",
    options: [MESSAGE, HEAD, ["--as <name>", "who answers (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/reject.ts"),
  },
  {
    usage: "go <task>",
    group: DECIDE,
    summary: "let a plan be carried out (GO)",
    options: [MESSAGE, ["--as <name>", "who answers (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/go.ts"),
  },
  {
    usage: "feedback <task>",
    group: DECIDE,
    summary: "send a plan back, with what has to become otherwise (FEEDBACK)",
    options: [MESSAGE, ["--as <name>", "who answers (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/feedback.ts"),
  },
  {
    usage: "next <task>",
    group: DECIDE,
    summary: "accept a report (NEXT)",
    options: [MESSAGE, ["--as <name>", "who answers (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/next.ts"),
  },
  {
    usage: "fix <task>",
    group: DECIDE,
    summary: "send work back, with what has to become otherwise (FIX)",
    options: [MESSAGE, ["--as <name>", "who answers (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/fix.ts"),
  },
  {
    usage: "block <task>",
    group: DECIDE,
    summary: "end the work at its gate, with the reason (BLOCKED)",
    options: [MESSAGE, ["--as <name>", "who answers (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/block.ts"),
  },
  {
    usage: "waive <task> <finding>",
    group: DECIDE,
    summary: "let a finding rest",
    options: [MESSAGE, ["--as <name>", "who decides (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/waive.ts"),
  },
  {
    usage: "extend <task>",
    group: DECIDE,
    summary: "give a task more time or budget",
    options: [
      ["--time <duration>", "for the running try, like 30m"],
      ["--cost <usd>", "US dollars more"],
      ["--spawns <n>", "workers more"],
      ["--tokens <n>", "tokens more"],
      ["--as <name>", "who decides (default: git's user.email)"],
    ],
    exits: [1, 3, 6],
    load: () => import("./commands/extend.ts"),
  },
  {
    usage: "retry <task>",
    group: DECIDE,
    summary: "try a task again, also one that failed",
    options: [
      ["--from <phase>", "the phase to enter (default: the one it is in)"],
      ["--as <name>", "who decides (default: git's user.email)"],
    ],
    exits: [1, 3, 6],
    load: () => import("./commands/retry.ts"),
  },
  {
    usage: "cancel <task>",
    group: DECIDE,
    summary: "end a task as failed; its branch stays",
    options: [MESSAGE, ["--as <name>", "who decides (default: git's user.email)"]],
    exits: [1, 3, 6],
    load: () => import("./commands/cancel.ts"),
  },
  {
    usage: "edit [files...]",
    group: HANDS,
    summary: "apply a diff, patch, SEARCH/REPLACE blocks or JSON edits: all of it or nothing",
    options: [["--dry", "say what would change, as a diff; write nothing"]],
    repeated: [["--scope <glob>", "only files that fit may change (again for each)"]],
    exits: [1],
    load: () => import("./commands/edit.ts"),
  },
  {
    usage: "search <pattern> [paths...]",
    group: HANDS,
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
    load: () => import("./commands/search.ts"),
  },
  {
    usage: "map [path]",
    group: HANDS,
    summary: "what the files define, those first that much leans on, within a budget of tokens",
    options: [["--tokens <n>", "the budget, like 800 or 2k (default: 2k; about four characters each)"]],
    load: () => import("./commands/map.ts"),
  },
  {
    usage: "rank <ticket...>",
    group: HANDS,
    summary: "the files that a ticket is about, with the reasons: a file, - for stdin, or the text itself",
    options: [["--limit <n>", "files that are shown (default: 10)"]],
    load: () => import("./commands/rank.ts"),
  },
  {
    usage: "work [ticket]",
    group: HANDS,
    summary: "carry out one ticket with a model: plan, gate, edits, tests, commits, report; the same command goes on",
    options: [
      ["--model <model>", "PROVIDER/MODEL, or a name below models: in pawl.yaml"],
      ["--in-place", "work in this checkout, which has to be clean, and not in a worktree of its own"],
    ],
    exits: [1, 4, 5, 130],
    load: () => import("./commands/work.ts"),
  },
  {
    usage: "exec [command...]",
    group: HANDS,
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
    load: () => import("./commands/exec.ts"),
  },
  {
    usage: "mcp",
    group: HANDS,
    summary: "these hands for any agent: an MCP server on stdin and stdout",
    options: [
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
    load: () => import("./commands/mcp.ts"),
  },
  {
    usage: "check",
    group: WORKER,
    summary: "run the configured checks, and look up the report's evidence; in a worker, write the verdict",
    options: [["--model <name>", "let this model read the change against the ticket's criteria too"]],
    exits: [1, 4, 130],
    load: () => import("./commands/check.ts"),
  },
  {
    usage: "progress",
    group: WORKER,
    summary: "say how far the work is",
    options: [
      ["--status <status>", "initializing, researching, planning, implementing, testing, reporting …"],
      ["--percent <n>", "0 to 100, within the status's range"],
      ["--activity <text>", "what is being done"],
      ["--cost <usd>", "US dollars spent so far"],
      ["--tokens <n>", "tokens spent so far"],
    ],
    load: () => import("./commands/progress.ts"),
  },
  {
    usage: "submit <what> <file>",
    group: WORKER,
    summary:
      "hand in a plan or a report (JSON), and print the owner's answer; 0: GO or NEXT, 1: it says otherwise, 5: none yet",
    options: [["--wait <duration>", "how long the answer is waited for (default: 10s)"]],
    exits: [1, 5],
    load: () => import("./commands/submit.ts"),
  },
  {
    usage: "verdict <verdict>",
    group: WORKER,
    summary: "end the work: pass, fail, no-change or blocked",
    options: [
      ["-m, --message <text>", "the detail: required unless the verdict is pass"],
      ["--complete", "these findings are all there are"],
    ],
    repeated: [["--finding <text>", '"file:line: text", or only the text (again for each)']],
    load: () => import("./commands/verdict.ts"),
  },
];
