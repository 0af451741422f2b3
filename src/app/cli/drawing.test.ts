import { expect, test } from "vitest";
import { aMap } from "../../../test/support/ticks.ts";
import type { Phase, PhaseMap } from "../../domain/phase.ts";
import { mermaid } from "./drawing.ts";

const phase = (name: string, step: object, more: object): Phase =>
  ({
    name,
    step,
    onPass: "done",
    onFail: name,
    onWait: name,
    onConflict: null,
    escalate: null,
    ...more,
  }) as unknown as Phase;

test("in mermaid a map has every phase with what it runs, and every way that leads from it", () => {
  const phases = [
    phase("work", { run: "agent", role: "implementer" }, { onPass: "end" }),
    phase("end", { run: "signal", name: "ci" }, { onPass: "merge", onFail: "work", onWait: "work", escalate: "ask" }),
    phase("merge", { run: "action", name: "merge" }, { onConflict: "work" }),
    phase("ask", { run: "signal", name: "human-approval" }, { onPass: "work" }),
  ];
  const map: PhaseMap = { ...aMap(), phases: Object.fromEntries(phases.map((one) => [one.name, one])) };
  expect(mermaid(map).split("\n")).toEqual([
    "flowchart LR",
    '  p_work["work<br/>agent implementer"]',
    '  p_end["end<br/>signal ci"]',
    '  p_merge["merge<br/>action merge"]',
    '  p_ask["ask<br/>signal human-approval"]',
    "  p_done([done])",
    "  p_work --> p_end",
    "  p_work -. fail .-> p_work",
    "  p_end --> p_merge",
    "  p_end -. fail .-> p_work",
    "  p_end -- wait --> p_work",
    "  p_end -- timeout --> p_ask",
    "  p_merge --> p_done",
    "  p_merge -- conflict --> p_work",
    "  p_ask --> p_work",
  ]);
});
