import { describe, expect, test } from "vitest";
import type { Fact } from "../../domain/fact.ts";
import type { LoggedTick } from "../../ports/store.ts";
import { account, differences } from "./account.ts";
import type { FarEnd } from "./far-end.ts";

const NOTHING: FarEnd = { starts: [], publishes: [], pulls: [], merges: [] };

const done = (kind: string, key: string, more: object = {}): readonly Fact[] =>
  [
    { kind: "effect-intended", task: "task-001", at: 1, intent: { kind, key, task: "task-001", ...more } },
    { kind: "effect-closed", task: "task-001", key, ending: "done", detail: null },
  ] as unknown as readonly Fact[];

const log = (...facts: readonly (readonly Fact[])[]): readonly LoggedTick[] =>
  facts.map((some, at) => ({ seq: at + 1, facts: some }) as LoggedTick);

describe("the account of both ends", () => {
  const spawn = done("spawn", "task-001/1/spawn/1", { wish: { who: "implementer" } });

  test("finds nothing where each effect of the log is there once", () => {
    const far = { ...NOTHING, starts: ["task-001/1/1.1"], publishes: ["pawl/task-001 4f2c1ab"] };
    expect(differences(account(log(spawn, done("publish", "task-001/2/publish/1")), far))).toEqual([]);
  });

  test("finds a worker that started twice for one leg", () => {
    const far = { ...NOTHING, starts: ["task-001/1/1.1", "task-001/1/1.1"] };
    expect(differences(account(log(spawn), far))[0]).toBe("spawn happened twice: task-001/1/1.1");
  });

  test("finds what the log has and the far end has not, and the other way round", () => {
    expect(differences(account(log(done("land", "task-001/5/land/1")), NOTHING))).toEqual([
      "land: 1 by the log, 0 commits on main",
    ]);
    expect(differences(account(log(), { ...NOTHING, pulls: ["1 open"] }))).toEqual([
      "mark-ready: 0 by the log, 1 refs/pawl/pr/*",
    ]);
  });

  test("leaves out what was refused, and workers that sign nowhere", () => {
    const refused = done("publish", "k").map((fact) =>
      fact.kind === "effect-closed" ? { ...fact, ending: "refused" as const } : fact,
    );
    const verifier = done("spawn", "v", { wish: { who: "verifier" } });
    expect(differences(account(log(refused, verifier), NOTHING))).toEqual([]);
  });
});
