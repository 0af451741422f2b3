import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHost } from "../../src/adapters/agents/host.ts";
import { runtimeContract } from "../contracts/runtime.contract.ts";
import { acpHouse } from "../support/acp-agent/acp-house.ts";
import type { Step } from "../support/acp-agent/script.ts";

const WORK: Step = { do: "write", path: "src/b.txt", text: "b\n" };

/** What holds for a command holds for an agent that speaks ACP: the driver is the same. */
runtimeContract("host, with agents that speak ACP", async () => {
  const home = await acpHouse();
  const go = join(dirname(home.repo), "go");
  const scripts: Record<string, readonly Step[]> = {
    passes: [WORK],
    waits: [{ do: "wait", file: go }, WORK],
    spends: [{ do: "usage", costUsd: 0.5 }, { do: "wait", file: go }, WORK],
  };
  const more = { spends: { reserve: { microUsd: 10_000, tokens: 0, wallMs: 0, spawns: 1 } } };
  return {
    runtime: home.runtime,
    another: () => createHost(home.parts),
    order: (task, kind) =>
      kind === "exit-7"
        ? home.order({ task, purpose: "action", program: { command: "exit 7", verdict: "exit" } })
        : home.order(home.acp(scripts[kind]!, { task, ...(kind === "spends" ? more.spends : {}) })),
    release: () => writeFileSync(go, ""),
    starts: () => home.heard().filter(({ what }) => what === "started").length,
  };
});
