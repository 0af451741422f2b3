import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { ACTIONS, type Coordinate, type DeviceAction, isInvalid } from "../../src/device/device-action.ts";
import { type Reading, readAnswer, writeAnswer } from "../../src/device/parse/read-answer.ts";
import type { AnswerDialect, CoordinateSpace } from "../../src/ports/model-spec.ts";
import { type Chance, chance } from "../support/chance.ts";

const ANSWERS = Number(process.env.PAWL_MALFORMED ?? 10_000);
const SEED = Number(process.env.PAWL_SEED ?? 1);

const DIALECTS: readonly AnswerDialect[] = ["pawl", "autoglm", "ui-tars", "mai-ui", "qwen"];
const SPACES: readonly CoordinateSpace[] = ["0-1", "0-1000", "pixel", "pixel-28"];
const WORDS = [
  "a",
  "red kettle",
  'say("hi")',
  "it's",
  "{x}",
  "[1]",
  "C:\\dir",
  "\u00fc\u{1f600}",
  "line\nend",
  "tab\t",
  "```",
  "<|x|>",
  "</think>",
  "</answer>",
  "Action: press_home()",
  'do(action="Home")',
  '{"action": "FINISH"}',
  "finished(content='x')",
  "50%, off)",
];

function actionOf(of: Chance): DeviceAction {
  // thousandths and pixels of this frame that are both whole numbers
  const place = (): Coordinate => [of.below(21) / 20, of.below(21) / 20];
  const words = () => Array.from({ length: 1 + of.below(3) }, () => of.pick(WORDS)).join(of.pick(["", " ", "\n"]));
  const action = of.pick(ACTIONS);
  switch (action) {
    case "tap":
    case "double_tap":
      return { action, coordinate: place() };
    case "long_press":
      return { action, coordinate: place(), duration: 800 };
    case "swipe":
      return { action, start: place(), end: place(), duration: 300 };
    case "type":
      return { action, text: words() };
    case "open":
      return { action, app: words() };
    case "wait":
      return { action, seconds: 1 + of.below(30) };
    case "ask_user":
      return { action, question: words() };
    case "mcp_call":
      return { action, tool: "find", args: { query: words(), within: [1, { action: "back" }] } };
    case "FINISH":
      return { action, reason: words() };
    default:
      return { action };
  }
}

/** What an answer comes to that is made of an action in this way. */
type Nature = "lossless" | "lossy" | "never an action";
interface Damage {
  readonly name: string;
  readonly nature: Nature;
  /** `whole`: with its thought and its marks; `bare`: the action alone; `other`: another action */
  readonly make: (of: { whole: string; bare: string; other: string }, chance: Chance) => string;
}
const fenced = (text: string, word = "json"): string => `\`\`\`${word}\n${text}\n\`\`\``;
const into = (text: string, what: string, of: Chance): string => {
  const at = of.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
};

const DAMAGE: readonly Damage[] = [
  { name: "as it should be", nature: "lossless", make: ({ whole }) => whole },
  { name: "bare", nature: "lossless", make: ({ bare }) => bare },
  { name: "in a fence", nature: "lossless", make: ({ bare }, of) => fenced(bare, of.pick(["json", "", "python"])) },
  {
    name: "behind thoughts",
    nature: "lossless",
    make: ({ bare, other }) => `<think>\nmaybe ${other.replaceAll("</think>", "")}, or not\n</think>\n${bare}`,
  },
  {
    name: "behind thoughts without a beginning",
    nature: "lossless",
    make: ({ bare, other }) => `so maybe ${other.replaceAll("</think>", "")}, or not\n</think>\n\n${bare}`,
  },
  { name: "behind words", nature: "lossless", make: ({ bare }) => `The box is at the top. I go on.\n${bare}` },
  { name: "behind a sentence", nature: "lossless", make: ({ bare }) => `The box is at the top. ${bare}` },
  { name: "behind Action:", nature: "lossless", make: ({ bare }) => `Thought: so\nAction: ${bare}` },
  {
    name: "in a box, behind words in one",
    nature: "lossless",
    make: ({ bare }) => `<|begin_of_box|>I see icons...<|end_of_box|>\n<|begin_of_box|>${bare}<|end_of_box|>`,
  },
  { name: "between tokens", nature: "lossless", make: ({ bare }) => `<|assistant|>${bare}<|im_end|>` },
  { name: "in an answer tag", nature: "lossless", make: ({ bare }) => `<answer>\n${bare}\n</answer>` },
  { name: "with space and a mark of byte order", nature: "lossless", make: ({ bare }) => `\ufeff \n${bare}\r\n\n` },
  { name: "said twice", nature: "lossless", make: ({ bare }) => `${bare}\n${bare}` },
  { name: "with a full stop", nature: "lossless", make: ({ bare }) => `${bare}.` },
  { name: "cut", nature: "lossy", make: ({ whole }, of) => whole.slice(0, 1 + of.below(whole.length - 1)) },
  { name: "cut, bare", nature: "never an action", make: ({ bare }, of) => bare.slice(0, of.below(bare.length)) },
  {
    name: "the beginning lost",
    nature: "lossy",
    make: ({ whole }, of) => whole.slice(1 + of.below(whole.length - 1)),
  },
  {
    name: "the beginning lost, bare",
    nature: "never an action",
    make: ({ bare }, of) => bare.slice(1 + of.below(bare.length - 1)),
  },
  {
    name: "a part lost",
    nature: "lossy",
    make: ({ whole }, of) => {
      const at = of.below(whole.length);
      return whole.slice(0, at) + whole.slice(at + 1 + of.below(9));
    },
  },
  { name: "a quote", nature: "lossy", make: ({ whole }, of) => into(whole, of.pick(['"', "'", "`", "\u201d"]), of) },
  {
    name: "a bracket",
    nature: "lossy",
    make: ({ whole }, of) => into(whole, of.pick(["{", "}", "[", "]", "(", ")", ",", ":", "="]), of),
  },
  {
    name: "a control character",
    nature: "lossy",
    make: ({ whole }, of) => into(whole, of.pick(["\0", "\x1b[0m", "\x07", "\ud800"]), of),
  },
  { name: "another action behind it", nature: "never an action", make: ({ bare, other }) => `${bare}\n${other}` },
  { name: "another action before it", nature: "never an action", make: ({ bare, other }) => `${other}\n${bare}` },
  {
    name: "two in fences",
    nature: "never an action",
    make: ({ bare, other }) => `${fenced(bare)}\n${fenced(other)}`,
  },
  { name: "a list", nature: "never an action", make: ({ bare, other }) => `[${bare}, ${other}]` },
  { name: "an example", nature: "never an action", make: ({ bare }) => `I could, for example, say: ${bare}` },
  { name: "words behind it", nature: "never an action", make: ({ bare }) => `${bare}\nis what I would say; I wait.` },
  {
    name: "a fence in words",
    nature: "never an action",
    make: ({ bare }) => `Do not run this:\n${fenced(bare)}\nIt is only an example.`,
  },
  { name: "what not to do", nature: "never an action", make: ({ bare }) => `Do not do this:\n${fenced(bare)}` },
  { name: "a thought that never ends", nature: "never an action", make: ({ bare }) => `<think>I say ${bare}` },
  {
    name: "no action",
    nature: "never an action",
    make: (_, of) => of.pick(["", "null", "7", '"x"', "I am done; the task is finished.", "FINISH", "{}", "finish"]),
  },
  { name: "huge", nature: "never an action", make: ({ bare }) => bare + " ".repeat(120_000) },
];

type End = "intended" | "asked again" | "other";

function endOf(text: string, { meant, reading }: { meant: DeviceAction; reading: Reading }): End {
  const { action } = readAnswer(text, reading);
  if (isInvalid(action)) {
    expect(action.allowed).toEqual(ACTIONS);
    return "asked again";
  }
  return isDeepStrictEqual(action, meant) || isWritten(action, text, reading) ? "intended" : "other";
}

/**
 * A letter more or less in a text is a text, and a digit less in a number is a number: what is read has to be what stands
 * there, whole, as it would be written.
 */
function isWritten(action: DeviceAction, text: string, reading: Reading): boolean {
  const written = writeAnswer({ thinking: "", action }, reading);
  const bare = bareOf(written, reading.dialect);
  return plain(text).includes(plain(bare));
}
const plain = (text: string): string => text.replace(/[\s'"\\`\u201d]|\\u[\da-f]{4}/g, "").replace(/[^\x20-\x7e]/g, "");
const FRAME: Readonly<Record<AnswerDialect, readonly [string, string]>> = {
  pawl: ["", ""],
  autoglm: ["<think></think>\n<answer>", "</answer>"],
  "ui-tars": ["Thought: \nAction: ", ""],
  "mai-ui": ["<thinking>\n\n</thinking>\n<tool_call>\n", "\n</tool_call>"],
  qwen: ["<thinking>\n\n</thinking>\n<tool_call>\n", "\n</tool_call>"],
};
function bareOf(whole: string, dialect: AnswerDialect): string {
  const [before, behind] = FRAME[dialect];
  return whole.slice(before.length, whole.length - behind.length);
}

/** An action that this dialect has words for, with no tool's call where it has none. */
function sayable(dialect: AnswerDialect, of: Chance): DeviceAction {
  const action = actionOf(of);
  const hasTools = dialect !== "autoglm" && dialect !== "ui-tars";
  return action.action === "mcp_call" && !hasTools ? { action: "back" } : action;
}

interface Made {
  readonly text: string;
  readonly meant: DeviceAction;
  readonly reading: Reading;
}

function made(damage: Damage, of: Chance): Made {
  const dialect = of.pick(DIALECTS);
  const reading: Reading = { dialect, space: of.pick(SPACES), frame: { width: 1120, height: 2240 } };
  const meant = sayable(dialect, of);
  const second = sayable(dialect, of);
  const other: DeviceAction = isDeepStrictEqual(second, meant) ? { action: "wait", seconds: 29 } : second;
  const bare = (action: DeviceAction) => bareOf(writeAnswer({ thinking: "", action }, reading), dialect);
  const whole = writeAnswer({ thinking: "The box is there.", action: meant }, reading);
  return { text: damage.make({ whole, bare: bare(meant), other: bare(other) }, of), meant, reading };
}

const counts: Record<Nature, Record<End, number>> = {
  lossless: { intended: 0, "asked again": 0, other: 0 },
  lossy: { intended: 0, "asked again": 0, other: 0 },
  "never an action": { intended: 0, "asked again": 0, other: 0 },
};

const isRight = (end: End, nature: Nature): boolean =>
  nature === "lossy" ? end !== "other" : end === (nature === "lossless" ? "intended" : "asked again");

test(`${ANSWERS} answers of models, well made and damaged, come to the action that was meant, or are asked for again (seed ${SEED})`, () => {
  const of = chance(SEED);
  const wrong: string[] = [];
  for (let n = 0; n < ANSWERS; n++) {
    const damage = DAMAGE[n % DAMAGE.length]!;
    const one = made(damage, of);
    const end = endOf(one.text, one);
    counts[damage.nature][end] += 1;
    if (!isRight(end, damage.nature))
      wrong.push(
        `${n}, ${damage.name}: ${JSON.stringify(one)} is ${JSON.stringify(readAnswer(one.text, one.reading))}`,
      );
  }
  const { lossless, lossy, "never an action": none } = counts;
  console.info(
    `nothing lost: ${lossless.intended} of ${lossless.intended + lossless["asked again"]} as meant; something lost: ${lossy.intended} as meant or as it stands there, ${lossy["asked again"]} asked again, ${lossy.other} other; no action: ${none["asked again"]} asked again, ${none.intended + none.other} taken for one`,
  );
  expect(wrong.slice(0, 5)).toEqual([]);
});
