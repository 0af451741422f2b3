import { z } from "zod";
import type { Tool } from "../../ports/tool.ts";
import { defineTool } from "../../workspace/toolbox/define.ts";
import { inScopeFailures } from "../scope-of-failure.ts";
import type { WorkerHands } from "../worker-hands.ts";
import type { WorkerState } from "../worker-state.ts";

/** `test.run`: the task's suites on the files as they are; passed where nothing fails that did not fail before. */
export const testTool = (state: () => WorkerState, hands: Pick<WorkerHands, "runSuites">): Tool =>
  defineTool({
    name: "test.run",
    description: "Runs the suites of this task.",
    input: z.strictObject({}),
    writes: false,
    run: async (_, { signal }) => {
      const now = state();
      const suites = await hands.runSuites(now.assignment, { on: "worktree", signal });
      const failures = inScopeFailures({ ...now, validated: suites });
      const passed = failures.length === 0;
      const text = suites
        .map(({ name, passed: ok, words }) => `${name}: ${ok ? "passed" : "failed"}\n${words}`)
        .join("\n");
      const data = {
        passed,
        suites,
        exit_code: passed ? 0 : 1,
        cmd: suites.map(({ command }) => command).join(" && "),
        ending: "exit",
      };
      return { ok: passed, text: suites.length === 0 ? "there are no suites" : text, data };
    },
  });
