import { strict as assert } from "node:assert";
import { test } from "node:test";
import { shop } from "../src/shop.js";

test("list shows everything", () => {
  assert.equal(shop(["list"]).length, 4);
});

test("an unknown command says which are known", () => {
  assert.match(shop(["steal"])[0], /known: list/);
});
