import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { packCache } from "./pack-cache.ts";

const record = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4));
const records = (...texts: readonly string[]) => new Map(texts.map((text) => [`key-${text}`, record(text)]));
const keys = (folder: string): readonly string[] => [...packCache(folder).load().keys()].sort();
const packs = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith(".pack"));

describe("records in packs", () => {
  test("what was saved is loaded, by anybody", () => {
    const folder = join(scratch(), "v1");
    packCache(folder).save(records("one", "twotwo"));
    packCache(folder).save(records("three"));
    const found = packCache(folder).load();
    expect([...found].sort()).toEqual([...records("one", "three", "twotwo")].sort());
    expect(keys(join(folder, "none"))).toEqual([]);
  });

  test.each([
    ["cut off", (path: string) => truncateSync(path, 30)],
    ["empty", (path: string) => truncateSync(path, 0)],
    ["longer than it was", (path: string) => appendFileSync(path, "xxxx")],
    [
      "other bytes",
      (path: string) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, i) => (i === 40 ? byte ^ 1 : byte)),
        ),
    ],
    ["no pack at all", (path: string) => writeFileSync(path, "hello")],
  ])("a pack that is %s is thrown away, and the others are as they were", (_, breakIt) => {
    const folder = join(scratch(), "v1");
    packCache(folder).save(records("one", "two"));
    breakIt(join(folder, packs(folder)[0]!));
    packCache(folder).save(records("three"));
    expect(keys(folder)).toEqual(["key-three"]);
    expect(packs(folder)).toHaveLength(1);
  });

  test("many saves become few files, and nothing is lost", () => {
    const folder = join(scratch(), "v1");
    const names = Array.from({ length: 30 }, (_, i) => `n${i}`);
    for (const name of names) packCache(folder).save(records(name));
    expect(keys(folder)).toEqual(names.map((name) => `key-${name}`).sort());
    expect(packs(folder).length).toBeLessThan(10);
  });

  test("what a dead process left half written, and other versions, go in time", () => {
    const root = scratch();
    const [folder, old] = [join(root, "v2"), join(root, "v1")];
    mkdirSync(folder, { recursive: true });
    mkdirSync(old);
    for (const path of [join(folder, "dead.tmp"), join(folder, "fresh.tmp"), join(old, "x.pack")])
      writeFileSync(path, "half");
    const before = new Date(Date.now() - 7_200_000);
    for (const path of [join(folder, "dead.tmp"), old]) utimesSync(path, before, before);
    packCache(folder).save(records("one"));
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual(["fresh.tmp"]);
    expect(readdirSync(root)).toEqual(["v2"]);
  });

  test("a place that cannot be written keeps nothing, and that is no error", () => {
    const root = scratch();
    writeFileSync(join(root, "file"), "");
    packCache(join(root, "file", "v1")).save(records("one"));
    expect(keys(join(root, "file", "v1"))).toEqual([]);
    chmodSync(root, 0o700);
  });
});
