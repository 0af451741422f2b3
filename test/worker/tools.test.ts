import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runWorker } from "../../src/app/worker/compose-worker.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { live } from "../support/live-worker.ts";
import { git, repository, scratch } from "../support/scratch.ts";
import { isPlanner, patternIn, plannerSays, type Says, scriptedMind } from "../support/scripted-mind.ts";
import { sensible } from "../support/sensible-mind.ts";
import { shows } from "../support/shows.ts";
import { ticket } from "../support/ticket.ts";

const FILES = {
  "src/add.mjs": "export const add = (a, b) => a - b;\n",
  "suite.sh":
    "node --input-type=module -e 'import {add} from \"./src/add.mjs\"; process.exit(add(1, 2) === 3 ? 0 : 1)'\n",
};
const SKILL = {
  name: "adding",
  description: "How numbers are added here.",
  body: "# Adding\n\nWith plus.",
  sources: ["https://example.org/plus", "src/add.mjs"],
};

/** What each task type calls, one after the other. */
const CALLS: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  skill_build: [
    ["internet_research", { query: "adding" }],
    ["skill_generator", SKILL],
  ],
  memory_op: [
    ["memory_search", { query: "adding" }],
    ["memory_save", { text: "Adding needs plus." }],
  ],
  code_create: [
    ["file_write", { path: "src/two.mjs", text: 'import { add } from "./add.mjs";\nexport const two = add(1, 1);\n' }],
    ["test_run", {}],
  ],
};
const ORDER = ["skill_build", "memory_op", "code_modify", "code_create"];

/** Plans the task types one after the other, and calls what belongs to each. */
function says(request: ModelRequest): Says {
  if (isPlanner(request)) {
    const context = (request.turns[0] as { text: string }).text;
    const next = ORDER.find((type) => !context.includes(`- ${type}: done`));
    return next === undefined
      ? plannerSays({ action: "COMPLETE" })
      : plannerSays({ action: "EXECUTE", task_type: next, goals: [next] });
  }
  const calls = CALLS[patternIn(request)];
  if (!calls) return sensible(request);
  const made = request.turns.filter(({ role }) => role === "results").length;
  const [name, args] = calls[made] ?? ["done", { summary: "made" }];
  return { calls: [{ name, args }] };
}

/** A search engine on loopback: the user's own, as SearXNG is. */
async function engine(): Promise<string> {
  const found = { results: [{ title: "Plus", url: "https://example.org/plus", content: "a + b" }] };
  const server = createServer((_, response) => response.end(JSON.stringify(found)));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Call {
  readonly tool: string;
  readonly ok: boolean;
  readonly text: string;
}

function callsIn(journal: string): readonly Call[] {
  const records = journal
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { r: string; id: string; tool: string; result: Call });
  const started = new Map(records.filter(({ r }) => r === "started").map(({ id, tool }) => [id, tool]));
  return records.filter(({ r }) => r === "ended").map(({ id, result }) => ({ ...result, tool: started.get(id)! }));
}

test("TAC-5.2 TAC-4.1 a worker uses its real tools: research, a skill in three calls, memory, files and tests", async () => {
  const { repo } = repository(FILES);
  const runDir = join(repo, ".pawl", "run");
  mkdirSync(runDir, { recursive: true });
  const mind = scriptedMind(says);
  const end = await runWorker(
    {
      assignment: ticket(),
      worktree: repo,
      main: repo,
      baseCommit: git(repo, "rev-parse", "HEAD"),
      runDir,
      logsDir: join(repo, ".pawl", "runs"),
      leg: "task-1/1/1.1",
      models: { planner: mind, executor: mind, compaction: mind },
      env: { ...process.env, SEARX: await engine() },
      remote: null,
      materials: [],
      research: { provider: "searxng", urlEnv: "SEARX" },
      tree: "branch",
      protect: [],
      say: () => {},
    },
    new AbortController().signal,
  );
  expect(end).toMatchObject({ how: "finished", verdict: "PASS" });
  const calls = callsIn(readFileSync(join(runDir, "journal.jsonl"), "utf8"));
  const good = (tool: string) => calls.find((one) => one.tool === tool && one.ok)?.text;
  for (const tool of ["file.read", "file.edit", "file.write"]) expect(good(tool), tool).toBeDefined();
  shows("TAC-5.2", 1);
  expect(good("test.run")).toBeDefined();
  shows("TAC-5.2", 2);
  expect([good("memory.search"), good("memory.save")]).toEqual(["nothing is known about that", "kept"]);
  shows("TAC-5.2", 3);
  expect(good("internet.research")).toBe("1. Plus\n   https://example.org/plus\n   a + b");
  shows("TAC-5.2", 4);
  expect(git(repo, "show", "HEAD:.claude/skills/adding/SKILL.md")).toContain("- <https://example.org/plus>");
  shows("TAC-5.2", 5);
  expect(mind.asked.filter((one) => patternIn(one) === "skill_build").length).toBeLessThanOrEqual(3);
  shows("TAC-4.1", 1);
}, 120_000);

test("tools of MCP servers are a worker's too: a real server over stdio is called, and gone when the work is over", async () => {
  const file = join(scratch(), "memory.jsonl");
  const program = resolve("node_modules/@modelcontextprotocol/server-memory/dist/index.js");
  const command = ["env", `MEMORY_FILE_PATH=${file}`, process.execPath, program];
  const entity = { name: "add", entityType: "function", observations: ["adds since today"] };
  const calls = [
    { name: "mcp_create_entities", args: { entities: [entity] } },
    { name: "mcp_search_nodes", args: { query: "since today" } },
    { name: "mcp_search_nodes", args: { query: 7 } },
  ];
  const lived = await live({
    says: (request, nth) => (isPlanner(request) || !calls[nth - 1] ? null : { calls: [calls[nth - 1]!] }),
    order: { mcpServers: { memory: { command, url: undefined, token_env: undefined } } },
  });
  expect(lived.end).toMatchObject({ verdict: "PASS" });
  expect(readFileSync(file, "utf8")).toContain("adds since today");
  const results = lived.mind.asked.flatMap(({ turns }) =>
    turns.flatMap((turn) => (turn.role === "results" ? turn.results : [])),
  );
  const of = (n: number) => results.filter(({ name }) => name === "mcp_search_nodes")[n]!;
  expect([of(0).failed, of(0).text]).toEqual([false, expect.stringContaining("adds since today")]);
  expect(results.some(({ name, failed }) => name === "mcp_search_nodes" && failed)).toBe(true);
  const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  expect(left.filter((line) => line.includes(file))).toEqual([]);
});
