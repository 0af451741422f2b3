import { join } from "node:path";
import { expect, test } from "vitest";
import { repository, write } from "../../../test/support/scratch.ts";
import { assignmentFor, readTicket } from "./ticket.ts";

const read = (text: string) => {
  const { repo } = repository({ "a.txt": "a\n" });
  write(repo, { "T.md": text });
  return () => readTicket(repo, join(repo, "T.md"), { pawl: {}, base: "main" });
};

test.each([
  ["no text at all", "", "TICKET_EMPTY", /T\.md says nothing/],
  ["a title alone, and nothing to be done", "---\ntitle: x\n---\n \n", "TICKET_EMPTY", /T\.md says nothing/],
  ["front matter that is never closed", "---\ntitle: x\n", "FRONT_MATTER_OPEN", /T\.md/],
  ["one fault", "---\ntitle: x\nbudget: {spawns: many}\n---\nDo it.\n", "TYPE_BAD", /budget\.spawns/],
  [
    "two faults",
    "---\ntitle: x\nbudget: {spawns: many}\ntimeout_minutes: no\n---\nDo it.\n",
    "CONFIG_INVALID",
    /T\.md:3: .*; T\.md:4: /,
  ],
])("a ticket with %s is refused, with its place", (_, text, code, message) => {
  expect(read(text)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});

const AT = { run: "T/1/1", worktree: "/w", base: "main" };
const UNBOUND = { cost_usd: undefined, tokens: undefined, wall: undefined, spawns: undefined };
const budgetOf = (text: string, task = {}) => {
  const { repo } = repository({ "a.txt": "a\n" });
  write(repo, { "T.md": text });
  const pawl: Parameters<typeof readTicket>[2]["pawl"] = {
    budgets: { task: { ...UNBOUND, ...task }, backlog: undefined, on_limit: undefined },
  };
  return assignmentFor(readTicket(repo, join(repo, "T.md"), { pawl, base: "main" }), AT).budget;
};

test.each([
  ["its own budget", "budget: {cost_usd: 1.5, tokens: 9000, wall: 1h}\n", {}, budget(1.5, 9_000, 3_600_000)],
  ["that of each task, where it says nothing", "", { cost_usd: 2, tokens: 500 }, { cost_usd: 2, tokens: 500 }],
  ["its own in place of that", "budget: {tokens: 7}\n", { tokens: 500 }, { tokens: 7 }],
  ["none at all", "", {}, undefined],
  ["spawns alone, which are the processor's", "budget: {spawns: 3}\n", {}, undefined],
])("a worker at a ticket is bound by %s", (_, front, task, expected) => {
  expect(budgetOf(`---\ntitle: x\n${front}---\nDo it.\n`, task)).toEqual(expected);
});

function budget(cost_usd: number, tokens: number, wall_ms: number) {
  return { cost_usd, tokens, wall_ms };
}
