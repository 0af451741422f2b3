import type { AnswerDialect } from "../../ports/model-spec.ts";
import { type ActionValidationError, actionOf, type DeviceAction, invalidAction } from "../device-action.ts";
import { isMarks, isSpokenOf, prose } from "./around.ts";
import { AUTOGLM } from "./autoglm.ts";
import type { Dialect } from "./dialect.ts";
import { first } from "./fields.ts";
import { MOBILE_USE } from "./mobile-use.ts";
import { PAWL } from "./pawl-dialect.ts";
import { type Candidate, scan } from "./scan.ts";
import { inSpace, placeOf, type Seen } from "./space.ts";
import { thoughtsAside } from "./thoughts.ts";
import { UI_TARS } from "./ui-tars.ts";
import { Unreadable } from "./unreadable.ts";

/** What has to be known of a model to read it: declared, never guessed. */
export interface Reading extends Seen {
  readonly dialect: AnswerDialect;
}

export interface ReadAnswer {
  /** what it thought aloud; "" where nothing */
  readonly thinking: string;
  readonly action: DeviceAction | ActionValidationError;
}

export const DIALECTS: Readonly<Record<AnswerDialect, Dialect>> = {
  pawl: PAWL,
  autoglm: AUTOGLM,
  "ui-tars": UI_TARS,
  "mai-ui": MOBILE_USE,
  qwen: MOBILE_USE,
};

/** Longer answers are not read: no action is that long, and a model that loops writes for ever. */
const MOST_CHARS = 100_000;

/**
 * The one action that an answer of a model wants, its places as shares of the frame; or why there is none, as a value that
 * names the actions that there are. Total, and never takes for an action what only might be one: an action that was cut,
 * stands in words as something that is spoken about, or is one of two different ones, is refused (DEV-3.5).
 */
export function readAnswer(text: string, reading: Reading): ReadAnswer {
  if (text.length > MOST_CHARS) return refused("", `the answer has ${text.length} characters`, text);
  const dialect = DIALECTS[reading.dialect];
  const { thoughts, rest, isOpen } = thoughtsAside(text, (all) => scan(all, dialect.grammar).found);
  if (/\p{Surrogate}/u.test(rest)) return refused(thoughts, "half of a character stands in the answer", rest);
  if (isOpen) return refused(thoughts, "the thought before the action does not end", text);
  const { found, fault } = scan(rest, dialect.grammar);
  if (fault !== null) return refused(thoughts, `the action cannot be read: ${fault}`, rest);
  const chosen = theOne(found, rest);
  if (typeof chosen === "string") return refused(thoughts, chosen || nothing(rest, reading.dialect), rest);
  const thinking = [thoughts, prose(rest.slice(0, chosen.at)), aloud(chosen.value)].filter(Boolean).join("\n");
  return { thinking, action: actionIn(chosen.value, { dialect, seen: reading, given: rest }) };
}

/** An action as a model of this dialect and space would have written it, for a history that it reads again. */
export function writeAnswer(
  { thinking, action }: { thinking: string; action: DeviceAction },
  reading: Reading,
): string {
  const dialect = DIALECTS[reading.dialect];
  return dialect.frame(
    thinking,
    dialect.write(action, (at) => inSpace(at, reading)),
  );
}

/** The action that a value of this dialect means, with its places read. */
export function actionIn(
  value: unknown,
  { dialect, seen, given }: { dialect: Dialect; seen: Seen; given: string },
): DeviceAction | ActionValidationError {
  try {
    return actionOf(dialect.mean(value, (place) => placeOf(place, seen)));
  } catch (error) {
    if (error instanceof Unreadable) return invalidAction(error.message, given);
    throw error;
  }
}

const refused = (thinking: string, why: string, given: string): ReadAnswer => ({
  thinking,
  action: invalidAction(why, given.trim()),
});

/** Why there is none, as words; "" where nothing is written like one. */
function theOne(found: readonly Candidate[], text: string): Candidate | string {
  const marked = found.filter(({ standing }) => standing === "marked");
  const counted = marked.length > 0 ? found.slice(found.indexOf(marked[0]!)) : found;
  const first = counted[0];
  if (first === undefined) return "";
  if (counted.some(({ value }) => JSON.stringify(value) !== JSON.stringify(first.value)))
    return "there are two different actions in one answer; say one";
  const one = counted.find(({ standing }) => standing !== "inline");
  if (one === undefined)
    return "the action stands in the middle of words, maybe as an example; let it stand alone, at the end";
  if (!isMarks(behind(one, { counted, text }))) return "words stand behind the action; let it stand alone, at the end";
  if (one.standing === "alone" && isSpokenOf(text.slice(0, one.at)))
    return "the words before the action speak of it as an example or of what not to do; let it stand alone";
  return one;
}

/** All that follows, without the same action said again. */
function behind(one: Candidate, { counted, text }: { counted: readonly Candidate[]; text: string }): string {
  const again = counted.slice(counted.indexOf(one) + 1);
  return [one, ...again].map(({ end }, i) => text.slice(end, again[i]?.at ?? text.length)).join("");
}

/** JSON that holds its own thought beside the action. */
function aloud(value: unknown): string {
  const said = first(value as Readonly<Record<string, unknown>>, "thinking", "thought", "reasoning");
  return typeof said === "string" ? said.trim() : "";
}

function nothing(text: string, dialect: AnswerDialect): string {
  const other = LOOKS.find(([name, look]) => name !== dialect && look.test(text))?.[0];
  const hint = other === undefined ? "" : ` (it looks like the dialect ${other})`;
  return `there is no action of the dialect ${dialect} in the answer${hint}`;
}
const LOOKS: readonly (readonly [AnswerDialect, RegExp])[] = [
  ["autoglm", /\bdo\(action=|\bfinish\(message=/],
  ["ui-tars", /\b(?:start_box|point|content)=|\bpress_(?:home|back)\(\)/],
  ["mai-ui", /"mobile_use"/],
  ["pawl", /"action"\s*:/],
];
