import { strict as assert } from "node:assert";
import { test } from "node:test";
import { price } from "../src/price.js";

test("a price has its cents behind the dot", () => {
  assert.equal(price(2495), "24.95");
});

test("five cents are 0.05", () => {
  assert.equal(price(5), "0.05");
});
