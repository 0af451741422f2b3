import type { Mutant } from "./mutant.ts";

const ANSWERS = ["src/device/parse/read-answer.test.ts"];

/** Faults by which what a model says could be taken for something else; the tests' titles say what each is. */
export const DEVICE_ANSWERS: readonly Mutant[] = answers();

function answers(): readonly Mutant[] {
  const read = "src/device/parse/read-answer.ts";
  const space = "src/device/parse/space.ts";
  return [
    {
      file: read,
      find: "if (!isMarks(behind(one, { counted, text })))",
      put: "if (false)",
      title: "words behind it",
    },
    {
      file: read,
      find: 'one.standing === "alone" && isSpokenOf(',
      put: "false && isSpokenOf(",
      title: "an example in its own line",
    },
    {
      file: read,
      find: "JSON.stringify(value) !== JSON.stringify(first.value)",
      put: "false",
      title: "two fences",
    },
    {
      file: space,
      find: "if (number >= 0 && number <= size) return;",
      put: "return;",
      title: "never decides what it counts",
    },
    { file: space, find: "below % 2 === 1", put: "true", title: "halfway between two multiples" },
    {
      file: "src/device/parse/mobile-use.ts",
      find: 'gaveUp(args.status ?? null, first(args, "text")) ?? ',
      put: "",
      title: "is no FINISH",
    },
    {
      file: "src/device/parse/thoughts.ts",
      find: "isOpen: true",
      put: "isOpen: false",
      title: "a thought that does not end",
    },
    {
      file: "src/device/parse/fields.ts",
      find: "if (strange !== undefined)",
      put: "if (false)",
      tests: ["test/device/malformed.test.ts"],
      title: "answers of models",
    },
    {
      file: "src/device/parse/thoughts.ts",
      find: "closes.find(({ at }) => !actions.some((action) => action.at < at && at < action.end))",
      put: "closes[0]",
      tests: ["test/device/malformed.test.ts"],
      title: "answers of models",
    },
    {
      file: "src/adapters/vision/create.ts",
      find: "const cut = CUT[answer.stop];",
      put: "const cut = null;",
      tests: ["src/adapters/vision/create.test.ts"],
      title: "is no action",
    },
    {
      file: "src/adapters/models/prompt.ts",
      find: ", ...picturesOf(turn)",
      put: "",
      tests: ["src/adapters/vision/create.test.ts"],
      title: "is shown the picture",
    },
    {
      // what may have happened is done again
      file: "src/device/evolve-action.ts",
      find: 'return { ...failed, stage: looking(settle, "unsure") };',
      put: 'return { ...failed, stage: looking(settle, "retry") };',
      tests: ["test/device/soak/soak.test.ts"],
      title: "something goes wrong",
    },
  ].map((mutant) => ({ id: "DEV-3.5 (answers)", tests: ANSWERS, ...mutant }));
}
