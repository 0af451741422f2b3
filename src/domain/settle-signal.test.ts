import { expect, it } from "vitest";
import { answered, asking, atPhase, finding, settled } from "../../test/support/rows.ts";
import { findingId } from "./findings.ts";
import type { SignalAnswer } from "./input.ts";

/** A task that asks reviewers, with two of their conversations open. */
function after(answer: Partial<SignalAnswer>): Readonly<Record<string, string>> {
  const findings = ["thread:1", "thread:2"].map((key) =>
    finding({ id: findingId("await-review", { key, text: "" }), label: key, key, text: key, state: "open" }),
  );
  const task = atPhase("await-review", { doing: asking("pr-approved"), findings });
  const { row } = settled(task, answered(answer, "pr-approved"));
  return Object.fromEntries(row.findings.map(({ label, state }) => [label, state]));
}

it("a conversation that somebody has closed is fixed, and no other one", () => {
  expect(after({ status: "pending", over: ["thread:1"] })).toEqual({ "thread:1": "fixed", "thread:2": "open" });
  expect(after({ status: "pending" })).toEqual({ "thread:1": "open", "thread:2": "open" });
});
