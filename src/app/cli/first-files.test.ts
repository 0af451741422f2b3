import { expect, it } from "vitest";
import { firstFiles } from "./first-files.ts";

const written = (agent: string) =>
  firstFiles({ agent, checks: [], setup: null, base: null, full: false })["pawl.yaml"]!;

it("an agent that has a name is named, and a command is a command", () => {
  expect(written("claude")).toContain("\nagents: {default: claude} ");
  expect(written("pawl")).toContain("\nagents: {default: pawl} ");
  expect(written("./fix.sh")).toContain("\nagents: {default: {command: ./fix.sh, verdict: exit_code}} ");
});
