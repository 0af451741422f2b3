import type { Mutant } from "./mutant.ts";

const WEBHOOK = ["src/adapters/channels/webhook.test.ts"];
const DURABLE = ["test/flows/durable.test.ts"];
const POSTGRES = ["src/adapters/store/postgres/lease.test.ts", "src/adapters/store/postgres/losses.test.ts"];
const HISTORIES = ["test/histories/histories.test.ts"];

/** Faults in what the log, notices and completion promise; the ids are those of the architecture's rules. */
export const REACH: readonly Mutant[] = [
  {
    id: "3.1",
    file: "src/engine/engine.ts",
    find: "        await this.#commits.durable();\n        return this.#parts.store.task(id);",
    put: "        return this.#parts.store.task(id);",
    tests: DURABLE,
    title: "finds its row",
  },
  {
    id: "3.1",
    file: "src/engine/engine.ts",
    find: "if (this.#commits.size === 0 || this.#abort.signal.aborted) return;",
    put: "if (this.#commits.size >= 0 || this.#abort.signal.aborted) return;",
    tests: DURABLE,
    title: "also where a commit takes long",
  },
  {
    id: "3.1",
    file: "src/engine/engine.ts",
    find: "      this.#lanes.start(started);\n    };",
    put: "    };\n    this.#lanes.start(started);",
    tests: DURABLE,
    title: "also where a commit takes long",
  },
  {
    id: "3.1",
    file: "src/engine/commits.ts",
    find: "    if (!this.#isWriting && !this.#failure) void this.#write();",
    put: "    if (!this.#isWriting) void this.#write();",
    tests: ["src/engine/commits.test.ts"],
    title: "nothing behind it is written or kept",
  },
  {
    id: "3.1",
    file: "src/adapters/store/together.ts",
    find: "const rows = newest(ticks.flatMap((tick) => tick.rows));",
    put: "const rows = newest(ticks.flatMap((tick) => tick.rows).reverse());",
    tests: ["src/adapters/store/sqlite.test.ts"],
    title: "each row is as the last one has it",
  },
  {
    id: "3.1",
    file: "src/adapters/store/postgres/commit.ts",
    find: "ELSE ${TORN} END",
    put: "ELSE 'lost' END",
    tests: POSTGRES,
    title: "is checked by the server",
  },
  {
    id: "3.1",
    file: "src/adapters/store/postgres/commit.ts",
    find: "ELSE CASE WHEN ${newest} THEN 'again' ELSE 'gap' END END",
    put: "ELSE 'gap' END",
    tests: POSTGRES,
    title: "three ticks at once",
  },
  {
    id: "3.2",
    file: "src/app/log/replay.ts",
    find: "if (!isDeepStrictEqual(decided[index], tick.facts[index]))",
    put: "if (decided.length !== tick.facts.length)",
    tests: HISTORIES,
    title: "is not decided as it was",
  },
  {
    id: "3.2",
    file: "src/app/log/replay.ts",
    find: "    board = (await boardOf(logged, store)) ?? board;\n",
    put: "    if (ticks === 0) board = (await boardOf(logged, store)) ?? board;\n    else if (await boardOf(logged, store)) board = new Board({ ...(await store.load()), seeds: [] });\n",
    tests: HISTORIES,
    title: "is decided as it was",
  },
  {
    id: "4.6",
    file: "src/adapters/channels/each-once.ts",
    find: "by.add(open[i]!);",
    put: "void open[i];",
    tests: WEBHOOK,
    title: "each is told once",
  },
  {
    id: "4.6",
    file: "src/adapters/channels/webhook.ts",
    find: "if (answer.arrived) throw inDoubt(answer.why);",
    put: "",
    tests: WEBHOOK,
    title: "so it is in doubt",
  },
  {
    id: "4.6",
    file: "src/adapters/channels/webhook.ts",
    find: '    "idempotency-key": key,\n',
    put: "",
    tests: WEBHOOK,
    title: "with the same body and key",
  },
];
