import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { USUAL_ENV, usualProtect } from "../config/assemble.ts";
import { packageRoot } from "../config/package-root.ts";
import { PRESET_NAMES } from "../config/presets.ts";
import { SCHEMA_LINE } from "../config/put-schemas.ts";

/** What `pawl init` found out and was told. */
export interface Findings {
  readonly agent: string | null;
  readonly checks: readonly string[];
  readonly setup: string | null;
  readonly base: string | null;
  readonly full: boolean;
}

/** The files of a new project, path from the root -> text. */
export function firstFiles(findings: Findings): Readonly<Record<string, string>> {
  return {
    "pawl.yaml": findings.full ? fullText(findings) : shortText(findings),
    "roles/implementer.md": builtInRole("implementer"),
    "roles/verifier.md": builtInRole("verifier"),
    "tasks/example.md": EXAMPLE,
  };
}

const builtInRole = (name: string): string => readFileSync(join(packageRoot(), "roles", `${name}.md`), "utf8");
const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trimEnd();

const isAgentName = (agent: string): boolean => agent === "pawl" || PRESET_NAMES.includes(agent);

const agentLine = ({ agent }: Findings): string =>
  agent === null
    ? `# agents: {default: {command: ./fix.sh, verdict: exit_code}}   # who does the work; or pawl run --agent ./fix.sh`
    : isAgentName(agent)
      ? `agents: {default: ${agent}}   # pawl doctor says whether it is ready`
      : `agents: {default: ${flow({ command: agent, verdict: "exit_code" })}}   # exit 0 and a commit: done`;

const checksLine = ({ checks }: Findings): string =>
  checks.length === 0
    ? "# checks: [npm test]   # what proves work: run by Pawl itself, in order"
    : `checks: ${flow(checks)}   # what proves work: run by Pawl itself, in order`;

const setupLine = ({ setup }: Findings): string =>
  setup === null ? "" : `worktree: ${flow({ setup })}   # run once in each new worktree\n`;

const shortText = (findings: Findings): string => `${SCHEMA_LINE}
# Every key is optional; pawl init --full writes them all, pawl validate --print shows what counts.
${agentLine(findings)}
${checksLine(findings)}
${setupLine(findings)}`;

const fullText = (findings: Findings): string => `${SCHEMA_LINE}
# Every key is optional. These are the defaults, with what was found here.
version: 1                         # of this format
tasks: tasks                       # folder of task files
roles: roles                       # ROLE.md prompts; a list of folders: the first found wins, built-in ones last
phases: default                    # a built-in name (default, auto), a file of phase-maps/, or a map written here in place
${findings.base === null ? "# base: main" : `base: ${flow(findings.base)}`}                         # where work starts and lands
branch_prefix: pawl/               # task-003 works on pawl/task-003
store: .pawl/store.db                # or {postgres_env: PAWL_DATABASE_URL, schema: pawl}: a variable that holds postgres://…
${checksLine(findings)}
worktree:
  root: .pawl/worktrees
  ${findings.setup === null ? "# setup: npm ci" : `setup: ${flow(findings.setup)}`}                # run once in each new worktree; if it fails the task waits
  copy: []                         # untracked files that a worktree needs, like .env.test
defaults:                          # for task files that do not say it themselves
  authorized_files: ["**"]         # enforced, not asked for
  timeout_minutes: 60              # one attempt of a worker
${agentLine(findings)}
limits: {max_workers: 4, max_runs: 2, max_task_rounds: 50, max_crashes: 3, max_conflicts: 5, max_hold_hours: 24, plan_revisions: 2, fix_attempts: 2}
budgets:                           # reserved before each spawn: task: {cost_usd: 5, tokens: 2M, wall: 4h, spawns: 20}
  task: {}
  backlog: {}
  on_limit: wait                   # or fail
signals:                           # answers that a phase waits for
  approval: commit                 # bound to the head commit; patch: an unchanged patch-id keeps it
  human-approval: {from: [], inbox: .pawl/inbox}   # from: names, not proof
  # deploy-window: {command: ./scripts/window.sh, every: 5m}   # exit 0 approved, 1 rejected, 75 pending
actions: {}                        # changelog: {command: ./scripts/changelog.sh, timeout: 5m}   # exit 0 on, 75 wait, else back
forge: {kind: local}               # nothing leaves this machine; or {kind: github, repo: OWNER/NAME}, {kind: gitlab, repo: GROUP/NAME}
# intake: [{github: {repo: OWNER/NAME, label: pawl}}]   # pawl sync: its issues become tasks
channels: [console]
sandbox:
  env: ${flow(USUAL_ENV)}   # names that workers get
  protect: ${flow(usualProtect({}))}   # taken out of every scope
`;

const EXAMPLE = `---
title: An example
draft: true                        # listed, never started: take this line out, or delete the file
# deps: [task-001]                 # ids; each must be merged first
# authorized_files: ["src/**"]     # what may be changed
# acceptance_criteria:             # what has to be true at the end; a check list in the text does as well
#   - the report lists every item once
---
Say here what is wanted and why, as you would tell a colleague who knows the code but not your plans.

## Acceptance criteria

- [ ] what has to be true at the end, one line each
- [ ] something that a test can show
`;
