import { describe, expect, test } from "vitest";
import { issuesOnGitHub, issuesOnGitLab } from "../../../test/support/far-issues.ts";

describe.each([
  ["GitHub", issuesOnGitHub, { number: 1, title: "Find red", html_url: "u" }],
  ["GitLab", issuesOnGitLab, { iid: 1, title: "Find red", web_url: "u" }],
] as const)("pawl sync with %s", (name, make, issue) => {
  const LIST = { method: "GET", path: /issues\?state=/ } as const;

  test.each([404, 410])("a repository that shows no issues (%i) is an error, not a backlog of none", async (status) => {
    const { sync, server } = await make();
    server.fault({ ...LIST, answer: { status, body: { message: "Not Found" } } });
    const said = await sync();
    expect(said.code).toBe(4);
    expect(said.err).toMatch(new RegExp(`${name} shows acme/\\S*shop, and no list of its issues \\(${status}\\)`));
    expect(said.err).toMatch(/next: see whether issues are switched on there, and whether the token in TOK/);
  });

  test("an entry that is no issue holds up no other one, and is said once", async () => {
    const { sync, task, server } = await make();
    server.fault({ ...LIST, answer: { status: 200, body: [null, issue, issue, 5, { ...issue, title: "" }] } });
    const said = await sync();
    expect(said.code).toBe(0);
    expect(said.out).toMatch(/^not all: .*: 3 entries are left out, .* has null in place of an issue$/m);
    expect(said.out).toMatch(/^1 issue, 0 as before$/m);
    expect(task("gh-1")).toContain("Find red");
  });

  test("what an issue waits for, and cannot be read, holds that issue up and no other", async () => {
    const { sync, task, server } = await make();
    const other = name === "GitHub" ? { ...issue, number: 2 } : { ...issue, iid: 2 };
    server.fault({ ...LIST, answer: { status: 200, body: [issue, other] } });
    const links = /issues\/1\/(dependencies\/blocked_by|links)/;
    server.fault({ method: "GET", path: links, answer: { status: 200, body: [null, { link_type: "is_blocked_by" }] } });
    const said = await sync();
    expect(said.code).toBe(0);
    expect(task("gh-1")).toMatch(/^draft: true/m);
    expect(said.out).toContain("it depends on something that cannot be read");
    expect(task("gh-2")).not.toMatch(/^draft: true/m);
  });

  test("a list of entries that are all no issues is an error", async () => {
    const { sync, server } = await make();
    server.fault({ ...LIST, answer: { status: 200, body: [{ title: "Without a number" }] } });
    const said = await sync();
    expect(said.code).toBe(1);
    expect(said.err).toMatch(/the forge's answer has no (number|iid) of an issue/);
    expect(said.err).toMatch(/next: see whether base_url in pawl.yaml/);
  });
});
