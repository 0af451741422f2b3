import type { Mutant } from "./mutant.ts";

const MISBEHAVING = ["test/agents/misbehaving.test.ts"];
const ENDS = ["test/agents/ends.test.ts"];
const SESSIONS = ["test/agents/sessions.test.ts"];
const COMMANDS = ["test/agents/commands.test.ts"];
const READ = ["src/protocol/read-output.test.ts"];
const ACP = "src/adapters/acp";

/** Faults in how agents of other makers are driven, and in what is made of their ends; the tests' titles say what each breaks. */
export const AGENTS: readonly Mutant[] = [
  {
    file: `${ACP}/permission.ts`,
    find: "const outside = CHANGES.has(wish.kind)",
    put: "const outside = wish.kind === 'think'",
    tests: MISBEHAVING,
    title: "permission is given by the kind",
  },
  {
    file: `${ACP}/permission.ts`,
    find: 'allow: ["allow_once", "allow_always"]',
    put: 'allow: ["allow_always", "allow_once"]',
    tests: MISBEHAVING,
    title: "permission is given by the kind",
  },
  {
    file: `${ACP}/client.ts`,
    find: "if (ours !== null && read.session !== ours)",
    put: "if (ours === null)",
    tests: MISBEHAVING,
    title: "another session's words",
  },
  {
    file: "src/app/acp/words.ts",
    find: "return wasBegun ? { key: `go-on/${leg}`",
    put: "return !wasBegun ? { key: `go-on/${leg}`",
    tests: SESSIONS,
    title: "what was said in it is not said again",
  },
  {
    file: `${ACP}/client.ts`,
    find: 'policy.leave === "ask" ? await desk.ask(wish) : null',
    put: "null",
    tests: SESSIONS,
    title: "what only a person may allow",
  },
  {
    file: `${ACP}/drive-agent.ts`,
    find: "talk.asked.wish && !signal.aborted",
    put: "talk.asked.wish",
    tests: SESSIONS,
    title: "stopped while a person is asked",
  },
  {
    file: "src/app/acp/deeds.ts",
    find: "if (changed?.length === 0)",
    put: "if (changed === null)",
    tests: MISBEHAVING,
    title: "says done and did nothing",
  },
  {
    file: "src/app/acp/conclude.ts",
    find: 'refusal: { kind: "model-refused"',
    put: 'refusal: { kind: "crash"',
    tests: ENDS,
    title: "refuses",
  },
  {
    file: `${ACP}/error-words.ts`,
    find: 'code === AUTH_REQUIRED ? "auth" : "crash"',
    put: '"crash"',
    tests: [`${ACP}/error-words.test.ts`],
    title: "own code for a login",
  },
  {
    file: "src/protocol/failure.ts",
    find: 'return { kind: until === null ? spoken : "rate-limit"',
    put: "return { kind: spoken",
    tests: ["src/protocol/failure.test.ts"],
    title: "retry in 34",
  },
  {
    file: "src/adapters/agents/by-rule.ts",
    find: "(byError(ended) ?? ruled)",
    put: "(ruled ?? byError(ended))",
    tests: COMMANDS,
    title: "told apart by its error: limited",
  },
  {
    file: "src/adapters/agents/listen.ts",
    find: "(before.tokens ?? 0) + tokens",
    put: "tokens",
    tests: COMMANDS,
    title: "a later leg adds to it",
  },
  {
    file: "src/protocol/read-output.ts",
    find: "place.each ? (before ?? 0) + sum : sum",
    put: "sum",
    tests: READ,
    title: "are added up",
  },
  {
    file: "src/domain/evolve-run.ts",
    find: "endings: counted(endings, endingOf(end))",
    put: "endings: counted({}, endingOf(end))",
    tests: ["src/domain/ending.test.ts"],
    title: "counted for ever",
  },
].map((mutant) => ({ id: "agents", ...mutant }));
