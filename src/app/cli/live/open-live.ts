import type { Processor } from "../../compose.ts";
import type { Context } from "../context.ts";

export interface Live {
  event(line: string): void;
  start(processor: Processor): void;
  close(): void;
}

/** What a person sees of a run while it goes on. */
export function openLive(ctx: Context, _options: { readonly wanted: boolean }): Live {
  return {
    event: (line) => ctx.say(line),
    start({ engine }) {
      engine.listen(({ facts }) => {
        for (const fact of facts)
          if (
            "task" in fact &&
            (fact.kind === "phase-entered" ||
              fact.kind === "worker-spawned" ||
              fact.kind === "task-completed" ||
              fact.kind === "task-failed" ||
              fact.kind === "task-waiting")
          )
            ctx.out(JSON.stringify(fact));
      });
    },
    close() {},
  };
}
