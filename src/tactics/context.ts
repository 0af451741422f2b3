import { nodesOf } from "./nodes.ts";
import type { Research } from "./record.ts";
import { tokensOf } from "./rough-tokens.ts";
import { inScopeFailures, outOfScopeFailures } from "./scope-of-failure.ts";
import type { Done, WorkerState } from "./worker-state.ts";

/** One section of context.md. */
interface Section {
  readonly title: string;
  readonly text: string;
  /** what is left out first: of a list of results the oldest, of a text its end */
  readonly cut: "beginning" | "end";
  /** what stands at its end, whatever is cut; "": nothing */
  readonly always?: string;
}

/**
 * context.md, whole (architecture 9.5): what planner and executor are given, and what a person can read at any time.
 * Sections: 0 Ticket, 1 Context, 2 Repository, 3 Task plan, 4 Results and task state, 5 Decisions so far. `maxTokens`:
 * what it is cut to, section by section, the longest first; each cut is said where it is. Infinity: nothing is cut.
 */
export function contextOf(state: WorkerState, maxTokens = Number.POSITIVE_INFINITY): string {
  const sections = [ticket(state), context(state), repository(state), plan(state), results(state), decided(state)];
  const heads = sections.map(({ title, always }, n) => `## ${n} ${title}\n${always ? `${always}\n` : ""}\n`);
  const room = shares(
    sections.map(({ text }) => tokensOf(text)),
    maxTokens - tokensOf(heads.join("")) - sections.length,
  );
  return sections.map((section, n) => whole(section, n, room[n]!)).join("\n");
}

function whole(section: Section, n: number, tokens: number): string {
  const lines = [cutTo(section, tokens), section.always ?? ""].filter((text) => text !== "");
  return `## ${n} ${section.title}\n${lines.join("\n") || "–"}\n`;
}

/** Shares out tokens: what is short is kept whole, and the long ones have the same room. */
function shares(wanted: readonly number[], most: number): readonly number[] {
  let room = Math.max(0, most);
  const got = wanted.map(() => 0);
  const order = wanted.map((_, n) => n).sort((a, b) => wanted[a]! - wanted[b]!);
  order.forEach((n, done) => {
    got[n] = Math.min(wanted[n]!, Math.floor(room / (order.length - done)));
    room -= got[n]!;
  });
  return got;
}

/** Cuts a text to so many tokens, at a line's end or within a line that is longer than all, and says how much is gone. */
function cutTo({ text, cut }: Section, tokens: number): string {
  if (tokensOf(text) <= tokens) return text;
  const lines = text.split("\n");
  const kept: string[] = [];
  const from = cut === "end" ? lines : lines.toReversed();
  let left = tokens - SAID_TOKENS;
  for (const line of from) {
    const wanted = tokensOf(`${line}\n`);
    if (wanted <= left) kept.push(line);
    else if (left > SAID_TOKENS) kept.push(partOf(line, left - 2, cut));
    left -= wanted;
    if (left < 0) break;
  }
  const gone = lines.length - kept.length;
  const said = [`[cut: ${gone} of ${lines.length} lines left out here]`, "[cut]"].find((one) => tokensOf(one) < tokens);
  const words = said === undefined ? [] : [said];
  return (cut === "end" ? [...kept, ...words] : [...words, ...kept.toReversed()]).join("\n");
}

/** Room for the words that say what is gone. */
const SAID_TOKENS = 16;

/** As much of a line as fits, from its beginning or its end, in whole characters. */
function partOf(line: string, tokens: number, cut: Section["cut"]): string {
  const bytes = Buffer.from(line);
  const most = Math.floor(tokens * 3.6) - 4;
  const part = new TextDecoder().decode(cut === "end" ? bytes.subarray(0, most) : bytes.subarray(-most));
  return cut === "end" ? `${part.replace(/\ufffd+$/, "")}…` : `…${part.replace(/^\ufffd+/, "")}`;
}

function ticket({ assignment }: WorkerState): Section {
  const criteria = assignment.acceptance_criteria.map(({ id, text }) => `- ${id}: ${text}`);
  const text = [
    `${assignment.task_id}: ${assignment.title}`,
    "Acceptance criteria:",
    ...criteria,
    ...viewLines(assignment),
    // a long text is cut at its end, and what has to be met must not be behind it
    ...(assignment.body.trim() === "" ? [] : ["Text:", assignment.body.trim()]),
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
    ...skillLines(research?.skills ?? []),
    ...(research?.specification ? [`specification ${assignment.specification}:`, research.specification] : []),
    ...(research?.instructions ? ["instructions of this repository:", research.instructions] : []),
  ];
  return { title: "Repository", text: lines.join("\n"), cut: "end" };
}

/** A line each: what they say in full is read when work of that kind begins. */
const skillLines = (skills: NonNullable<Research["skills"]>): readonly string[] =>
  skills.length === 0
    ? []
    : [
        "skills (read one before work of its kind):",
        ...skills.map(({ name, description, path }) => `- ${name}: ${description} (${path})`),
      ];

function plan(state: WorkerState): Section {
  const { plan: sent, goal, eoi } = state;
  const files = (sent?.plan.files ?? []).map(({ path, changes }) => `- ${path}: ${changes.join("; ")}`);
  const rows = (sent?.plan.ac_mapping ?? []).map(
    (row) => `- ${row.ac}: ${row.implementation} (${row.file}; ${row.test})`,
  );
  const now =
    goal && goal.over === null ? [`task type: ${goal.pattern.name}`, ...goal.goals.map((one) => `goal: ${one}`)] : [];
  const attention = eoi ? [`attention: ${eoi.kind} ${eoi.label}${eoi.path ? ` (${eoi.path})` : ""}`] : [];
  const approach = sent ? [`approach: ${sent.plan.approach}`] : [];
  const text = [...attention, ...approach, ...rows, ...files, ...now, ...treeLines(state)].join("\n");
  return { title: "Task plan", text, cut: "end" };
}

/** The task tree: nodes of this task as they are now, the others as they stood before it; none where nothing is known yet. */
function treeLines(state: WorkerState): readonly string[] {
  const before = state.research?.tree ?? [];
  const own = nodesOf(state).filter(({ status }) => status !== "unchanged");
  if (before.length === 0 && own.length === 0) return [];
  const nowOf = new Map(own.map(({ id, status, coverage_pct }) => [id, `${status} ${coverage_pct} %`]));
  const known = new Set(before.map(({ id }) => id));
  const old = before.map(({ id, text }) => (nowOf.has(id) ? `${text} (now ${nowOf.get(id)})` : text));
  const added = [...nowOf].filter(([id]) => !known.has(id)).map(([id, now]) => `- ${id} ${now}`);
  return ["task tree:", ...old, ...added];
}

/** The task's state first: it is what must never be cut. */
function results(state: WorkerState): Section {
  const { goal, done, validated } = state;
  const failures = inScopeFailures(state).map(({ words }) => `suite fails: ${words}`);
  const out = outOfScopeFailures(state).map(({ words }) => `fails, and did so before (not yours to mend): ${words}`);
  const suites = validated === null ? [] : [...failures, ...out, ...(failures.length === 0 ? ["suites pass"] : [])];
  return {
    title: "Results and task state",
    text: [...done.slice(-40).map(oneCall), ...suites].join("\n"),
    cut: "beginning",
    ...(goal ? { always: `task state: ${JSON.stringify(goal.task)}` } : {}),
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
