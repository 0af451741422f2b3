import type { Mutant } from "./mutant.ts";

const WEBHOOK = ["src/adapters/channels/webhook.test.ts"];
const HISTORIES = ["test/histories/histories.test.ts"];

/** Faults in what the log, notices and completion promise; the ids are those of the architecture's rules. */
export const REACH: readonly Mutant[] = [
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
