import type { Reported } from "./outcome.ts";
import type { Finding, Task } from "./task.ts";
import type { Said } from "./turn.ts";

/** Open in so many rounds in a row, or so often reopened: a person looks (architecture 6.11). */
export const SEEN_LIMIT = 3;
export const REOPENED_LIMIT = 2;

/**
 * Facts for one report of one source: said again, new, or (only if the list is complete) fixed. A waived finding stays
 * waived. The same thing said twice in one report counts once.
 */
export function reconcile(
  task: Task,
  report: {
    readonly source: string;
    readonly said: readonly Reported[];
    readonly complete: boolean;
    readonly round: number;
  },
): readonly Said[] {
  const mine = new Map(task.findings.filter((f) => f.source === report.source).map((f) => [f.id, f] as const));
  const facts: Said[] = [];
  const now = new Set<string>();
  for (const said of report.said) {
    const id = findingId(report.source, said);
    if (now.has(id)) continue;
    now.add(id);
    const old = mine.get(id);
    if (old?.state === "waived") continue;
    if (old) facts.push({ kind: "finding-repeated", finding: repeated(old, said, report.round) });
    else facts.push({ kind: "finding-opened", finding: opened(task, facts, { id, said, report }) });
  }
  if (report.complete)
    for (const f of mine.values())
      if (f.state === "open" && !now.has(f.id))
        facts.push({ kind: "finding-fixed", finding: { ...f, state: "fixed" } });
  return facts;
}

const repeated = (old: Finding, said: Reported, round: number): Finding => ({
  ...old,
  ...said,
  state: "open",
  // rounds are counted, not reports: a move without a round may say the same thing twice
  seen: old.state === "fixed" ? 1 : old.seen + (old.state === "open" && old.lastRound === round ? 0 : 1),
  reopened: old.reopened + (old.state === "fixed" ? 1 : 0),
  lastRound: round,
});

function opened(
  task: Task,
  facts: readonly Said[],
  { id, said, report }: { id: string; said: Reported; report: { source: string; round: number } },
): Finding {
  const earlier = task.findings.length + facts.filter((fact) => fact.kind === "finding-opened").length;
  return {
    ...said,
    id,
    label: `F${earlier + 1}`,
    source: report.source,
    state: "open",
    seen: 1,
    reopened: 0,
    firstRound: report.round,
    lastRound: report.round,
  };
}

/** The reporter's key, else source + file + text without numbers, case and space. */
export function findingId(source: string, said: Reported): string {
  if (said.key) return `${source}:${said.key}`;
  const text = said.text.toLowerCase().replace(/[\d\s]+/g, "");
  return `${source}:${said.file ?? ""}:${fnv1a(text)}`;
}

/** FNV-1a over UTF-16 units in two lanes of 32 bits, as 16 hex digits: a name, not a secret. */
function fnv1a(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193) >>> 0;
    b = Math.imul(b ^ unit ^ (a >>> 16), 0x85ebca6b) >>> 0;
  }
  return a.toString(16).padStart(8, "0") + b.toString(16).padStart(8, "0");
}

/** Open findings that go round in circles: for a person. Crashes and merge conflicts have counters and bounds of their own (architecture 6.12). */
export const circling = (task: Task): readonly Finding[] =>
  task.findings.filter(
    (f) => f.state === "open" && !isCounted(f) && (f.seen >= SEEN_LIMIT || f.reopened >= REOPENED_LIMIT),
  );

/** Keys that Pawl itself gives to what has a counter of its own. */
export const isCounted = ({ key }: Reported): boolean => key === "crash" || (key?.startsWith("conflict:") ?? false);

/**
 * Labels of those findings where a person waived every one; null: one is open, or says of work that it lies uncommitted
 * (`left:`): the next run may commit that, now that it is waived.
 */
export function waivedAll(task: Task, source: string, findings: readonly Reported[]): string | null {
  const ids = new Set(findings.map((said) => findingId(source, said)));
  const waived = task.findings.filter((f) => f.state === "waived" && ids.has(f.id));
  if (ids.size === 0 || waived.length < ids.size || waived.some(({ key }) => key?.startsWith("left:"))) return null;
  return waived.map(({ label }) => label).join(", ");
}
