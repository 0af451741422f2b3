import { expect, test } from "vitest";
import { issuesOnGitHub, issuesOnGitLab } from "../../../test/support/far-issues.ts";
import { write } from "../../../test/support/scratch.ts";
import { queryFault } from "../config/issue-query.ts";
import { readTask } from "../config/written-task.ts";

const ON_GITHUB = 'query: "milestone:v2 -label:later label:ours (color OR shade)", label: pawl';
const ON_GITLAB = 'query: "labels=ours&milestone=v2&not[labels]=later&search=color", label: pawl';

test.each([
  ["GitHub", () => issuesOnGitHub({ keys: ON_GITHUB })],
  ["GitLab", () => issuesOnGitLab({ keys: ON_GITLAB })],
] as const)("a query of %s's own chooses issues, beside the label", async (_, make) => {
  const { repo, sync, issue, task } = await make();
  const labels = ["pawl", "ours"];
  issue(1, { title: "Mend color", milestone: "v2", labels, body: "Depends on #6" });
  issue(2, { title: "Mend color", milestone: "v1", labels });
  issue(3, { title: "Mend color", milestone: "v2", labels: [...labels, "later"] });
  issue(4, { title: "Mend size", milestone: "v2", labels });
  issue(5, { title: "Mend color", milestone: "v2", labels: ["pawl"] });
  issue(6, { title: "color of all", milestone: "v2", labels, state: "closed" });
  issue(7, { title: "color", milestone: "v2", labels, blockers: [1] });
  issue(8, { title: "color", milestone: "v2", labels: ["ours"] });
  expect((await sync()).out).toMatch(/^wrote +tasks\/gh-1\.md .*\nwrote +tasks\/gh-7\.md .*\n2 issues, 0 as before$/m);
  expect([2, 3, 4, 5, 6, 8].map((number) => task(`gh-${number}`))).toEqual([null, null, null, null, null, null]);
  expect(readTask(repo, "tasks/gh-7.md")!.deps.map(({ name }) => name)).toEqual(["gh-1"]);
});

test("a search of GitHub's is read page after page; what it leaves out is said", async () => {
  const { sync, issue, server } = await issuesOnGitHub({ keys: 'query: "label:pawl"' });
  for (let number = 1; number <= 1_003; number++) issue(number, {});
  const pages = () => server.asked.filter(({ path }) => path.startsWith("/search/")).length;
  expect((await sync("--dry")).out).toMatch(
    /^not all: issues of github acme\/shop: a search gives the 1000 oldest of 1003: narrow the query\n1000 issues/m,
  );
  expect(pages()).toBe(10);
  server.state.issues.length = 2;
  server.search.isSlow = true;
  const slow = JSON.parse((await sync("--dry", "--json")).out) as { missing: string[] };
  expect(slow.missing).toEqual([expect.stringContaining("GitHub searched for too long")]);
});

test("a search that is limited, or not understood, is told as that", async () => {
  const { repo, sync, issue, server } = await issuesOnGitHub({ keys: 'query: "label:pawl"' });
  issue(1, {});
  server.search.left = 0;
  expect(await sync()).toMatchObject({ code: 1, err: expect.stringContaining("GitHub limits requests until") });
  server.search.left = 9;
  const place = `token_env: TOK, base_url: "${server.url}"`;
  write(repo, { "pawl.yaml": `intake: [{github: {repo: acme/shop, query: "label:pawl colour:red", ${place}}}]\n` });
  expect(await sync()).toMatchObject({ code: 2, err: expect.stringMatching(/does not take the query: .*colour/) });
  const lab = await issuesOnGitLab({ keys: 'query: "labels=pawl&assignee_id=ann"' });
  lab.issue(1, {});
  expect(await lab.sync()).toMatchObject({ code: 2, err: expect.stringContaining("assignee_id is invalid") });
});

test.each<readonly ["github" | "gitlab", string, string | null]>([
  ["github", "label:pawl milestone:v2 -label:later", null],
  ["github", "label:pawl repo:acme/other", '"repo:" of a query is Pawl\'s'],
  ["github", "label:pawl is:closed", '"is:" of a query'],
  ["github", "label:pawl sort:updated-desc", '"sort:" of a query'],
  ["github", `label:pawl ${"x ".repeat(130)}`, "256 characters"],
  ["gitlab", "labels=pawl&not[labels]=later&not[iids][]=4&milestone=v 2", null],
  ["gitlab", "labels=pawl&state=closed", '"state" is no filter'],
  ["gitlab", "labels=pawl&milestone", '"milestone" is no filter'],
  ["gitlab", "pawl", '"pawl" is no filter'],
])("of %s the query %j can be one: %s", (kind, query, fault) => {
  const found = queryFault(kind, query);
  if (fault === null) expect(found).toBe(null);
  else expect(found!.why).toContain(fault);
});

test.each([
  ["github", "milestone:v2", true],
  ["github", "(label:a OR label:b)", true],
  ["github", "color", false],
  ["github", "-label:later color", false],
  ["gitlab", "assignee_username=ann", true],
  ["gitlab", "search=color", false],
  ["gitlab", "milestone=None", false],
  ["gitlab", "not[labels]=later", false],
] as const)("of %s, %j alone says whose issues are trusted: %s", async (kind, query, isEnough) => {
  const make = kind === "github" ? issuesOnGitHub : issuesOnGitLab;
  const { sync } = await make({ keys: `query: "${query}"` });
  const { code, err } = await sync();
  expect(code).toBe(isEnough ? 0 : 2);
  if (!isEnough) expect(err).toContain("its query lets in what anybody may open");
});
