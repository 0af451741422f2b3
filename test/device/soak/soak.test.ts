import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readTrajectory } from "../../../src/device/trajectory.ts";
import { until } from "../../support/host.ts";
import { needsAdb } from "../../support/needs.ts";
import { scratch } from "../../support/scratch.ts";
import { onceDone, type SoakedStep, soak } from "./soak.ts";

const STEPS = Number(process.env.PAWL_SOAK ?? 30);
const SEED = Number(process.env.PAWL_SEED ?? 1);

/** What this process holds of the outside: sockets, and processes that it started. */
const held = (): number => process.getActiveResourcesInfo().filter((one) => /TCP|Pipe|Process/.test(one)).length;

const story = ({ action, trouble, told, deeds }: SoakedStep): string =>
  `${JSON.stringify(action)} with ${trouble?.name ?? "nothing wrong"}: ${JSON.stringify(told.result)}, done: ${JSON.stringify(deeds)}`;

needsAdb()(
  `${STEPS} steps on a phone with which something goes wrong every few steps: all is told as it was, nothing is done twice, nothing is left (seed ${SEED})`,
  async () => {
    const before = held();
    const folder = scratch();
    const { end, steps } = await soak({ seed: SEED, steps: STEPS, folder });
    expect(end).toMatchObject({ status: "success", reason: "worn out", steps: STEPS + 1 });
    const counts = new Map<string, number>();
    for (const step of steps) {
      const key = `${step.trouble?.name ?? "nothing wrong"}: ${step.told.result.outcome}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    console.info(
      [...counts]
        .sort()
        .map(([key, count]) => `${count} x ${key}`)
        .join("\n"),
    );
    const wrong = steps.flatMap((step, i) => (isToldWrong(step) ? [...steps.slice(i - 1, i), step] : []));
    expect(wrong.map(story)).toEqual([]);
    // a screen that changed by itself, or a black picture before: rare
    const mistaken = steps.filter(
      (step) => isInferred(step) && timesDone(step) === 0 && step.told.result.attempts === 1,
    );
    expect(mistaken.length, mistaken.map(story).join("\n")).toBeLessThanOrEqual(Math.max(1, STEPS / 50));
    const { steps: saved, ...trajectory } = wholeTrajectory(folder);
    expect([trajectory.status, saved.length]).toEqual(["success", STEPS + 1]);
    await until(() => held() <= before, "no socket and no process is left");
  },
  600_000,
);

/** Done is done once; failed is not done at all; unsure may be done, and nothing is ever done more often than once. */
function isToldWrong(step: SoakedStep): boolean {
  const { trouble, told, action } = step;
  const times = timesDone(step);
  if (!(trouble?.outcomes ?? ["done"]).includes(told.result.outcome)) return true;
  if (told.result.outcome === "failed") return times !== 0;
  return told.result.outcome === "unsure" || isInferred(step) ? times > onceDone(action) : times !== onceDone(action);
}

/** Nobody answered for it: it is called done because the screen is another one, and why nobody answered is told too. */
const isInferred = ({ told: { result } }: SoakedStep): boolean =>
  result.outcome === "done" && ["SCREEN_REFUSED", "SCREEN_UNSURE", "SCREEN_GONE"].includes(result.error?.code ?? "");

const timesDone = ({ action, deeds }: SoakedStep): number =>
  deeds.filter(({ kind }) => (kind === "open") === (action.action === "open")).length;

function wholeTrajectory(folder: string) {
  const trajectory = readTrajectory(readFileSync(join(folder, "trajectory.json"), "utf8"));
  if ("fault" in trajectory) throw new Error(trajectory.fault as string);
  for (const { screenshot } of trajectory.steps)
    expect(readFileSync(join(folder, screenshot)).length).toBeGreaterThan(60);
  return trajectory;
}
