import type { Mutant } from "./mutant.ts";

/** one of the two kinds of screen: a fault of the executor is one on both */
const SCREENS = ["test/device/android.test.ts"];
const ANSWERS = ["src/device/parse/read-answer.test.ts"];
const ACTION = "src/device/evolve-action.ts";
const OUTSIDE = "src/device/perform-outside.ts";
const TIMING = "src/device/timing.ts";
const NEXT = "src/device/next.ts";

/** One fault for each scenario of the device room, and those by which a model's answer could be taken for another. */
export const DEVICE: readonly Mutant[] = [
  {
    id: "DEV-1.1",
    file: "src/device/run-on-device.ts",
    find: "steps: run.steps.length,",
    put: "steps: run.steps.length + 1,",
    tests: SCREENS,
  },
  {
    id: "DEV-1.2",
    file: ACTION,
    find: 'const next: Stage = { at: "closing", status: "success", reason };',
    put: 'const next: Stage = { at: "closing", status: "failed", reason };',
    tests: SCREENS,
  },
  { id: "DEV-1.3", file: NEXT, find: 'status: "timeout"', put: 'status: "failed"', tests: SCREENS },
  {
    id: "DEV-1.4",
    file: "src/device/progress.ts",
    find: "(elapsedMs / steps.length) * left",
    put: "elapsedMs / steps.length",
    tests: SCREENS,
  },
  {
    id: "DEV-2.1",
    file: "src/device/observation.ts",
    find: "screenshot: frame,",
    put: "screenshot: { ...frame, png: new Uint8Array(4) },",
    tests: SCREENS,
  },
  {
    id: "DEV-2.2",
    file: "src/device/observation.ts",
    find: "stepCount: run.steps.length, maxSteps",
    put: "stepCount: run.steps.length + 1, maxSteps",
    tests: SCREENS,
  },
  {
    id: "DEV-2.3",
    file: ACTION,
    find: 'return recording(failed, { outcome: "failed", attempts, error }, THINKING);',
    put: 'return recording(failed, { outcome: "failed", attempts, error }, OBSERVING);',
    tests: SCREENS,
  },
  { id: "DEV-2.4", file: "src/device/perform.ts", find: ".catch(noTree(signal))", put: "", tests: SCREENS },
  { id: "DEV-3.1", file: TIMING, find: "  tap: 500,", put: "  tap: 100,", tests: SCREENS },
  {
    id: "DEV-3.2",
    file: "src/device/act.ts",
    find: "pixelOf(action.start, frame), pixelOf(action.end, frame)",
    put: "pixelOf(action.end, frame), pixelOf(action.start, frame)",
    tests: SCREENS,
  },
  { id: "DEV-3.3", file: TIMING, find: "  type: 300,", put: "  type: 30,", tests: SCREENS },
  { id: "DEV-3.4", file: TIMING, find: "  home: 800,", put: "  home: 80,", tests: SCREENS },
  {
    id: "DEV-3.5",
    file: ACTION,
    find: 'recording(answered, { outcome: "invalid", attempts: 1, error }, THINKING)',
    put: 'recording(answered, { outcome: "done", attempts: 1 }, THINKING)',
    tests: SCREENS,
  },
  {
    id: "DEV-4.1",
    file: ACTION,
    find: "told: { userResponse: { question, answer, timedOut } }",
    put: "told: {}",
    tests: SCREENS,
  },
  {
    id: "DEV-4.2",
    file: ACTION,
    find: "const told = { toolResult: { tool, ok, content: text } };",
    put: "const told = {};",
    tests: SCREENS,
  },
  { id: "DEV-4.3", file: OUTSIDE, find: 'timedOut: asked.how === "timed-out"', put: "timedOut: false", tests: SCREENS },
  { id: "DEV-4.4", file: OUTSIDE, find: "if (!tools.names.includes(tool)) {", put: "if (false) {", tests: SCREENS },
  { id: "DEV-5.1", file: TIMING, find: "FIRST_MS * 2 ** (tries - 1)", put: "FIRST_MS * 2 ** tries", tests: SCREENS },
  {
    id: "DEV-5.2",
    file: "src/device/evolve.ts",
    find: "event.retryable && tries <= run.settings.maxRetries",
    put: "event.retryable && tries < run.settings.maxRetries",
    tests: SCREENS,
  },
  {
    id: "DEV-5.3",
    file: "src/device/perform.ts",
    find: 'if (code === "SCREEN_GONE") return desk.note({ kind: "connection-lost", message });',
    put: "",
    tests: SCREENS,
  },
  {
    id: "DEV-5.4",
    file: "src/device/evolve-look.ts",
    find: "const changed = frame.hash !== run.frame.hash;",
    put: "const changed = true;",
    tests: SCREENS,
  },
  {
    id: "DEV-6.1",
    file: "src/device/step.ts",
    find: "timestamp: new Date(pending.saidAt).toISOString(),",
    put: 'timestamp: "",',
    tests: SCREENS,
  },
  {
    id: "DEV-6.2",
    file: "src/device/trajectory-of.ts",
    find: "task_goal: run.goal,",
    put: 'task_goal: "",',
    tests: SCREENS,
  },
  {
    id: "DEV-6.3",
    file: "src/device/step.ts",
    find: "`screenshots/${hash}.png`",
    put: "`${hash}.png`",
    tests: SCREENS,
  },
  {
    id: "DEV-6.4",
    file: NEXT,
    find: "steps.length - savedSteps >= settings.saveEvery",
    put: "steps.length - savedSteps > settings.saveEvery",
    tests: SCREENS,
  },
  {
    id: "DEV-7.1",
    file: TIMING,
    find: "Math.max(SETTLE_MS[action] ?? 0, stepDelayMs)",
    put: "SETTLE_MS[action] ?? 0",
    tests: SCREENS,
  },
  {
    id: "DEV-7.2",
    file: NEXT,
    find: "if (steps.length < settings.maxSteps)",
    put: "if (steps.length <= settings.maxSteps)",
    tests: SCREENS,
  },
  {
    id: "DEV-7.3",
    file: "src/device/observation.ts",
    find: "...(tree === null ? {} : { accessibilityTree: tree }),",
    put: "",
    tests: SCREENS,
  },
  { id: "DEV-7.4", file: TIMING, find: "retryDelayMs ?? Math.min(", put: "null ?? Math.min(", tests: SCREENS },
  {
    id: "DEV-8.1",
    file: "src/device/run-on-device.ts",
    find: "await release(desk, parts);",
    put: "",
    tests: SCREENS,
  },
  {
    id: "DEV-8.2",
    file: "src/device/run-on-device.ts",
    find: "status: run.ended!.status,",
    put: 'status: "success",',
    tests: SCREENS,
  },
  {
    id: "DEV-8.3",
    file: "src/device/evolve.ts",
    find: 'status: "interrupted", reason: interruption(run)',
    put: 'status: "failed", reason: interruption(run)',
    tests: SCREENS,
  },
  {
    id: "DEV-8.4",
    file: "src/device/run-on-device.ts",
    find: "  if (fault) throw fault.error;\n",
    put: "",
    tests: SCREENS,
  },
  ...answers(),
];

/** What a model says, and what nobody may take it for; the tests' titles say what each is. */
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
      file: ACTION,
      find: 'return { ...failed, stage: looking(settle, "unsure") };',
      put: 'return { ...failed, stage: looking(settle, "retry") };',
      tests: ["test/device/soak/soak.test.ts"],
      title: "something goes wrong",
    },
  ].map((mutant) => ({ id: "DEV-3.5 (answers)", tests: ANSWERS, ...mutant }));
}
