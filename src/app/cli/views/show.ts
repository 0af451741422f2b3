import type { EndingCounts } from "../../../domain/ending.ts";
import { roundLimit } from "../../../domain/step.ts";
import type { Finding, Task } from "../../../domain/task.ts";
import { cut, oneLine, printable, table } from "../printable.ts";
import { bounded, counted, money, short, spent } from "./amounts.ts";
import { together, wrapped } from "./columns.ts";
import { endingsText } from "./endings.ts";
import { type Visit, visitText } from "./history.ts";
import { costOf, evidenceOf, type Ink, onWord, prText, type Scene, spentBy, tokensOf } from "./scene.ts";
import { dollars } from "./status.ts";
import { exact } from "./times.ts";
import type { Why } from "./why.ts";
import { whyOf } from "./why.ts";

/** One task, and what the log and its file say of it. */
export interface Shown {
  readonly task: Task;
  readonly history: readonly Visit[];
  /** path of its file from the repository's root; null: not known */
  readonly file: string | null;
}

/** `pawl show TASK` */
export function showLines({ task, history, file }: Shown, scene: Scene, ink: Ink): readonly string[] {
  const dot = ` ${ink.marks.dot} `;
  return [
    ...wrapped(
      [
        `${task.id} ${oneLine(task.terms.title)}`,
        ...placeTexts(task, scene),
        ...(file === null ? [] : [file + (task.gone ? " (gone)" : "")]),
      ].join(dot),
      { columns: ink.width, indent: 2 },
    ),
    ...wrapped(factsOf(task, scene, ink).join("  "), { columns: ink.width, indent: 2 }),
    ...endTexts(task, scene),
    ...labelled(
      "notes",
      task.notes.map((note) => `${oneLine(note.from)}, at ${note.phase}: ${oneLine(note.text)}`),
      ink,
    ),
    ...labelled("findings", findingRows(task, ink), ink),
    ...historyLines(task, history, scene, ink),
  ];
}

function placeTexts(task: Task, { world }: Scene): readonly string[] {
  const map = task.map === null ? null : world.map(task.map);
  const limit =
    map === null
      ? (task.terms.maxRounds ?? world.backlog.limits.maxRounds)
      : roundLimit(task, map, world.backlog.limits);
  return task.status === "not-started"
    ? [task.status]
    : [task.status, ...(task.phase === null ? [] : [task.phase]), `round ${task.round} of ${limit}`];
}

function factsOf(task: Task, { world }: Scene, { marks }: Ink): readonly string[] {
  const { limits } = world.backlog;
  const { ledger, terms } = task;
  const ended = endingsText(task.endings ?? {});
  const aheadBy = task.change === null ? "" : ` (${task.change.commits} ahead of ${terms.base})`;
  const bound = (limit: number | null, extra: number): number | null => (limit === null ? null : limit + extra);
  const spawns = bound(terms.limit.spawns, ledger.extra.spawns);
  const usd = bound(terms.limit.microUsd, ledger.extra.microUsd);
  return [
    `branch ${terms.branch}${aheadBy}`,
    ...(task.head === null ? [] : [`head ${short(task.head)}`]),
    ...(task.pr === null ? [] : [`${prText(task.pr)}${task.merged ? "" : task.ready ? ", ready" : ", draft"}`]),
    `crashes ${task.counts.crashes} of ${limits.maxCrashes}`,
    ...(ended === "" ? [] : [`workers ended: ${ended}`]),
    ...(task.counts.conflicts > 0 ? [`conflicts ${task.counts.conflicts} of ${limits.maxConflicts}`] : []),
    `spawns ${bounded(String(ledger.spent.spawns), spawns === null ? null : String(spawns))}`,
    bounded(spent(spentBy(task), marks), usd === null ? null : money(usd, marks)),
    ...(onWord(task, world) ? ["judged by nobody: the model's own word completes it"] : []),
    ...(terms.deps.length > 0 ? [`deps ${terms.deps.join(", ")}`] : []),
  ];
}

function endTexts(task: Task, scene: Scene): readonly string[] {
  if (task.status === "completed") return [`completed ${evidenceOf(task, scene)}`];
  return task.status === "failed" ? [`failed    ${oneLine(task.why ?? "no reason is known")}`] : [];
}

function findingRows({ findings }: Task, { cuts, marks }: Ink): readonly string[] {
  return table(
    findings.map((f) => [
      f.label,
      stateText(f),
      cuts ? cut(oneLine(f.text), 200, marks.more) : oneLine(f.text),
      placeOf(f),
      `from ${f.source} ${roundsText(f)}`,
    ]),
  );
}
const stateText = (f: Finding): string => (f.state === "open" && f.seen > 1 ? `open (seen ${f.seen}x)` : f.state);
const placeOf = ({ file, line }: Finding): string =>
  file === undefined ? "" : `${oneLine(file)}${line === undefined ? "" : `:${line}`}`;
const roundsText = ({ firstRound, lastRound }: Finding): string =>
  firstRound === lastRound ? `r${firstRound}` : `r${firstRound} to r${lastRound}`;

const LABEL = 10;
const labelled = (name: string, rows: readonly string[], { paint }: Ink): readonly string[] =>
  rows.map((row, i) => (i === 0 ? paint.dim(name.padEnd(LABEL)) : " ".repeat(LABEL)) + row);

function historyLines(task: Task, history: readonly Visit[], scene: Scene, ink: Ink): readonly string[] {
  if (history.length === 0) return [];
  const running = task.doing.kind === "running" ? `running ${exact(scene.face.now - task.doing.since)}` : null;
  const texts = history.map((visit) => visitText(visit, { face: scene.face, ink, running }));
  // the words of one entry stay together: wrapped at the dots alone
  const lines = wrapped(texts.map(together).join(` ${together(`${ink.marks.dot} `)}`), {
    columns: ink.width - LABEL,
    indent: 0,
  });
  return labelled("history", lines, ink);
}

/** `pawl show TASK --findings`: every finding in full. */
export function findingLines({ findings }: Task, { paint }: Ink): readonly string[] {
  if (findings.length === 0) return ["no findings"];
  return findings.flatMap((f) => [
    `${paint.bold(f.label)} ${f.state}, seen ${counted(f.seen, "time")}${f.reopened > 0 ? `, reopened ${counted(f.reopened, "time")}` : ""}, from ${f.source} ${roundsText(f)}${placeOf(f) === "" ? "" : `, ${placeOf(f)}`}`,
    ...printable(f.text)
      .split("\n")
      .map((line) => `   ${line}`),
  ]);
}

/** `pawl show TASK --json`. Times in ms since 1970, money in US dollars; null: not known. */
export interface ShowJson extends Why {
  readonly ok: true;
  readonly file: string | null;
  readonly branch: string;
  readonly base: string;
  readonly head: string | null;
  readonly change: Task["change"];
  readonly pr: string | null;
  readonly pr_ready: boolean;
  readonly merged: string | null;
  readonly synced: boolean;
  readonly deps: readonly string[];
  readonly counts: Task["counts"];
  readonly endings: EndingCounts;
  readonly spent: {
    readonly cost_usd: number | null;
    readonly tokens: number | null;
    readonly wall_ms: number;
    readonly spawns: number;
  };
  readonly findings: readonly Finding[];
  readonly notes: Task["notes"];
  readonly history: readonly Visit[];
  readonly reason: string | null;
}

export function showJson({ task, history, file }: Shown, scene: Scene): ShowJson {
  const { ledger } = task;
  return {
    ok: true,
    ...whyOf(task, scene),
    file,
    branch: task.terms.branch,
    base: task.terms.base,
    head: task.head,
    change: task.change,
    pr: task.pr,
    pr_ready: task.ready,
    merged: task.merged,
    synced: task.synced,
    deps: task.terms.deps,
    counts: task.counts,
    endings: task.endings ?? {},
    spent: {
      cost_usd: dollars(costOf(task)),
      tokens: tokensOf(task),
      wall_ms: ledger.spent.wallMs,
      spawns: ledger.spent.spawns,
    },
    findings: task.findings,
    notes: task.notes,
    history,
    reason: task.why,
  };
}
