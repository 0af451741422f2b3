import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../support/command-line.ts";
import { gitHubProject, gitLabProject, hurried } from "../support/far-project.ts";
import { start, WORKER } from "../support/project.ts";
import { git, write } from "../support/scratch.ts";

const VARIABLE = "PAWL_TEST_FORGE_TOKEN";
const config = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: mark-ready, on_fail: implement}
    mark-ready: {run: action mark-ready, on_pass: merge, on_fail: mark-ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
const project = { config, tasks: { "task-1": "Do it" }, files: { "agents/work.sh": WORKER } };

test.each([
  ["GitHub", gitHubProject],
  ["GitLab", gitLabProject],
] as const)(
  "%s: a forge that cannot be used is said before anything is spawned, by run and by doctor",
  async (name, make) => {
    const { repo, state, server } = await make(project);
    const forge = async (args: readonly string[], token: string | undefined) => {
      if (token === undefined) delete process.env[VARIABLE];
      else process.env[VARIABLE] = token;
      return commandLine(repo, args, token === undefined ? {} : { [VARIABLE]: token });
    };
    const missing = await forge(["run"], undefined);
    expect(missing.code).toBe(4);
    expect(missing.err).toContain(`the variable ${VARIABLE} is empty, and ${name} wants a token`);
    expect(missing.err).toContain(`put a token for ${name} into ${VARIABLE}`);

    const refused = await forge(["run"], "tok_wrong");
    expect(refused.code).toBe(4);
    expect(refused.err).toContain(`${name} answered 401`);
    expect(refused.err).not.toContain("tok_wrong");
    const doctor = await forge(["doctor"], "tok_wrong");
    expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/^no +forge +\S+ answered 401/m) });

    await server.stop();
    const away = await forge(["run"], "tok_project");
    expect(away.code).toBe(1);
    expect(away.err).toContain("ECONNREFUSED");
    expect(existsSync(join(state, "runs"))).toBe(false);
    expect(git(repo, "branch", "--list", "pawl/*")).toBe("");
  },
);

test("an address at which something else answers is no forge", async () => {
  const { repo, server, state } = await gitHubProject(project);
  write(repo, {
    "pawl.yaml": `${config}forge: {kind: github, repo: acme/shop, token_env: ${VARIABLE}, base_url: "${server.url}/acme"}\n`,
  });
  const said = await commandLine(repo, ["run"]);
  expect(said.code).toBe(4);
  expect(said.err).toContain("GitHub shows no repository acme/shop");
  expect(existsSync(join(state, "runs"))).toBe(false);
});

test("once work has begun, a forge that is away stops nothing: what needs it waits", async () => {
  const { repo, server } = await gitHubProject(project);
  const first = await start(repo, { wrap: hurried });
  void first.run();
  await first.fact("worker-ended", "task-1");
  await first.stop();
  await server.stop();
  const { code, err } = await commandLine(repo, ["run", "--once"], {});
  expect(err).toContain("what needs the forge waits");
  expect(code).not.toBe(70);
});
