import { join } from "node:path";
import { expect, test } from "vitest";
import { repository, write } from "../../../test/support/scratch.ts";
import { readTicket } from "./ticket.ts";

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
