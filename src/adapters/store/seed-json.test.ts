import { expect, it } from "vitest";
import { aSeed } from "../../../test/support/ticks.ts";
import type { Seed } from "../../domain/task.ts";
import { seedReader } from "./seed-json.ts";

/** Read as columns; how many of them were parsed whole is told with them. */
function read(seeds: readonly Seed[]): { readonly seeds: readonly Seed[]; readonly parsed: number } {
  const reader = seedReader();
  let parsed = 0;
  for (const seed of seeds)
    reader.take(JSON.stringify(seed), (json) => {
      parsed++;
      return JSON.parse(json) as Seed;
    });
  return { seeds: [...reader.seeds], parsed };
}
const withTerms = (id: string, terms: Partial<Seed["terms"]>): Seed => ({
  ...aSeed(id),
  terms: { ...aSeed(id).terms, ...terms },
});

it("reads seeds that are alike without parsing more than the first", () => {
  const seeds = Array.from({ length: 50 }, (_, n) => aSeed(`task-${n}`));
  expect(read(seeds)).toEqual({ seeds, parsed: 1 });
});

it.each<[string, Seed]>([
  ["a title with quotes and escapes", withTerms("t-1", { title: 'a "b" \\ \n \u0000, "branch":"x"' })],
  ["a title that is empty", withTerms("t-1", { title: "" })],
  ["a title beyond ASCII", withTerms("t-1", { title: "Grüße, 世界 \ud83d\ude80 \ud800" })],
  ["a branch that is not its id's", withTerms("t-1", { branch: "work/else" })],
  ["a branch of another prefix", withTerms("t-1", { branch: "my/t-1" })],
  ["dependencies", withTerms("t-1", { deps: aSeed("x", ["t-0"]).terms.deps })],
  ["a glob with escapes", withTerms("t-1", { touches: ["a\\b", '"branch":"t-1"'] })],
  ["a screen", withTerms("t-1", { environment: "device" })],
  ["a file that is gone", { ...aSeed("t-1"), gone: true }],
  ["an id that its branch ends with twice", withTerms("1", { branch: "pawl/1/1" })],
  ["a hash of another form", { ...aSeed("t-1"), spec: "x" as Seed["spec"] }],
])("reads one with %s, and those around it, as they were", (_, odd) => {
  const seeds = [aSeed("t-8"), aSeed("t-9"), odd, aSeed("t-10"), { ...odd, id: "t-11" as Seed["id"] }, aSeed("t-12")];
  expect(read(seeds).seeds).toEqual(seeds);
  expect(read([...seeds].reverse()).seeds).toEqual([...seeds].reverse());
});
