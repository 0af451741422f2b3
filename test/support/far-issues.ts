import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { commandLine } from "./command-line.ts";
import { type GitHubServer, startGitHub } from "./github-server/server.ts";
import { type GitLabServer, startGitLab } from "./gitlab-server/server.ts";
import { repository, write } from "./scratch.ts";

/** A repository whose pawl.yaml takes issues of a forge on loopback. */
export interface FarIssues {
  readonly repo: string;
  sync(...args: string[]): ReturnType<typeof commandLine>;
  /** a file of the tasks folder; null: it is not there */
  task(id: string): string | null;
  /** opens an issue, or changes it */
  issue(
    number: number,
    of: {
      title?: string;
      body?: string;
      labels?: readonly string[];
      state?: "open" | "closed";
      blockers?: readonly (number | string)[];
      milestone?: string;
    },
  ): void;
  comments(number: number): readonly string[];
}

function here(repo: string, env: Record<string, string>): Pick<FarIssues, "repo" | "sync" | "task"> {
  const path = (id: string) => join(repo, "tasks", `${id}.md`);
  return {
    repo,
    sync: (...args) => commandLine(repo, ["sync", ...args], env),
    task: (id) => (existsSync(path(id)) ? readFileSync(path(id), "utf8") : null),
  };
}
interface Options {
  /** of its intake */
  readonly keys?: string;
  /** pawl.yaml beside it */
  readonly config?: string;
}
const KEYS = "label: pawl, types: {bug: code_modify}, write_back: true";
const CONFIG = "agents: {default: {command: agents/work.sh}}\n";

export async function issuesOnGitHub({
  keys = KEYS,
  config = CONFIG,
}: Options = {}): Promise<FarIssues & { server: GitHubServer }> {
  const { repo, origin } = repository({ "a.txt": "a\n" }, { origin: true });
  const server = await startGitHub({ gitDir: origin!, repo: "acme/shop", token: "tok" });
  onTestFinished(() => server.stop());
  const place = `token_env: TOK, base_url: "${server.url}"`;
  write(repo, {
    "pawl.yaml": `${config}intake: [{github: {repo: acme/shop, ${keys}, ${place}}}]\n`,
  });
  const { issues } = server.state;
  return {
    ...here(repo, { TOK: "tok" }),
    server,
    issue(number, of) {
      const there = issues.find((one) => one.number === number);
      if (there) return void Object.assign(there, of);
      issues.push({
        number,
        title: `Issue ${number}`,
        body: null,
        state: "open",
        labels: ["pawl"],
        comments: [],
        ...of,
      });
    },
    comments: (number) => issues.find((one) => one.number === number)!.comments!.map(({ body }) => body),
  };
}

export async function issuesOnGitLab({
  keys = KEYS,
  config = "",
}: Options = {}): Promise<FarIssues & { server: GitLabServer }> {
  const { repo, origin } = repository({ "a.txt": "a\n" }, { origin: true });
  const server = await startGitLab({ gitDir: origin!, repo: "acme/web/shop", token: "tok" });
  onTestFinished(() => server.stop());
  const place = `token_env: TOK, base_url: "${server.api}"`;
  write(repo, { "pawl.yaml": `${config}intake: [{gitlab: {repo: acme/web/shop, prefix: gh-, ${keys}, ${place}}}]\n` });
  const { issues } = server.state;
  return {
    ...here(repo, { TOK: "tok" }),
    server,
    issue(number, { title, body, labels, state, blockers = [], milestone }) {
      const there = issues.find(({ iid }) => iid === number);
      const fresh = {
        iid: number,
        title: `Issue ${number}`,
        description: null,
        labels: new Set(["pawl"]),
        notes: [],
        blockers,
        ...(milestone === undefined ? {} : { milestone }),
      };
      const one = there ?? { ...fresh, state: "opened" as const };
      if (there === undefined) issues.push(one);
      if (title !== undefined) one.title = title;
      if (body !== undefined) one.description = body;
      if (state !== undefined) one.state = state === "open" ? "opened" : "closed";
      for (const name of labels ?? []) one.labels.add(name);
      if (labels && !labels.includes("pawl")) one.labels.delete("pawl");
    },
    comments: (number) => issues.find(({ iid }) => iid === number)!.notes.map(({ body }) => body),
  };
}
