import { strict as assert } from "node:assert";
import { test } from "node:test";
import { countOf, put } from "../src/cart.js";

test("a cart counts what is in it", () => {
  assert.equal(countOf(put(put([], "k1", 2), "t1")), 3);
});

test("the same item twice is one line", () => {
  assert.deepEqual(put(put([], "k1"), "k1", 2), [{ id: "k1", count: 3 }]);
});
