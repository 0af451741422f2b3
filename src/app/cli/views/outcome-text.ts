import type { TaskFact } from "../../../domain/fact.ts";
import type { Finding } from "../../../domain/task.ts";
import { oneLine } from "../printable.ts";
import type { Chapter } from "./fact-lines.ts";

type Entered = Extract<TaskFact, { kind: "phase-entered" }>;
type Said = { readonly word: string; readonly text: string; readonly tone: "good" | "bad" | "yours" | "plain" };

/** The outcome that a phase was left with: ADVANCE, RETRY or WAIT, and why. */
export function moveText(fact: Entered, { facts }: Chapter): Said | null {
  switch (fact.cause) {
    case "PICKUP":
      return { word: "started", text: `at ${fact.phase}`, tone: "plain" };
    case "ADVANCE":
      return { word: "ADVANCE", text: passText(facts) ?? `to ${fact.phase}`, tone: "plain" };
    case "RETRY":
      return { word: "RETRY", text: `round ${fact.round}, ${complaintText(facts)}`, tone: "bad" };
    case "CONFLICT":
      return { word: "WAIT", text: `${complaintText(facts)}; to ${fact.phase}, no round`, tone: "plain" };
    case "WAIT":
      return { word: "WAIT", text: `to ${fact.phase}`, tone: "plain" };
    case "VOID":
      return {
        word: "WAIT",
        text: `the head moved since it was approved; back to ${fact.phase}, no round`,
        tone: "plain",
      };
    case "BACK": {
      const moved = facts.some((one) => one.kind === "head-moved" && one.foreign);
      const text = moved ? `somebody else moved the branch: back to ${fact.phase}` : `${fact.phase} has to come first`;
      return { word: "WAIT", text: `${text}, no round`, tone: "plain" };
    }
    case "ESCALATE":
      return { word: "escalate", text: `its timeout has passed; to ${fact.phase}, no round`, tone: "yours" };
    case "COMMAND": {
      const by = facts.find((one) => one.kind === "task-retried");
      return { word: "retried", text: `at ${fact.phase}${by ? `, by ${oneLine(by.by)}` : ""}`, tone: "plain" };
    }
  }
}

/** Who or what said yes. */
function passText(facts: Chapter["facts"]): string | null {
  for (const fact of facts) {
    if (fact.kind === "worker-ended" && fact.end.how === "verdict")
      return `${fact.end.verdict}${fact.end.detail ? `, ${oneLine(fact.end.detail)}` : ""}`;
    if (fact.kind === "worker-ended" && fact.end.how === "exit") return `exit ${fact.end.code ?? "unknown"}`;
    if (fact.kind === "signal-answered")
      return `${fact.signal} approved by ${oneLine(fact.answer.by)}${fact.answer.message ? `: ${oneLine(fact.answer.message)}` : ""}`;
  }
  return null;
}

/** The first finding that was raised, and how many more. */
function complaintText(facts: Chapter["facts"]): string {
  const raised = facts.flatMap((fact) =>
    fact.kind === "finding-opened" || fact.kind === "finding-repeated" ? [fact.finding] : [],
  );
  const [first] = raised;
  if (first === undefined) return waivedText(facts);
  return `${findingText(first)}${raised.length > 1 ? ` and ${raised.length - 1} more` : ""}`;
}

/** Nothing that counts was raised: what a person waived is left to be committed by the next worker. */
function waivedText(facts: Chapter["facts"]): string {
  const said = facts.flatMap((fact) =>
    fact.kind === "worker-ended" && fact.end.how === "verdict" ? fact.end.findings : [],
  );
  const [first] = said;
  if (first === undefined) return "no finding";
  const more = said.length > 1 ? ` and ${said.length - 1} more` : "";
  return `only what was waived: ${oneLine(first.text)}${more}; it is still to be committed`;
}

/** `F1: colour compared with case (src/search.ts:41)` */
export function findingText({ label, text, file, line }: Finding): string {
  const place = file === undefined ? "" : ` (${oneLine(file)}${line === undefined ? "" : `:${line}`})`;
  return `${label}: ${oneLine(text)}${place}`;
}
