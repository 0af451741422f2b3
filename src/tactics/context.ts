import { tokensOf } from "./rough-tokens.ts";
import { inScopeFailures, outOfScopeFailures } from "./scope-of-failure.ts";
import type { Done, WorkerState } from "./worker-state.ts";

/** One section of context.md. `most`: tokens it may have where all of it does not fit. */
interface Section {
  readonly title: string;
  readonly text: string;
  /** what is left out first: of a list of results the oldest, of a text its end */
  readonly cut: "beginning" | "end";
}

/**
 * context.md, whole (architecture 9.5): what planner and executor are given, and what a person can read at any time.
 * Sections: 0 Ticket, 1 Context, 2 Repository, 3 Task plan, 4 Results and task state, 5 Decisions so far. `maxTokens`:
 * what it is cut to, section by section, the longest first; each cut is said where it is. Infinity: nothing is cut.
 */
export function contextOf(state: WorkerState, maxTokens = Number.POSITIVE_INFINITY): string {
  const sections = [ticket(state), context(state), repository(state), plan(state), results(state), decided(state)];
  const room = shares(
    sections.map(({ text }) => tokensOf(text)),
    maxTokens,
  );
  return sections.map((section, n) => `## ${n} ${section.title}\n${cutTo(section, room[n]!)}\n`).join("\n");
}

/** Shares out tokens: what is short is kept whole, and the long ones have the same room. */
function shares(wanted: readonly number[], most: number): readonly number[] {
  let room = most;
  const got = wanted.map(() => 0);
  const order = wanted.map((_, n) => n).sort((a, b) => wanted[a]! - wanted[b]!);
  order.forEach((n, done) => {
    got[n] = Math.min(wanted[n]!, Math.floor(room / (order.length - done)));
    room -= got[n]!;
  });
  return got;
}

/** Cuts a text to about so many tokens, at a line's end, and says how much is gone. */
function cutTo({ text, cut }: Section, tokens: number): string {
  if (tokensOf(text) <= tokens) return text || "–";
  const lines = text.split("\n");
  const kept: string[] = [];
  const from = cut === "end" ? lines : lines.toReversed();
  for (let left = tokens - 12; kept.length < from.length; ) {
    const line = from[kept.length]!;
    left -= tokensOf(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const said = `[cut: ${lines.length - kept.length} of ${lines.length} lines left out here]`;
  return cut === "end" ? [...kept, said].join("\n") : [said, ...kept.toReversed()].join("\n");
}

function ticket({ assignment }: WorkerState): Section {
  const criteria = assignment.acceptance_criteria.map(({ id, text }) => `- ${id}: ${text}`);
  const text = [
    `${assignment.task_id}: ${assignment.title}`,
    assignment.body.trim(),
    "Acceptance criteria:",
    ...criteria,
    ...viewLines(assignment),
  ];
  return { title: "Ticket", text: text.filter((line) => line !== "").join("\n"), cut: "end" };
}

/** Whose concerns the work is seen by (ISO/IEC/IEEE 42010), where the ticket says them: a line for each kind. */
const viewLines = (assignment: WorkerState["assignment"]): readonly string[] =>
  ["stakeholders", "viewpoints", "concerns"].flatMap((kind) => {
    const said = assignment[kind];
    const items = (Array.isArray(said) ? said : [said]).filter((item): item is string => typeof item === "string");
    return items.length > 0 ? [`${kind}: ${items.join("; ")}`] : [];
  });

/** What others found: the last owner's issues, findings of earlier rounds, notes. */
function context({ assignment, session }: WorkerState): Section {
  const issues = session.issues.map(({ id, text, file, line }) => `- ${id} (owner): ${text}${at(file, line)}`);
  const findings = assignment.findings.map(({ id, text, file, line }) => `- ${id} (finding): ${text}${at(file, line)}`);
  const notes = assignment.notes.map((note) => `- note: ${note}`);
  return { title: "Context", text: [...issues, ...findings, ...notes].join("\n"), cut: "end" };
}

const at = (file?: string, line?: number): string => (file ? ` (${file}${line ? `:${line}` : ""})` : "");

function repository({ assignment, research }: WorkerState): Section {
  const { test_delta: delta } = assignment;
  const tests = [...delta.add.map((path) => `add ${path}`), ...delta.update.map((path) => `update ${path}`)];
  const lines = [
    `may be changed: ${assignment.authorized_files.join(" ")}`,
    ...(tests.length > 0 ? [`tests: ${tests.join(", ")}`] : []),
    `suites: ${delta.regression.map(({ name, command }) => (name === command ? name : `${name} (${command})`)).join("; ")}`,
    ...(research?.files ?? []).map(({ path, why }) => `- ${path}: ${why}`),
    ...(research?.specification ? [`specification ${assignment.specification}:`, research.specification] : []),
    ...(research?.instructions ? ["instructions of this repository:", research.instructions] : []),
  ];
  return { title: "Repository", text: lines.join("\n"), cut: "end" };
}

function plan({ plan: sent, goal, eoi }: WorkerState): Section {
  const files = (sent?.plan.files ?? []).map(({ path, changes }) => `- ${path}: ${changes.join("; ")}`);
  const rows = (sent?.plan.ac_mapping ?? []).map(
    (row) => `- ${row.ac}: ${row.implementation} (${row.file}; ${row.test})`,
  );
  const now =
    goal && goal.over === null ? [`task type: ${goal.pattern.name}`, ...goal.goals.map((one) => `goal: ${one}`)] : [];
  const attention = eoi ? [`attention: ${eoi.kind} ${eoi.label}${eoi.path ? ` (${eoi.path})` : ""}`] : [];
  const text = [...attention, ...(sent ? [`approach: ${sent.plan.approach}`] : []), ...rows, ...files, ...now].join(
    "\n",
  );
  return { title: "Task plan", text, cut: "end" };
}

/** The task's state first: it is what must never be cut. */
function results(state: WorkerState): Section {
  const { goal, done, validated } = state;
  const failures = inScopeFailures(state).map(({ words }) => `suite fails: ${words}`);
  const out = outOfScopeFailures(state).map(({ words }) => `fails, and did so before (not yours to mend): ${words}`);
  const suites = validated === null ? [] : [...failures, ...out, ...(failures.length === 0 ? ["suites pass"] : [])];
  const task = goal ? [`task state: ${JSON.stringify(goal.task)}`] : [];
  return {
    title: "Results and task state",
    text: [...done.slice(-40).map(oneCall), ...suites, ...task].join("\n"),
    cut: "beginning",
  };
}

function oneCall({ tool, args, result }: Done): string {
  const about = args.path ?? args.cmd ?? args.pattern ?? args.query ?? args.name ?? "";
  const end = result === null ? "unknown" : result.ok ? "ok" : "failed";
  const words = (result?.text ?? "").split("\n").find((line) => line.trim() !== "") ?? "";
  return `- ${tool}${about === "" ? "" : ` ${String(about).slice(0, 80)}`}: ${end}${words ? `, ${words.slice(0, 160)}` : ""}`;
}

const decided = ({ decisions, plannerTold }: WorkerState): Section => ({
  title: "Decisions so far",
  text: [...decisions.map((one) => `- ${one}`), ...plannerTold.map((one) => `- told: ${one}`)].join("\n"),
  cut: "beginning",
});
