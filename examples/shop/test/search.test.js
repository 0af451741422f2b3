import { strict as assert } from "node:assert";
import { test } from "node:test";
import { catalogue } from "../src/catalogue.js";
import { search } from "../src/search.js";

const idsOf = (words) => search(catalogue, words).map((item) => item.id);

test("every word has to be there", () => {
  assert.deepEqual(idsOf("Kettle Red"), ["k1"]);
});

test("a red kettle is found however it is written", () => {
  assert.deepEqual(idsOf("red KETTLE"), ["k1"]);
});
