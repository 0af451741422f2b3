import { execFile, execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { DialectName } from "../../support/model-server/script.ts";
import { type ModelServer, startModelServer } from "../../support/model-server/server.ts";
import { git, repository, scratch } from "../../support/scratch.ts";
import { PROVIDERS, type Story, TOLD, tell } from "./story.ts";

export interface TicketRun {
  /** what the command said, both streams */
  readonly said: string;
  readonly server: ModelServer;
  /** paths that the branch at the origin changed, without the task tree, sorted */
  readonly changed: readonly string[];
  /** subjects of its commits, oldest first */
  readonly subjects: readonly string[];
  /** a fresh clone of that branch */
  readonly clone: string;
  /** whether any request told the model these words */
  isTold(words: string): boolean;
}

export interface TicketOrder {
  readonly files: Readonly<Record<string, string>>;
  readonly ticket: string;
  readonly wire: Exclude<DialectName, "google">;
  readonly stream: boolean;
  readonly story: Story;
  /** the packages of this project can be had in the repository */
  readonly packages?: boolean;
}

/** `pawl work TICKET.md` as a person types it, in a repository with an origin, with a model on loopback. */
export async function runTicket({ files, ticket, wire, stream, story, packages }: TicketOrder): Promise<TicketRun> {
  const server = await startModelServer(tell(story));
  onTestFinished(() => server.close());
  const config = `models: {mind: {${PROVIDERS[wire]}, base_url: "${server.url}/v1", model: mind, key_env: MIND_KEY, stream: ${stream}}}\n`;
  const all = { ...files, "TICKET.md": ticket, "pawl.yaml": config, "README.md": "a project\n" };
  const { repo, origin } = repository(all, { origin: true });
  if (packages) symlinkSync(resolve("node_modules"), join(repo, "node_modules"));
  const { code, said } = await pawl(repo, ["work", "TICKET.md", "--model", "mind"]);
  expect(code, said).toBe(0);
  const clone = join(scratch(), "clone");
  execFileSync("git", ["clone", "-q", "--branch", "pawl/TICKET", origin!, clone]);
  if (packages) symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
  const lines = (...args: string[]) => git(clone, ...args).split("\n");
  return {
    said,
    server,
    clone,
    changed: lines("diff", "--name-only", "origin/main...HEAD").filter((path) => path !== "task_tree.yaml"),
    subjects: lines("log", "--reverse", "--format=%s", "origin/main..HEAD"),
    isTold: (words) => server.log.some(({ body }) => JSON.stringify(body).includes(words)),
  };
}

function pawl(repo: string, args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, MIND_KEY: "sk-of-this-test", NO_COLOR: "1" };
  return new Promise((done) => {
    execFile(process.execPath, [resolve("dist/cli.mjs"), ...args], { cwd: repo, env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}` }),
    );
  });
}

/**
 * It came to its end in spite of everything: each mistake was told and did nothing, each request that failed was made
 * again as it was, plan and report were refused once, the suite failed twice on the way.
 */
export function expectSurvived({ said, server, changed, isTold }: TicketRun): void {
  expect(said.split("\n").findLast((line) => line !== "")).toMatch(/^PASS /);
  for (const words of TOLD) expect(isTold(words), words).toBe(true);
  expect(changed).not.toContain("SECRETS.md");
  expect(server.log.map(({ status }) => status).filter((status) => status !== 200)).toEqual([429, 500]);
  for (const n of [2, 4, 6]) expect(server.log[n]?.body).toEqual(server.log[n - 1]?.body);
  expect(isTold("the plan is not taken")).toBe(true);
  expect(isTold("was not changed by this branch")).toBe(true);
}
