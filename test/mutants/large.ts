import type { Mutant } from "./mutant.ts";

const CACHE = ["src/app/config/task-cache.test.ts"];
const STORE = ["src/adapters/store/sqlite.test.ts"];
const OPEN = ["src/adapters/store/open.test.ts"];
const SEEDS = ["src/adapters/store/seed-json.test.ts"];

/** Faults in what makes a large backlog cheap: the cache of task files, seeds in columns, ids by an index. */
export const LARGE: readonly Mutant[] = [
  {
    file: "src/app/config/task-folder.ts",
    find: "this.sure[place] !== SURE",
    put: "false",
    tests: CACHE,
    title: "so young",
  },
  {
    file: "src/app/config/task-folder.ts",
    find: "return now - ctimeMs < YOUNG_MS ? UNSETTLED : SURE;",
    put: "return SURE;",
    tests: CACHE,
    title: "whose ctime is young",
  },
  {
    file: "src/app/config/task-folder.ts",
    find: "before.sure[place] !== YOUNG",
    put: "before.sure[place] !== 7",
    tests: ["src/app/config/reading.test.ts"],
    title: "a file that did not change is not read again",
  },
  ...([
    "numbers[at] === ino",
    "numbers[at + 1] === size",
    "numbers[at + 2] === mtimeMs",
    "numbers[at + 3] === ctimeMs",
  ].map((find, at) => ({
    file: "src/app/config/stamps.ts",
    find,
    put: "true",
    tests: CACHE,
    title: `where the ${["inode", "size", "mtime", "ctime"][at]} is not`,
  })) satisfies readonly Omit<Mutant, "id">[]),
  {
    file: "src/adapters/record-cache/pack.ts",
    find: "if (crc32(file.subarray(8)) !== file.readUInt32LE(4)) return null;",
    put: "",
    tests: CACHE,
    title: "where the cache is other bytes",
  },
  {
    file: "src/app/config/task-cache.ts",
    find: "Buffer.concat([Buffer.from(String(FORMAT)), own])",
    put: "Buffer.from(String(FORMAT))",
    tests: CACHE,
    title: "named by the build",
  },
  {
    file: "src/app/config/task-cache.ts",
    find: "writeFileSync(own, packed",
    put: "writeFileSync(path, new Uint8Array()), writeFileSync(own, packed",
    tests: CACHE,
    title: "whole whenever another process looks",
  },
  {
    file: "src/app/config/task-cache.ts",
    find: 'if (!says || !common || !from || title === undefined) throw new RangeError("a row lacks something");',
    put: "if (!common || !from || title === undefined) throw new RangeError();",
    tests: CACHE,
    title: "of rows that name what is not there",
  },
  {
    file: "src/app/config/kept-task.ts",
    find: "return spec === this.#spec && isDeepStrictEqual(terms, this.terms) ? bytes : null;",
    put: "return bytes;",
    tests: CACHE,
    title: "gives no text that is not the file's",
  },
  {
    file: "src/app/config/kept-task.ts",
    find: "if (this.#from !== from && this.#from?.text !== from.text) {",
    put: "if (this.#from === null) {",
    tests: CACHE,
    title: "goes by what pawl.yaml gives",
  },
  {
    file: "src/adapters/store/sqlite-reader.ts",
    find: "ORDER BY key, id LIMIT ?",
    put: "ORDER BY id LIMIT ?",
    tests: STORE,
    title: "in natural order",
  },
  {
    file: "src/adapters/store/sqlite-commit.ts",
    find: "idKey(seed.id)",
    put: "seed.id",
    tests: STORE,
    title: "in natural order",
  },
  {
    file: "src/adapters/store/schema.ts",
    find: "put.run(idKey(id), id)",
    put: "put.run(id, id)",
    tests: OPEN,
    title: "is brought up to date by who opens it",
  },
  {
    file: "src/adapters/store/seed-json.ts",
    find: "last.before === cut.before && ",
    put: "",
    tests: SEEDS,
    title: "reads one with",
  },
  {
    file: "src/adapters/store/seed-json.ts",
    find: ' || title.includes("\\\\")',
    put: "",
    tests: SEEDS,
    title: "reads one with",
  },
  {
    file: "src/domain/seeds.ts",
    find: "this.#gone.has(place) || ",
    put: "",
    tests: ["src/domain/seeds.test.ts"],
    title: "whose file is gone",
  },
  {
    file: "src/engine/intake.ts",
    find: 'kind === "processor-started" ? 1 : 2',
    put: 'kind === "processor-started" ? 2 : 2',
    tests: ["src/engine/intake.test.ts"],
    title: "while it started",
  },
].map((mutant) => ({ id: "large", ...mutant }));
