import { strict as assert } from "node:assert";
import { test } from "node:test";
import { stockOf } from "../src/stock.js";

test("what is left is said", () => {
  assert.equal(stockOf({ stock: 3 }), "3 left");
});

test("nothing left is sold out", () => {
  assert.equal(stockOf({ stock: 0 }), "sold out");
});
