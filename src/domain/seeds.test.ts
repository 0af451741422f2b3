import { expect, it } from "vitest";
import { aSeed, hashOf } from "../../test/support/ticks.ts";
import type { TaskId } from "./names.ts";
import { commonOf, Seeds } from "./seeds.ts";
import type { Seed } from "./task.ts";

const id = (text: string): TaskId => text as TaskId;
const withTerms = (name: string, terms: Partial<Seed["terms"]>): Seed => ({
  ...aSeed(name),
  terms: { ...aSeed(name).terms, ...terms },
});
const odd = [
  aSeed("t-1"),
  withTerms("t-2", { branch: "elsewhere" }),
  withTerms("t-3", { deps: [id("t-1")], draft: true, environment: "device" }),
  { ...aSeed("t-4"), gone: true },
];

it("gives each as it was put in, with its keys in their order", () => {
  const seeds = Seeds.of(odd);
  expect([...seeds]).toEqual(odd);
  for (const seed of odd) expect(JSON.stringify(seeds.get(seed.id))).toBe(JSON.stringify(seed));
});

it("holds one of an id: the newest, and none that was taken out, whose place another one gets", () => {
  const seeds = Seeds.of(odd);
  seeds.set(id("t-4"), aSeed("t-4"));
  expect(seeds.get(id("t-4"))).toEqual(aSeed("t-4"));
  expect([seeds.delete(id("t-2")), seeds.delete(id("t-2"))]).toEqual([true, false]);
  expect([seeds.size, seeds.has(id("t-2")), seeds.get(id("t-2"))]).toEqual([3, false, undefined]);
  seeds.set(id("t-5"), { ...aSeed("t-5"), gone: true });
  expect([...seeds.keys()]).toEqual(["t-1", "t-3", "t-4", "t-5"]);
  expect([...seeds.values()].filter(({ gone }) => gone).map((seed) => seed.id)).toEqual(["t-5"]);
});

it.each<[string, Seed, boolean]>([
  ["itself", aSeed("t-1"), true],
  ["another hash", { ...aSeed("t-1"), spec: hashOf("x") }, false],
  ["another title", withTerms("t-1", { title: "Else" }), false],
  ["other terms", withTerms("t-1", { draft: true }), false],
  ["another branch", withTerms("t-1", { branch: "my/t-1" }), false],
  ["one that is not there", aSeed("t-9"), false],
  ["one whose file is gone", aSeed("t-4"), false],
  ["a branch that is not its id's", odd[1]!, true],
])("says whether it has the same as %s", (_, { id, spec, terms }, isThere) => {
  const seeds = Seeds.of(odd);
  const of = { spec, title: terms.title, common: commonOf(terms, id) };
  const texts = isThere ? { id, spec, title: terms.title } : null;
  expect([seeds.same(id, of), seeds.same(id, of)]).toEqual([texts, texts]);
});
