import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { readArgs } from "../../src/tactics/arguments.ts";
import { isMisread, readExecutorDecision } from "../../src/tactics/decision.ts";
import { type Chance, chance } from "../support/chance.ts";

const ANSWERS = Number(process.env.PAWL_MALFORMED ?? 10_000);
const SEED = Number(process.env.PAWL_SEED ?? 1);

type Args = Readonly<Record<string, unknown>>;
interface Call {
  readonly name: string;
  readonly args: Args;
}

const WORDS = [
  "a",
  "src/add.mjs",
  'say("hi")',
  "it's",
  "{x}",
  "[1]",
  "\\d+",
  "//no",
  "/* c */",
  "\u00fc\u{1f600}",
  "line\nend",
  "tab\t",
  "```",
  "<|x|>",
  "a: b,",
  "\u201cq\u201d",
  "",
];
const TOOLS = ["file_edit", "shell", "file_write", "test_run"];

function callOf(of: Chance): Call {
  const names = ["path", "old", "new", "cmd", "line", "all"].slice(of.below(3), 3 + of.below(4));
  const value = () => of.pick<unknown>([of.below(100), -1.5, true, null, [of.pick(WORDS), 1], { in: of.pick(WORDS) }]);
  const text = () => Array.from({ length: 1 + of.below(4) }, () => of.pick(WORDS)).join(of.pick(["", " ", "\n"]));
  return {
    name: of.pick(TOOLS),
    args: Object.fromEntries(names.map((name) => [name, of.percent(70) ? text() : value()])),
  };
}

interface Damage {
  readonly name: string;
  /** nothing of what was meant is lost */
  readonly isLossless: boolean;
  /** the call stands in words, as something that is spoken about */
  readonly isExample?: boolean;
  readonly make: (text: string, of: Chance) => string;
}
const fenced = (text: string, word = "json", mark = "```"): string => `${mark}${word}\n${text}\n${mark}`;
/** puts something into the text, at a place of chance */
const into = (text: string, what: string, of: Chance): string => {
  const at = of.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
};
/** names of the outermost object without their quotes: those cannot stand inside a text */
const bare = (text: string): string => text.replace(/^\{"(\w+)":/, "{$1:");

const DAMAGE: readonly Damage[] = [
  { name: "a fence", isLossless: true, make: (text, of) => fenced(text, of.pick(["json", "", "JSON", "tool_call"])) },
  { name: "nested fences", isLossless: true, make: (text) => fenced(fenced(text), "", "````") },
  {
    name: "thoughts before it",
    isLossless: true,
    make: (text) => `<think>maybe {"action":"DONE"}?</think>\n\n${text}`,
  },
  { name: "marks of tokens", isLossless: true, make: (text) => `<|start|>${text}<|im_end|>` },
  { name: "space and a mark of byte order", isLossless: true, make: (text) => `\ufeff \n${text}\r\n\n` },
  { name: "a comma too many", isLossless: true, make: (text) => `${text.slice(0, -1)},}` },
  { name: "a comment", isLossless: true, make: (text) => `{/* so */${text.slice(1)}// that is it` },
  { name: "a name without quotes", isLossless: true, make: bare },
  { name: "spread over lines", isLossless: true, make: (text) => JSON.stringify(JSON.parse(text), null, 4) },
  { name: "encoded twice", isLossless: true, make: (text) => JSON.stringify(text) },
  {
    name: "raw line ends and tabs",
    isLossless: true,
    make: (text) => text.replace(/(?<!\\)\\n/g, "\n").replace(/(?<!\\)\\t/g, "\t"),
  },
  {
    name: "words of Python",
    isLossless: true,
    make: (text) => text.replace(/:true/g, ":True").replace(/:null/g, ":None"),
  },
  { name: "cut", isLossless: false, make: (text, of) => text.slice(0, 1 + of.below(text.length - 1)) },
  { name: "cut in a fence", isLossless: false, make: (text, of) => fenced(text).slice(0, 8 + of.below(text.length)) },
  { name: "the beginning lost", isLossless: false, make: (text, of) => text.slice(1 + of.below(text.length - 1)) },
  {
    name: "a part lost",
    isLossless: false,
    make: (text, of) => {
      const at = of.below(text.length);
      return text.slice(0, at) + text.slice(at + 1 + of.below(9));
    },
  },
  {
    name: "a control character",
    isLossless: false,
    make: (text, of) => into(text, of.pick(["\0", "\x1b[0m", "\x07", "\ud800"]), of),
  },
  { name: "a quote", isLossless: false, make: (text, of) => into(text, of.pick(['"', "'", "`", "\u201d"]), of) },
  { name: "a bracket", isLossless: false, make: (text, of) => into(text, of.pick(["{", "}", "[", "]", ",", ":"]), of) },
  { name: "quotes not escaped", isLossless: false, make: (text) => text.replaceAll('\\"', '"') },
  {
    name: "huge",
    isLossless: false,
    make: (text, of) => text.slice(0, -1) + " ".repeat(30_000 * of.below(3)) + "x".repeat(200_000),
  },
  {
    name: "several calls in one",
    isLossless: false,
    make: (text, of) =>
      of.pick([`${text}\n${text}`, `[${text},${text}]`, `${text},${text}`, fenced(text) + fenced(text)]),
  },
  { name: "a name twice", isLossless: false, make: (text) => `${text.slice(0, -1)},${text.slice(1)}` },
  {
    name: "wrong types",
    isLossless: false,
    make: (_, of) => of.pick(["[]", "null", "7", '"x"', "true", '{"action":["CALL_TOOL"]}', "{}"]),
  },
  { name: "words before it", isLossless: false, isExample: true, make: (text) => `I could, for example, say: ${text}` },
  {
    name: "words behind it",
    isLossless: false,
    isExample: true,
    make: (text) => `${text}\nis what I would say, but I shall wait.`,
  },
  {
    name: "a fence in words",
    isLossless: false,
    isExample: true,
    make: (text) => `Do not run this:\n${fenced(text)}\nIt is only an example.`,
  },
];

type End = "intended" | "asked again" | "other";
interface Count {
  intended: number;
  askedAgain: number;
}
const counts = new Map<string, Count>();

/** As a decision in the text, or as the arguments of a native call. */
function read(call: Call, damage: Damage, of: Chance, isNative: boolean): End {
  const whole = isNative ? call.args : { _type: "EXECUTOR_DECISION", action: "CALL_TOOL", tool: call, reasoning: "so" };
  const text = damage.make(JSON.stringify(whole), of);
  if (isNative) {
    const found = readArgs({ args: { text } });
    return "unreadable" in found ? "asked again" : sameOr(found.args, call.args, text);
  }
  const found = readExecutorDecision(text);
  if (isMisread(found)) return "asked again";
  const { action, tool } = found.decision;
  if (action !== "CALL_TOOL") return "other";
  // a name that no tool has is refused, and what there is instead is said
  if (!TOOLS.includes(tool?.name ?? "")) return "asked again";
  return tool?.name === call.name ? sameOr(tool.args, call.args, text) : "other";
}

/** What a strict reader would read from the damaged text is what was written there: a letter more or less in a text is a text. */
const sameOr = (found: Args, meant: Args, text: string): End =>
  isDeepStrictEqual(found, meant) || isWritten(found, text) ? "intended" : "other";
/** an apostrophe that was escaped is one, as in every other language */
const strict = (text: string): string => text.replace(/(?<!\\)((?:\\\\)*)\\'/g, "$1'");
function isWritten(found: Args, text: string): boolean {
  try {
    const value = JSON.parse(strict(text)) as { tool?: { args?: unknown } };
    return isDeepStrictEqual(value, found) || isDeepStrictEqual(value.tool?.args, found);
  } catch {
    return false;
  }
}

test(`${ANSWERS} answers that are not as they should be come to what was meant, or are asked for again (seed ${SEED})`, () => {
  const of = chance(SEED);
  const others: string[] = [];
  for (let n = 0; n < ANSWERS; n++) {
    const damage = DAMAGE[n % DAMAGE.length]!;
    const isNative = n % 2 === 0;
    const call = callOf(of);
    const end = read(call, damage, of, isNative);
    const count = counts.get(damage.name) ?? { intended: 0, askedAgain: 0 };
    counts.set(damage.name, count);
    if (end === "other") others.push(`${n}: ${damage.name}, ${JSON.stringify(call)}`);
    else if (end === "intended") count.intended += 1;
    else count.askedAgain += 1;
    if (damage.isExample) expect(end, `${n}: ${damage.name}`).toBe("asked again");
  }
  const sum = (all: readonly Damage[], key: keyof Count) =>
    all.reduce((most, { name }) => most + (counts.get(name)?.[key] ?? 0), 0);
  const lossless = DAMAGE.filter(({ isLossless }) => isLossless);
  const repaired = sum(lossless, "intended");
  const losing = sum(lossless, "askedAgain");
  console.info(
    `${sum(DAMAGE, "intended")} as intended, ${sum(DAMAGE, "askedAgain")} asked again, ${others.length} other; of ${repaired + losing} that lost nothing ${repaired} were repaired`,
  );
  expect(others.slice(0, 5)).toEqual([]);
  expect(repaired / (repaired + losing)).toBeGreaterThan(0.9);
});
