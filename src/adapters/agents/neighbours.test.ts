import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { house, permit, until, worker } from "../../../test/support/host.ts";
import type { LegKey } from "../../domain/names.ts";
import { findLeg, readClaim } from "./leg.ts";

const LEG = "task-1/1/1.1" as LegKey;

it("two projects on one machine have legs of the same key: ending one leaves the other's worker alone", async () => {
  const [mine, theirs] = await Promise.all([house(), house()]);
  for (const { repo, order, runtime } of [mine, theirs]) {
    await runtime.spawn(order({ program: { command: worker("waits") } }), permit());
    await until(() => existsSync(join(dirname(repo), "started")), "the worker began");
  }
  const claim = () => readClaim(findLeg(theirs.parts.state, LEG)!)!;
  await until(() => claim().agent !== null, "the claim names the agent");

  await mine.parts.processes.signal(readClaim(findLeg(mine.parts.state, LEG)!)!.driver, "SIGKILL", "process");
  await mine.ended(LEG);
  expect(await theirs.parts.processes.lives(claim().agent!)).toBe("alive");
  expect((await theirs.runtime.look([LEG], permit())).get(LEG)?.kind).toBe("alive");
  await theirs.runtime.stop(LEG, "cancel", permit());
});
