import { expect, test } from "vitest";
import { pawlFile } from "./pawl-file.ts";
import { parseYaml } from "./spot.ts";

function read(yaml: string) {
  const root = parseYaml({ file: "pawl.yaml", yaml });
  const { research, skills, patterns } = pawlFile(root);
  return { research, skills, patterns, faults: root.text.faults.map(({ code }) => code) };
}

test.each([
  ["research: {provider: searxng, url_env: SEARX}", { provider: "searxng", urlEnv: "SEARX" }],
  ["research: {provider: brave, key_env: BRAVE}", { provider: "brave", keyEnv: "BRAVE" }],
  ["research: {provider: tavily, key_env: TAVILY}", { provider: "tavily", keyEnv: "TAVILY" }],
])("%s", (yaml, research) => {
  expect(read(yaml)).toMatchObject({ research, faults: [] });
});

test.each([
  ["research: {provider: brave}", "KEY_MISSING"],
  ["research: {url_env: X}", "KEY_MISSING"],
  ["research: {provider: google}", "TYPE_BAD"],
  ["research: {provider: brave, key: abc}", "KEY_UNKNOWN"],
  ["research: {provider: brave, key_env: BRAVE, permits: 127.0.0.1}", "KEY_UNKNOWN"],
  ["skills: ../elsewhere", "TYPE_BAD"],
  ["patterns: /etc", "TYPE_BAD"],
])("%s is a fault: %s", (yaml, code) => {
  expect(read(yaml).faults).toContain(code);
});

test("skills is a folder or several, patterns one", () => {
  expect(read("skills: [.claude/skills, docs/skills/]\npatterns: kinds")).toEqual({
    research: undefined,
    skills: [".claude/skills", "docs/skills"],
    patterns: "kinds",
    faults: [],
  });
});
