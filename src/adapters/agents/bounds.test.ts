import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import type { LegKey } from "../../domain/names.ts";
import { systemClock } from "../system/clock.ts";
import { systemProcesses } from "../system/processes.ts";
import { messagesIn, startBounds } from "./bounds.ts";
import type { Drive } from "./leg.ts";
import { openOutput } from "./output.ts";

/** A leg without any time, in whose inbox an EXTEND lies before its bounds begin. */
function legWithExtend() {
  const run = scratch();
  const at = { leg: "task-1/1/1.1" as LegKey, run, folder: join(run, "leg-1") };
  for (const folder of ["leg-1", "inbox"]) mkdirSync(join(run, folder));
  writeFileSync(join(run, "inbox", "001-EXTEND.json"), '{"message_type":"EXTEND","minutes":1}');
  const order = { wish: { leg: at.leg, wallMs: 0 }, program: {}, worktree: run } as unknown as Drive;
  const output = openOutput(join(run, "output.log"), 1_000);
  const parts = { processes: systemProcesses(), clock: systemClock(), commandLine: () => [] as never };
  const passed = async (earlier: ReadonlySet<string>) => {
    const bounds = startBounds({ order, at, earlier, output, parts });
    try {
      return await bounds.passed(null);
    } finally {
      bounds.close();
    }
  };
  return { at, passed };
}

test("an EXTEND that comes between the claim of a leg and its first look gives it more time", async () => {
  expect(await legWithExtend().passed(new Set())).toBeNull();
});

test("one that was there before the claim was given to an earlier leg", async () => {
  const { at, passed } = legWithExtend();
  expect(await passed(messagesIn(at))).toMatchObject({ ending: "timeout" });
});
