import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSubject, Deed } from "../../contracts/agent.contract.ts";
import { programOf } from "../../support/acp-agent/acp-house.ts";
import { testAgent } from "../../support/acp-agent/program.ts";
import type { Step } from "../../support/acp-agent/script.ts";

const WORK: readonly Step[] = [
  { do: "tool", title: "Write b", kind: "edit" },
  { do: "write", path: "src/b.txt", text: "b\n" },
  { do: "tool", title: "Write b", kind: "edit", status: "completed" },
];
const fails = (message: string): readonly Step[] => [{ do: "error", code: -32_603, message }];

const STEPS = (go: string): Readonly<Record<Deed, readonly Step[]>> => ({
  works: WORK,
  waits: [{ do: "wait", file: go }, ...WORK],
  refuses: [{ do: "say", text: "BLOCKED: two sentences disagree" }],
  hangs: [{ do: "hang" }],
  strays: [...WORK, { do: "disk", path: "README.md", text: "theirs\n" }],
  limited: fails("429 Too Many Requests, retry after 3600"),
  keyless: fails("401 Unauthorized: invalid x-api-key"),
  full: fails("prompt is too long: 210000 tokens > 200000 maximum"),
});

/** An agent that speaks ACP, driven as any other. */
export async function acpSubject(): Promise<AgentSubject> {
  const program = await testAgent();
  return {
    order(deed, { wish, brief }, { repo }) {
      const heard = join(repo, `../heard-${brief.assignment.task_id}.jsonl`);
      const steps = STEPS(join(repo, "../go"))[deed];
      const made = programOf(program, { turns: [steps] }, { flags: [], heard });
      const stallMs = deed === "hangs" ? 1_500 : null;
      return { wish, brief: { ...brief, program: { ...brief.program, ...made, stallMs } } };
    },
    told(task, { repo }) {
      const path = join(repo, `../heard-${task}.jsonl`);
      return existsSync(path) ? readFileSync(path, "utf8").split('"session/prompt"').slice(1).join("") : "";
    },
  };
}
