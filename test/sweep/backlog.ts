import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FarKind } from "./far/forge.ts";
import { LABEL } from "./far/people.ts";
import { git, repository, write } from "./git.ts";

/** Where its branches and pull requests live. */
export type ForgeKind = "local" | FarKind;

/** A backlog, and what a second process does about its tasks. */
export interface Backlog {
  readonly name: "full" | "small" | "each" | "conflict" | "gates" | "tiny" | "parks";
  readonly tasks: Readonly<Record<string, string>>;
  /** who gives the human approvals: a request to the store, or a file in the inbox folder */
  readonly asked: Readonly<Record<string, { readonly by: "request" | "file"; readonly rejectFirst: boolean }>>;
  /** lengthened, then cancelled while its worker works */
  readonly cancelled: readonly string[];
  /** at a forge of its own: at whose merge a person pushes onto the base, between the last look and the merge */
  readonly raced: string | null;
}

const task = (title: string, front = ""): string => `---\ntitle: ${title}\n${front}---\n${title}.\n`;

/**
 * The demo's shape: task-2 fails its verification once, task-3 is rejected once by the reviewer program, task-4 (with an
 * action of the user's) and task-6 wait for a person, task-5 meets a merge conflict with task-1, task-7 is cancelled.
 * Nothing in it depends on time: task-1 is verified when task-5 has begun, task-5 when task-1 is merged.
 */
export const FULL: Backlog = {
  name: "full",
  tasks: {
    "task-1": task("Write the first line", "phases: reviewed\n"),
    "task-2": task("Write it well", "phases: reviewed\n"),
    "task-3": task("Say more", "phases: reviewed\ndeps: [task-1]\n"),
    "task-4": task("Ask before the merge", "phases: asked\n"),
    "task-5": task("Write the same line", "phases: reviewed\n"),
    "task-6": task("Build on two others", "phases: default\ndeps: [task-2, task-4]\n"),
    "task-7": task("Never end", "phases: reviewed\n"),
  },
  asked: { "task-4": { by: "request", rejectFirst: false }, "task-6": { by: "file", rejectFirst: true } },
  cancelled: ["task-7"],
  raced: "task-2",
};

/** Each kind of effect, in two tasks: one fails its verification once and waits for a person, one is cancelled. */
const SMALL: Backlog = {
  name: "small",
  tasks: {
    "task-2": task("Write it well", "phases: default\n"),
    "task-7": task("Never end", "phases: reviewed\n"),
  },
  asked: { "task-2": { by: "file", rejectFirst: false } },
  cancelled: ["task-7"],
  raced: "task-2",
};

/**
 * Each kind of effect with the fewest runs: one task is verified, rejected once by a person and worked on again, one is
 * cancelled. A trial costs what its runs cost.
 */
export const EACH: Backlog = {
  name: "each",
  tasks: {
    "task-7": task("Never end", "phases: reviewed\n"),
    "task-9": task("Write a line", "phases: reworked\n"),
  },
  asked: { "task-9": { by: "file", rejectFirst: true } },
  cancelled: ["task-7"],
  raced: "task-9",
};

/** One task from its file to its merge, with nobody in the way. */
export const TINY: Backlog = {
  name: "tiny",
  tasks: { "task-9": task("Write a line", "phases: reviewed\n") },
  asked: {},
  cancelled: [],
  raced: "task-9",
};

/** One task whose worker parks at both gates: three legs of one paid try. */
export const PARKS: Backlog = {
  name: "parks",
  tasks: { "task-8": task("Ask at both gates", "phases: reviewed\n") },
  asked: {},
  cancelled: [],
  raced: null,
};

/** A part of the full one: those tasks alone, with what is done about them. A trial costs what its backlog does. */
function partOf(name: Backlog["name"], ids: readonly string[]): Backlog {
  const mine = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)));
  return { name, tasks: mine(FULL.tasks), asked: mine(FULL.asked), cancelled: [], raced: ids[0]! };
}

/**
 * `conflict`, `gates` and `small` have every task of the full one (task-2 twice), and meet the same things: together
 * they are the full sweep in less than half its time, without what only seven tasks at once would show.
 */
export const BACKLOGS: Readonly<Record<Backlog["name"], Backlog>> = {
  full: FULL,
  small: SMALL,
  each: EACH,
  tiny: TINY,
  parks: PARKS,
  conflict: partOf("conflict", ["task-1", "task-3", "task-5"]),
  gates: partOf("gates", ["task-2", "task-4", "task-6"]),
};

/** The backlog as it is at a forge of its own: task-4 waits for a label there, and nobody else is asked for it. */
export const atForge = (backlog: Backlog, forge: ForgeKind): Backlog =>
  forge === "local"
    ? backlog
    : { ...backlog, asked: Object.fromEntries(Object.entries(backlog.asked).filter(([id]) => id !== "task-4")) };

const CONFIG = `agents:
  implementer: {command: agents/work.sh}
  verifier: {command: agents/verify.sh}
limits: {max_workers: 6}
signals:
  review: {command: agents/review.sh, every: 1s, pr: true}
actions:
  stamp: {command: agents/stamp.sh, check: agents/stamped.sh}
`;

const map = (review: string, extra = ""): string => `version: 1
phases:
  implement: {run: agent implementer, on_pass: verify, on_fail: implement}
  verify: {run: agent verifier, on_pass: await-review, on_fail: implement}
  await-review: {run: signal ${review}, on_pass: mark-ready, on_fail: implement}
  mark-ready: {run: action mark-ready, on_pass: ${extra === "" ? "merge" : "stamp"}, on_fail: mark-ready}
${extra}  merge: {run: action merge, on_pass: done, on_fail: implement, on_conflict: resolve}
  resolve: {run: agent implementer, on_pass: verify, on_fail: resolve}
`;

/** What a person rejected is not verified again: they look at it themselves. */
const REWORKED = `${map("human-approval").replace(/(human-approval.*on_fail:) implement/, "$1 rework")}  rework: {run: agent implementer, on_pass: await-review, on_fail: rework}
`;

/** Each program first says that it began, at the far end: one line per leg, appended whole. */
const BEGIN = `#!/bin/sh -e
root="$PAWL_RUN_DIR/../../../../.."
echo "$PAWL_LEG" >> "$root/starts"
`;
const PASS = `printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"\n`;

/** Puts a message into the outbox where it does not lie there, and ends with 5 until it has its answer. */
const SAY = `say() {
  [ -e "$PAWL_RUN_DIR/outbox/$1" ] || { printf '%s' "$3" > "$PAWL_RUN_DIR/said"; mv "$PAWL_RUN_DIR/said" "$PAWL_RUN_DIR/outbox/$1"; }
  [ -e "$PAWL_RUN_DIR/inbox/$2" ] || exit 5
}
WHO='"agent_id":"a","task_id":"task-8","submitted_at":"2026-11-28T00:00:00Z"'
`;
const PLAN = `say 001-PLAN_SUBMISSION.json 001-GO.json '{"message_type":"PLAN_SUBMISSION",'"$WHO"',"plan":{"approach":"x","ac_mapping":[{"ac":"AC-001","implementation":"x","file":"task-8.txt","test":"x"}],"files":[{"path":"task-8.txt"}],"tests":[]}}'`;
const REPORT = `[ "$PAWL_TASK" != task-8 ] || say 002-COMPLETION_REPORT.json 002-NEXT.json '{"message_type":"COMPLETION_REPORT",'"$WHO"',"head":"'"$(git rev-parse HEAD)"'","report":{"ac_verification":[{"ac":"AC-001","status":"PASS","evidence":[{"file":"task-8.txt","line":1}]}],"test_results":[],"files_changed":[{"path":"task-8.txt","change":"created"}]}}'
`;

/** Does the same however often it is begun; what it writes depends on the findings alone. */
const WORK = `${BEGIN}${SAY}case "$PAWL_TASK" in
task-8) ${PLAN} ;;
task-7) while :; do sleep 0.2; done ;;
task-1|task-5)
  if [ "$PAWL_PHASE" = resolve ]; then
    git fetch -q --no-tags "$root/origin.git" main
    git merge -q FETCH_HEAD > /dev/null 2>&1 || :
    printf 'task-1\\ntask-5\\n' > shared.txt
  else
    printf '%s\\n' "$PAWL_TASK" > shared.txt
  fi
  git add shared.txt ;;
esac
text=plain
if grep -q "is not written well" "$PAWL_ASSIGNMENT"; then text=well; fi
if grep -q "say more" "$PAWL_ASSIGNMENT"; then text=more; fi
echo "$text" > "$PAWL_TASK.txt"
git add "$PAWL_TASK.txt"
git diff --cached --quiet && [ ! -e "$(git rev-parse --git-path MERGE_HEAD)" ] || git commit -qm "Work on $PAWL_TASK"
${REPORT}${PASS}`;

const VERIFY = `${BEGIN}case "$PAWL_TASK" in
task-1) until git rev-parse -q --verify refs/heads/pawl/task-5 > /dev/null; do sleep 0.05; done ;;
task-5) until git --git-dir="$root/origin.git" cat-file -e main:task-1.txt 2> /dev/null; do sleep 0.05; done ;;
task-2)
  if ! grep -q well task-2.txt; then
    printf '{"verdict":"FAIL","detail":"task-2.txt is not written well"}' > "$PAWL_RUN_DIR/verdict.json"
    exit 0
  fi ;;
esac
${PASS}`;

const REVIEW = `#!/bin/sh
[ "$PAWL_TASK" = task-3 ] || exit 0
git cat-file -p "$PAWL_HEAD:task-3.txt" | grep -q more && exit 0
echo "say more"
exit 1
`;
/** A command that must not run twice: it leaves a line, and its check looks for it. */
const STAMP = `${BEGIN}echo "$PAWL_TASK" >> "$root/stamps"\n`;
const STAMPED = `${BEGIN}grep -q "$PAWL_TASK" "$root/stamps"\n`;

/** Makes repo/ and origin.git/ in that folder; the origin keeps a log of every ref. */
export function makeProject(folder: string, { tasks }: Backlog, forge: ForgeKind = "local"): void {
  const isFar = forge !== "local";
  const reviewed = isFar ? "pr-approved" : "review";
  const asked = isFar ? `label:${LABEL}` : "human-approval";
  mkdirSync(folder, { recursive: true });
  const programs = {
    "agents/work.sh": WORK,
    "agents/verify.sh": VERIFY,
    "agents/review.sh": REVIEW,
    "agents/stamp.sh": STAMP,
    "agents/stamped.sh": STAMPED,
  };
  const repo = repository(folder);
  write(repo, {
    "README.md": "a project\n",
    "shared.txt": "nobody\n",
    "pawl.yaml": CONFIG,
    "phase-maps/default.yaml": map("human-approval"),
    "phase-maps/reviewed.yaml": map(reviewed),
    "phase-maps/reworked.yaml": REWORKED,
    "phase-maps/asked.yaml": map(asked, "  stamp: {run: action stamp, on_pass: merge, on_fail: stamp}\n"),
    ...Object.fromEntries(Object.entries(tasks).map(([id, text]) => [`tasks/${id}.md`, text])),
    ...programs,
    // each trial names another forge in its pawl.yaml
    ...(isFar ? { ".gitignore": "pawl.yaml\n" } : {}),
  });
  for (const path of Object.keys(programs)) chmodSync(join(repo, path), 0o755);
  git(repo, "add", "--all");
  git(repo, "commit", "-q", "-m", "Backlog");
  git(repo, "push", "-q", "origin", "main");
}
