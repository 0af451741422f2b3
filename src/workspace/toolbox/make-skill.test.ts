import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { repository } from "../../../test/support/scratch.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import { openHands } from "../../app/hands.ts";
import { scopeOf } from "../../app/scope.ts";
import { listSkills } from "../skills/list-skills.ts";
import { readSkill } from "../skills/skill-text.ts";
import { skillTool } from "./make-skill.ts";

const FOLDER = ".claude/skills";
const GOOD = {
  name: "run-tests",
  description: "How tests are run here: read it before you run one.",
  body: "# Tests\n\nSee [the list](references/list.md).",
  sources: ["https://example.org/tests", "README.md"],
  files: [{ path: "references/list.md", text: "one\n" }],
};

async function skills(of: { scope?: string; files?: Record<string, string> } = {}) {
  const { repo: top } = repository({ "README.md": "# It\n", ...of.files });
  const scope = scopeOf([of.scope ?? `${FOLDER}/**`]);
  const hands = await openHands({ folder: top, env: process.env, scope });
  onTestFinished(() => hands.close());
  const files = systemFiles();
  const tool = skillTool({ hands, files, top, folder: FOLDER });
  const make = (over: Record<string, unknown> = {}) =>
    tool.run({ ...GOOD, ...over }, { signal: new AbortController().signal, logFile: null });
  return { top, make, list: () => listSkills({ files, top }, [FOLDER]) };
}

test("a skill is a folder with SKILL.md, valid, named in what changed, and listed from then on", async () => {
  const { top, make, list } = await skills();
  expect(list()).toEqual([]);
  expect(await make()).toMatchObject({
    ok: true,
    data: { valid: true, faults: [] },
    changed: [`${FOLDER}/run-tests/SKILL.md`, `${FOLDER}/run-tests/references/list.md`],
  });
  const text = readFileSync(join(top, FOLDER, "run-tests/SKILL.md"), "utf8");
  expect(text).toBe(
    '---\nname: run-tests\ndescription: "How tests are run here: read it before you run one."\n---\n\n# Tests\n\n' +
      "See [the list](references/list.md).\n\n## Sources\n\n- <https://example.org/tests>\n- `README.md`\n",
  );
  expect(list()).toEqual([{ name: "run-tests", description: GOOD.description, path: `${FOLDER}/run-tests/SKILL.md` }]);
});

test.each([
  ["a name that is none", { name: "Run_Tests" }, "has to be 1 to 64"],
  ["a name that leaves the folder", { name: "../x" }, "has to be 1 to 64"],
  ["a name that is too long", { name: "x".repeat(65) }, "has to be 1 to 64"],
  ["a description that is too long", { description: "x".repeat(1_025) }, "may have 1024"],
  ["too many lines", { body: "x\n".repeat(501) }, "may have 500"],
  ["a body that is too long", { body: "x".repeat(24_001) }, "may have 24000"],
  ["a link to nothing", { body: "[a](references/gone.md)" }, "link references/gone.md leads to no file"],
  ["a link out of the folder", { body: "[a](../../x.md)" }, "leads out of the skill's folder"],
  ["a source that is not there", { sources: ["docs/gone.md"] }, "is no address, and no file"],
  ["no sources", { sources: [] }, "sources"],
  ["a file outside", { files: [{ path: "../other/x.md", text: "" }] }, "does not lie beside SKILL.md"],
  ["a second SKILL.md", { files: [{ path: "./SKILL.md", text: "" }] }, "does not lie beside SKILL.md"],
])("%s is a fault, and nothing is written", async (_, over, words) => {
  const { top, make } = await skills();
  const result = await make(over);
  expect(result.ok).toBe(false);
  expect(result.text).toContain(words);
  expect(result.changed).toBeUndefined();
  expect(existsSync(join(top, FOLDER))).toBe(false);
});

test("a description with a colon, a quote and lines comes back as it was, on one line", async () => {
  const { top, make } = await skills();
  await make({ description: 'say: "x"\n  # and #y' });
  const text = readFileSync(join(top, FOLDER, "run-tests/SKILL.md"), "utf8");
  expect(readSkill(text)).toMatchObject({ name: "run-tests", description: 'say: "x" # and #y' });
});

test("links in code are none, and addresses and anchors are not looked for", async () => {
  const { make } = await skills();
  const body =
    "```\n[a](gone.md)\n```\n`[b](gone.md)` [c](https://x.org/gone.md) [d](#here) [e](references/list.md#two)";
  expect(await make({ body })).toMatchObject({ ok: true });
});

test("an existing skill needs overwrite; the same one again is made already", async () => {
  const { make, top } = await skills();
  await make();
  expect(await make()).toMatchObject({ ok: true, data: { valid: true } });
  expect(await make({ body: "other" })).toMatchObject({ ok: false, data: { valid: false } });
  expect(await make({ body: "other", overwrite: true })).toMatchObject({ ok: true, data: { valid: true } });
  expect(readFileSync(join(top, FOLDER, "run-tests/SKILL.md"), "utf8")).toContain("\nother\n");
});

test("where the write scope leaves the folder out, nothing is written, and the scope says so", async () => {
  const { make, top } = await skills({ scope: "src/**" });
  const result = await make();
  expect(result).toMatchObject({ ok: false, data: { valid: false } });
  expect(result.text).toContain("OUT_OF_SCOPE");
  expect(existsSync(join(top, FOLDER))).toBe(false);
});

test("what is no skill is not listed, and breaks nothing", async () => {
  const { list } = await skills({
    files: {
      [`${FOLDER}/a/SKILL.md`]: "no front matter",
      [`${FOLDER}/b/SKILL.md`]: "---\nname: [\n---\n",
      [`${FOLDER}/c/SKILL.md`]: "---\nname: other\ndescription: d\n---\n",
      [`${FOLDER}/d/notes.md`]: "x",
      [`${FOLDER}/e/SKILL.md`]: "---\r\nname: e\r\ndescription: >\r\n  two\r\n  lines\r\nlicense: MIT\r\n---\r\nbody",
    },
  });
  expect(list()).toEqual([{ name: "e", description: "two lines", path: `${FOLDER}/e/SKILL.md` }]);
});
