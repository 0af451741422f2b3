import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { workerContract } from "../contracts/worker.contract.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { scratch, write } from "../support/scratch.ts";
import { FILES, STORY } from "./tickets/add-adds.ts";
import { tell } from "./tickets/story.ts";

workerContract("examples/worker.sh", () => {
  const folder = scratch();
  // the gates of this test answer at once, or not at all
  const script = readFileSync("examples/worker.sh", "utf8").replace('pawl submit "$@"', 'pawl submit "$@" --wait 2s');
  write(folder, { "worker.sh": script });
  return { command: `sh ${folder}/worker.sh`, files: {}, assignment: {} };
});

/** What the model says, often enough for every revision and fix. */
const AGAIN = Object.fromEntries(
  Object.entries(STORY.executor).map(([type, calls]) => [type, Array.from({ length: 4 }, () => calls).flat()]),
);
const PLANNER = [STORY.planner[0]!, ...Array.from({ length: 4 }, () => [{ action: "COMPLETE" }]).flat()];

/** AGT-4.3, AGT-9.3 and AGT-9.4 in agent.test.ts, in this process: a walk by command line costs two to three times as much. */
const AGENT_TEST = ["a third FEEDBACK", "a third FIX", "BLOCKED at its report"] as const;

workerContract(
  "pawl work",
  async () => {
    const server = await startModelServer(tell({ ...STORY, executor: AGAIN, planner: PLANNER }));
    onTestFinished(() => server.close());
    const config = `models: {mind: {provider: openai-compatible, base_url: "${server.url}/v1", model: mind, key_env: KEY}}\n`;
    return {
      command: "pawl work --model mind --wait 2s",
      files: { ...FILES, "pawl.yaml": config },
      assignment: {
        acceptance_criteria: [{ id: "AC-001", text: "add(1, 2) is 3" }],
        test_delta: { add: [], update: [], regression: [{ name: "suite", command: "sh suite.sh" }] },
        authorized_files: ["src/**"],
      },
      env: { KEY: "k" },
    };
  },
  AGENT_TEST,
);
