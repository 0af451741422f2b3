import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentSubject, Deed } from "../../contracts/agent.contract.ts";
import type { Asked, Reply, ReplyCall } from "../../support/model-server/script.ts";
import { startModelServer } from "../../support/model-server/server.ts";
import { FILES, STORY } from "../../worker/tickets/add-adds.ts";
import { tell } from "../../worker/tickets/story.ts";

const STRAYS: readonly ReplyCall[] = [
  { name: "file_write", args: { path: "README.md", text: "theirs\n" } },
  ...STORY.executor.code_modify!,
];
const TOLD: Readonly<Partial<Record<Deed, Reply>>> = {
  refuses: { calls: [{ name: "escalate", args: { reason: "two sentences disagree" } }] },
  hangs: { stallAfter: 0 },
  limited: { fail: 429, headers: { "retry-after": "3600" } },
  keyless: { fail: 401 },
  full: { fail: 400, type: "context_length_exceeded", message: "maximum context length is 8192 tokens" },
};

/** The built-in worker, with a model on loopback that says what the deed wants. */
export async function nativeSubject(): Promise<AgentSubject> {
  const stories = new Map<string, (asked: Asked) => Reply>();
  const deeds = new Map<string, { readonly deed: Deed; readonly go: string }>();
  const heard = new Map<string, string>();
  const server = await startModelServer(async (asked) => {
    const all = JSON.stringify([asked.system, asked.turns]);
    const task = /Work of ([\w-]+)/.exec(all)?.[1] ?? "";
    heard.set(task, `${heard.get(task) ?? ""}${all}`);
    const { deed, go } = deeds.get(task)!;
    while (deed === "waits" && !existsSync(go)) await pause(20);
    const executor = deed === "strays" ? { ...STORY.executor, code_modify: STRAYS } : STORY.executor;
    const story = stories.get(task) ?? tell({ ...STORY, executor });
    stories.set(task, story);
    return TOLD[deed] ?? story(asked);
  });
  const { "TICKET.md": _, ...files } = FILES;
  return {
    files: {
      ...files,
      "pawl.yaml": `models: {mind: {provider: openai-compatible, base_url: "${server.url}/v1", model: mind, key_env: KEY}}\n`,
    },
    order(deed, { wish, brief }, { repo }) {
      deeds.set(brief.assignment.task_id, { deed, go: join(repo, "../go") });
      const assignment = {
        ...brief.assignment,
        body: "`add` subtracts. Mend it.",
        acceptance_criteria: [{ id: "AC-001", text: "add(1, 2) is 3" }],
        test_delta: { add: [], update: [], regression: [{ name: "suite", command: "sh suite.sh" }] },
        timeout_minutes: 10,
      };
      const program = {
        ...brief.program,
        command: [process.execPath, resolve("dist/cli.mjs"), "work", "--model", "mind"],
        stallMs: deed === "hangs" ? 1_500 : null,
        env: { ...brief.program.env, KEY: "k" },
      };
      return { wish, brief: { ...brief, assignment, program } };
    },
    told: (task) => heard.get(task) ?? "",
    close: () => server.close(),
  };
}
