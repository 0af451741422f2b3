import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../../test/support/command-line.ts";
import { issuesOnGitHub as onGitHub, issuesOnGitLab as onGitLab } from "../../../test/support/far-issues.ts";
import { git, repository, write } from "../../../test/support/scratch.ts";
import { readTask } from "../config/written-task.ts";
import { dependsOn } from "./depends-on.ts";
import { issuesAt } from "./issues-at.ts";
import { stepFor } from "./plan.ts";
import { carryOut } from "./sync.ts";

describe.each([
  ["GitHub", onGitHub],
  ["GitLab", onGitLab],
] as const)("issues of %s", (_, make) => {
  test("become task files, with whom they depend on, and change when they change", async () => {
    const { repo, sync, task, issue } = await make();
    issue(1, {
      title: 'Find "red": all of it',
      body: "Nobody finds red.\r\n\r\nDepends on #2 and #3.",
      labels: ["pawl", "bug"],
    });
    issue(2, { body: "- [ ] red is there" });
    issue(3, { state: "closed" });
    issue(4, { labels: ["bug"] });
    const first = await sync();
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(
      /^wrote +tasks\/gh-1\.md +Find "red": all of it *\nwrote +tasks\/gh-2\.md +Issue 2 *\n2 issues, 0 as before$/m,
    );
    const read = readTask(repo, "tasks/gh-1.md")!;
    expect(read).toMatchObject({
      ...{
        title: 'Find "red": all of it',
        body: "Nobody finds red.\n\nDepends on #2 and #3.\n",
        faults: [],
        extra: {},
      },
      fields: { type: "code_modify", labels: ["pawl", "bug"], source: expect.stringMatching(/\/issues\/1$/) },
    });
    expect(read.deps.map(({ name }) => name)).toEqual(["gh-2"]);
    expect([task("gh-3"), task("gh-4")]).toEqual([null, null]);

    const before = task("gh-1");
    expect((await sync()).out.trim()).toBe("2 issues, 2 as before");
    issue(2, { title: "Have red" });
    expect((await sync("--dry")).out).toMatch(/^would update +tasks\/gh-2\.md +Have red/m);
    expect(task("gh-2")).not.toContain("Have red");
    expect((await sync()).out).toMatch(/^updated +tasks\/gh-2\.md +Have red *\n2 issues, 1 as before$/m);
    expect([task("gh-1"), readTask(repo, "tasks/gh-2.md")!.title]).toEqual([before, "Have red"]);
  });

  test("wait for what they are linked to, as long as it is open, here as a task and elsewhere as a draft", async () => {
    const { repo, sync, issue } = await make();
    issue(1, {});
    issue(2, { state: "closed" });
    issue(3, { body: "Depends on #1", blockers: [1, 2] });
    issue(4, { blockers: ["acme/other#7"] });
    expect((await sync()).out).toMatch(/gh-4\.md .*it depends on acme\/other#7, open and no task/);
    const read = [1, 3, 4].map((n) => readTask(repo, `tasks/gh-${n}.md`)!);
    expect(read.map(({ deps }) => deps.map(({ name }) => name))).toEqual([[], ["gh-1"], []]);
    expect(read.map(({ fields }) => fields.draft)).toEqual([undefined, undefined, true]);
  });

  test("that were edited here stay so, and it is said when they changed there too", async () => {
    const { repo, sync, task, issue } = await make();
    issue(1, {});
    write(repo, { "tasks/gh-2.md": "---\ntitle: Mine\n---\nMine.\n" });
    issue(2, {});
    await sync();
    expect(task("gh-2")).toContain("Mine");
    // how lines end is git's to change
    write(repo, { "tasks/gh-1.md": task("gh-1")!.replaceAll("\n", "\r\n") });
    issue(1, { title: "Changed" });
    expect((await sync()).out).toMatch(/^updated +tasks\/gh-1\.md +Changed/m);
    const mine = `${task("gh-1")}And blue.\n`;
    write(repo, { "tasks/gh-1.md": mine });
    expect((await sync()).out).toMatch(/^kept +tasks\/gh-1\.md +Changed +edited here$/m);
    issue(1, { title: "Changed again" });
    const both = await sync("--json");
    expect(JSON.parse(both.out).kept).toMatchObject([
      { id: "gh-1", why: "edited here, and changed there: delete it and sync again, to take theirs" },
      { id: "gh-2", why: "it was not written by pawl sync" },
    ]);
    expect(task("gh-1")).toBe(mine);
  });
});

describe("pawl sync", () => {
  test("an issue cannot halt the others: circles, and what waits for no task, are drafts", async () => {
    const { repo, sync, issue } = await onGitHub();
    issue(1, { body: "Depends on #2" });
    issue(2, { body: "Blocked by: #1" });
    issue(3, { body: "depends on #4, #99" });
    issue(4, { labels: [] });
    issue(5, { body: "depends on #1" });
    const { out } = await sync();
    expect(out).toMatch(/gh-1\.md .*circle/);
    expect(out).toMatch(/gh-3\.md .*depends on #4, open and no task/);
    const drafts = [1, 2, 3, 5]
      .map((n) => readTask(repo, `tasks/gh-${n}.md`)!)
      .map(({ fields, deps }) => [fields.draft ?? false, deps.length]);
    expect(drafts).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
      [false, 1],
    ]);
    expect(await commandLine(repo, ["validate"])).toMatchObject({ code: 0 });
    issue(2, { body: "free" });
    await sync();
    expect(readTask(repo, "tasks/gh-1.md")).toMatchObject({ fields: { labels: ["pawl"] }, deps: [{ name: "gh-2" }] });
    expect(readTask(repo, "tasks/gh-1.md")!.fields.draft).toBe(undefined);
  });

  test("an issue of GitHub waits for its parts too; one without links is not asked for them", async () => {
    const { repo, sync, issue, server } = await onGitHub();
    issue(1, {});
    issue(2, {});
    Object.assign(server.state.issues[1]!, { parts: [1] });
    await sync();
    expect(readTask(repo, "tasks/gh-2.md")!.deps).toMatchObject([{ name: "gh-1" }]);
    expect(
      server.asked.filter(({ path }) => path.includes("/sub_issues")).map(({ path }) => path.split("?")[0]),
    ).toEqual(["/repos/acme/shop/issues/2/sub_issues"]);
  });

  test("what is no text, or too much of one, makes no task file that a processor cannot read", async () => {
    const { repo, sync, issue } = await onGitHub();
    issue(1, { title: "\0 \u001b", body: "a\0b\u0007\tc\n---\nsource_hash: 0\n" });
    issue(2, { title: "---\ntitle: two", body: "🙂".repeat(300_000) });
    await sync();
    expect(readTask(repo, "tasks/gh-1.md")).toMatchObject({
      title: "Issue 1",
      faults: [],
      body: "ab\tc\n---\nsource_hash: 0\n",
    });
    expect(readTask(repo, "tasks/gh-2.md")).toMatchObject({ title: "--- title: two", faults: [] });
    expect((await sync()).out.trim()).toBe("2 issues, 2 as before");
    expect(await commandLine(repo, ["validate"])).toMatchObject({ code: 0 });
  });

  test("each issue that has begun has one comment, which is edited", async () => {
    const { repo, sync, issue, comments, server } = await onGitHub();
    issue(1, { title: "One" });
    issue(2, { title: "Two", body: "Depends on #1" });
    await sync();
    expect([comments(1), comments(2)]).toEqual([[], []]);
    write(repo, { "agents/work.sh": "#!/bin/sh\nexit 1\n" });
    git(repo, "add", ".");
    git(repo, "commit", "-qm", "Tasks");
    git(repo, "push", "-q", "origin", "main");
    await commandLine(repo, ["run", "--once", "-q"]);
    expect((await sync()).out).toContain("1 comment written");
    expect(comments(1)).toEqual([
      expect.stringMatching(
        /^<!-- pawl-key: intake\/gh-1 -->\n\*\*Pawl\*\* has this as task `gh-1`: in-progress at `implement`\.$/,
      ),
    ]);
    await commandLine(repo, ["cancel", "gh-1", "-m", "no `more` of it", "--yes"]);
    await commandLine(repo, ["run", "--once", "-q"]);
    server.fault({
      method: "PATCH",
      path: /issues\/comments/,
      answer: { status: 403, body: { message: "Resource not accessible" } },
    });
    expect(await sync()).toMatchObject({
      code: 1,
      out: expect.stringContaining("not told: gh-1: GitHub answered 403"),
    });
    expect(await sync()).toMatchObject({ code: 0 });
    expect(comments(1)).toEqual([
      expect.stringMatching(/: failed at `implement`\.\n\n`cancelled by [^`\n]+: no more of it`$/),
    ]);
    const writes = server.asked.filter(({ method }) => method !== "GET").length;
    await sync();
    expect(server.asked.filter(({ method }) => method !== "GET")).toHaveLength(writes);
    expect(comments(2)).toEqual([]);
  }, 120_000);

  test("says what it misses: the key, the label, the token, the project", async () => {
    const { repo, sync } = await onGitHub();
    const yaml = readFileSync(join(repo, "pawl.yaml"), "utf8");
    const said = async (text: string) => {
      write(repo, { "pawl.yaml": text });
      const { code, err } = await sync();
      return `${code} ${err}`;
    };
    expect(await said("tasks: tasks\n")).toMatch(/^2 .*pawl\.yaml names no issues/s);
    expect(await said(yaml.replace("label: pawl, ", ""))).toMatch(/^2 .*needs label/s);
    expect(await said(yaml.replace("TOK", "NONE"))).toMatch(/^4 .*NONE is empty/s);
    expect(await said(yaml.replace("acme/shop", "acme/other"))).toMatch(/^4 .*acme\/other/s);
  });
});

test("a comment at an issue of GitLab is edited, and no line of it is an order", async () => {
  const { server, issue, comments } = await onGitLab();
  issue(1, {});
  const place = { kind: "gitlab", repo: "acme/web/shop", tokenEnv: "TOK", baseUrl: server.api } as const;
  const issues = await issuesAt(place, { pawl: {}, env: { TOK: "tok" } });
  const { signal } = new AbortController();
  await issues.comment(1, null, "first\n/close", signal);
  expect(comments(1)).toEqual(["first\n\\/close"]);
  const [note] = await issues.comments(1, signal);
  expect(await issues.comment(1, note!.id, "second", signal)).toEqual({ kind: "ok", value: null });
  expect([comments(1), server.state.issues[0]!.state]).toEqual([["second"], "opened"]);
});

test.each<readonly [string, readonly number[]]>([
  ["Depends on #12", [12]],
  ["It depends on #12, #13 and #14. See #15.", [12, 13, 14]],
  ["blocked by: #3, and #4\nBlocked by #3", [3, 4]],
  ["depends on #7", []],
  ["This depends on the weather, #3", []],
  ["`Depends on #1` and\n```\nDepends on #2\n```\n", []],
])("%j depends on %j", (text, numbers) => {
  expect(dependsOn(text, 7)).toEqual(numbers);
});

test("two intakes that cannot be read hold up no third one, and each is named", async () => {
  const { repo, sync, task, issue, server } = await onGitHub();
  issue(1, { title: "Find red" });
  const good = `{github: {repo: acme/shop, label: pawl, token_env: TOK, base_url: "${server.url}"}}`;
  const gone = `{github: {repo: acme/gone, label: pawl, prefix: gone-, token_env: TOK, base_url: "${server.url}"}}`;
  const mute = `{gitlab: {repo: acme/mute, label: pawl, token_env: NO_SUCH_TOKEN}}`;
  write(repo, { "pawl.yaml": `intake: [${gone}, ${good}, ${mute}]\n` });
  const said = await sync();
  expect(said.code).toBe(4);
  expect(said.out).toContain("tasks/gh-1.md");
  expect(task("gh-1")).toContain("Find red");
  expect(said.err).toContain("issues of github acme/gone: ");
  expect(said.err).toContain("issues of gitlab acme/mute: the variable NO_SUCH_TOKEN is empty");
  const json = JSON.parse((await sync("--json")).out);
  expect(json).toMatchObject({ ok: false, errors: [{ code: "FORGE_DENIED" }, { code: "FORGE_DENIED" }] });
});

test("a file that somebody edits in the moment before it is updated, or makes before it is written, stays", () => {
  const { repo } = repository({ "a.txt": "" });
  const issue = { number: 1, title: "Old", body: "", state: "open", labels: [], url: "u", mayWait: false } as const;
  const taken = { id: "gh-1", issue, deps: [], type: null, draft: null };
  const file = "tasks/gh-1.md";
  const write1 = stepFor(taken, null, "tasks");
  expect([carryOut(repo, write1), carryOut(repo, write1)]).toEqual([true, false]);
  const there = { file, text: write1.text };
  const update = stepFor({ ...taken, issue: { ...issue, title: "New" } }, there, "tasks");
  write(repo, { [file]: `${write1.text}Mine.\n` });
  expect(carryOut(repo, update)).toBe(false);
  expect(readFileSync(join(repo, file), "utf8")).toContain("Mine.");
  write(repo, { [file]: write1.text });
  expect(carryOut(repo, update)).toBe(true);
  rmSync(join(repo, file));
  expect(carryOut(repo, update)).toBe(false);
});
