import { expect, test } from "vitest";
import { commandLine } from "../../../test/support/command-line.ts";
import { repository, scratch, write } from "../../../test/support/scratch.ts";

const CAST = `agents: {default: {command: "true"}, verifier: {command: [pawl, check]}, phone: {device: {target: "adb:x"}}}\n`;
const task = (matter: string) => `---\ntitle: x\n${matter}\n---\n`;
const phases = (after: string) => `phases: {version: 1, phases: {look: {run: agent phone, ${after}}}\n`;
const LOOK = "on_pass: done, on_fail: look";

/** What `pawl validate` says of two tasks on a screen, and one that is not, on such a map. */
async function validated(map: string) {
  const { repo } = repository({}, { at: scratch() });
  const two = { "tasks/a.md": task("environment: device"), "tasks/b.md": task("environment: device") };
  write(repo, { "pawl.yaml": CAST + map, ...two, "tasks/c.md": task("") });
  return commandLine(repo, ["validate"]);
}

test("validate warns of tasks on a screen that nobody judges, once for all of a map, and is content with them", async () => {
  const { code, err, out } = await validated(phases(`${LOOK}}`));
  expect([code, out]).toEqual([0, expect.stringContaining("3 tasks")]);
  expect(err.match(/SCREEN_UNJUDGED/g)).toHaveLength(1);
  expect(err.replace(/\s+/g, " ")).toContain(
    "warning[SCREEN_UNJUDGED] the model's own word completes a (and 1 more): no phase of pawl.yaml judges its work",
  );
  expect(err).toContain("tasks/a.md:3:14");
});

for (const [judge, map] of [
  [
    "a person's approval",
    phases("on_pass: ask, on_fail: look}, ask: {run: signal human-approval, on_pass: done, on_fail: look}"),
  ],
  [
    "another agent",
    phases("on_pass: verify, on_fail: look}, verify: {run: agent verifier, on_pass: done, on_fail: look}"),
  ],
  ["the map that Pawl has", ""],
])
  test(`validate is silent where ${judge} judges it`, async () => {
    const { code, err } = await validated(map!);
    expect([code, err]).toEqual([0, expect.not.stringContaining("SCREEN_UNJUDGED")]);
  });
