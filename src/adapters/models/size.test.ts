import { expect, test } from "vitest";
import { request } from "../../../test/contracts/model.contract.ts";
import { sizeOf } from "./size.ts";

test("a picture of a megabyte counts as some 1500 tokens, at four characters each", () => {
  const picture = { mediaType: "image/png", base64: "A".repeat(1_000_000) } as const;
  const of = (pictures: readonly (typeof picture)[]) => sizeOf(request([{ role: "user", text: "Look.", pictures }]));
  expect(of([picture]) - of([])).toBeGreaterThan(5_900);
  expect(of([picture, picture]) - of([picture])).toBeLessThan(6_200);
});
