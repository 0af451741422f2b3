import type { CommandLine } from "../../ports/runtime.ts";
import { type Effective, effectiveOf, effectiveOfList } from "./effective.ts";
import { programOf } from "./program-name.ts";
import type { Word } from "./shell/word.ts";

/**
 * Rules for commands: the beginning of a command each, like `git push` or `npm run *` (`*`: anything in one word).
 * Whatever begins so is meant. They keep a well-meaning agent to what was agreed; they are no sandbox: a program that
 * may run can do what they forbid.
 */
export interface Rules {
  /** null: everything that is not denied */
  readonly allow: readonly string[] | null;
  readonly deny: readonly string[];
}

export type Judgement =
  | { readonly kind: "run" }
  /** a rule says no, or none says yes */
  | { readonly kind: "refuse"; readonly why: string }
  /** it cannot be told: for a person to say, and without one a no */
  | { readonly kind: "ask"; readonly why: string };

/** Whether a command may run. The same for a text and for a list; the text is read as a shell reads it. */
export function judge(cmd: CommandLine, { allow, deny }: Rules): Judgement {
  if (allow === null && deny.length === 0) return { kind: "run" };
  const all = typeof cmd === "string" ? effectiveOf(cmd) : effectiveOfList(cmd);
  const refused = all.map((one) => denied(one, deny)).find((why) => why !== null);
  if (refused) return { kind: "refuse", why: refused };
  const unsure = all.map((one) => doubt(one, deny)).find((why) => why !== null);
  if (unsure) return { kind: "ask", why: unsure };
  if (allow === null) return { kind: "run" };
  const unlisted = all.map((one) => notAllowed(one, allow)).find((why) => why !== null);
  return unlisted ? { kind: "refuse", why: unlisted } : { kind: "run" };
}

type Match = "yes" | "maybe" | "no";

function denied(one: Effective, deny: readonly string[]): string | null {
  if (one.kind === "unclear") return null;
  const rule = deny.find((text) => matches(text, one.words) === "yes");
  return rule === undefined ? null : `${spell(one.words)} is denied by the rule ${JSON.stringify(rule)}`;
}

function doubt(one: Effective, deny: readonly string[]): string | null {
  if (one.kind === "unclear") return one.why;
  const rule = deny.find((text) => matches(text, one.words) === "maybe");
  return rule === undefined
    ? null
    : `${spell(one.words)} may be what the rule ${JSON.stringify(rule)} denies: that is known only when it runs`;
}

const spell = (words: readonly Word[]): string => {
  const text = words.map(({ raw }) => raw).join(" ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

/** Whether a command begins as a rule says, in whatever order its options stand. */
function matches(rule: string, words: readonly Word[]): Match {
  const [program = "", ...rest] = rule.trim().split(/\s+/);
  const name = programOf(words[0]?.value ?? "");
  if (name === "") return "no";
  const args = words.slice(1);
  if (wordMatches(program.toLowerCase(), name)) return argsMatch(rest, args, VALUES[name] ?? []);
  // git-push is git push
  const joined = rest.length > 0 && name === `${program}-${rest[0]}`.toLowerCase();
  return joined ? argsMatch(rest.slice(1), args, []) : "no";
}

function argsMatch(rest: readonly string[], args: readonly Word[], values: readonly string[]): Match {
  const options = rest.filter((word) => /^-./.test(word)).map((word) => hasOption(word, args));
  const plain = rest.filter((word) => !/^-./.test(word));
  const places = inPlaces(plain, args, values);
  return [...options, places].reduce(weaker, "yes");
}
const weaker = (a: Match, b: Match): Match =>
  a === "no" || b === "no" ? "no" : a === "maybe" || b === "maybe" ? "maybe" : "yes";
const stronger = (a: Match, b: Match): Match =>
  a === "yes" || b === "yes" ? "yes" : a === "maybe" || b === "maybe" ? "maybe" : "no";

/** `-rf` is `-fr` and `-r -f` too. */
function hasOption(option: string, args: readonly Word[]): Match {
  const values = args.map(({ value }) => value);
  const isShort = /^-[A-Za-z]+$/.test(option);
  const letters = new Set(
    values.flatMap((value) => (value !== null && /^-[A-Za-z]+$/.test(value) ? [...value.slice(1)] : [])),
  );
  const isThere = values.some((value) => value === option || value?.startsWith(`${option}=`));
  if (isThere || (isShort && [...option.slice(1)].every((letter) => letters.has(letter)))) return "yes";
  return values.includes(null) ? "maybe" : "no";
}

/** Options of programs that take the next word, where knowing it spares many questions. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"],
};

/** Words in their places, options left out; the word behind an option may be its value, or not. */
function inPlaces(rest: readonly string[], args: readonly Word[], values: readonly string[]): Match {
  // best[i]: how the rule's words from `wanted` on fit the arguments from i on
  let best = Array.from({ length: args.length + 2 }, (): Match => "yes");
  for (const wanted of rest.toReversed()) {
    const fits = Array.from({ length: args.length + 2 }, (): Match => "no");
    for (let i = args.length - 1; i >= 0; i--) {
      const value = args[i]!.value;
      if (value === null) fits[i] = "maybe";
      else if (values.includes(value)) fits[i] = fits[i + 2]!;
      else {
        if (wordMatches(wanted, value)) fits[i] = best[i + 1]!;
        if (value.startsWith("-")) fits[i] = [fits[i + 1]!, fits[i + 2]!].reduce(stronger, fits[i]!);
      }
    }
    best = fits;
  }
  return best[0]!;
}

function wordMatches(pattern: string, value: string): boolean {
  if (!pattern.includes("*")) return pattern === value;
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`).test(value);
}

/** What a shell does itself, and which starts nothing. */
const HARMLESS = new Set([
  ":",
  "true",
  "false",
  "cd",
  "pwd",
  "echo",
  "printf",
  "test",
  "[",
  "[[",
  "exit",
  "return",
  "break",
  "continue",
  "shift",
  "wait",
  "set",
  "unset",
  "read",
  "local",
]);
/** By these another program is started than the one that is named, or does other things than it usually does. */
const TURNING =
  /^(?:PATH|IFS|ENV|BASH_.*|LD_.*|DYLD_.*|GIT_.*|NODE_OPTIONS|NODE_PATH|PYTHON.*|PERL.*|RUBY.*|JAVA_TOOL_OPTIONS|.*PAGER|.*EDITOR|VISUAL|SHELL|CDPATH|PROMPT_COMMAND)$/;

/** A command that is allowed is so word for word: what stands between program and rule might change what it does. */
function notAllowed(one: Effective, allow: readonly string[]): string | null {
  if (one.kind === "unclear") return one.why;
  const turning = one.sets.find((name) => TURNING.test(name));
  if (turning !== undefined) return `${turning} is set, which changes what programs do`;
  const [first, ...args] = one.words;
  if (first === undefined) return null;
  const isListed = allow.some((rule) => begins(rule, [first, ...args]));
  if (isListed || one.isTransparent || HARMLESS.has(first.value ?? "")) return null;
  return `${spell(one.words)} is not among what is allowed (${allow.join(", ")})`;
}

function begins(rule: string, words: readonly Word[]): boolean {
  const [program = "", ...rest] = rule.trim().split(/\s+/);
  const name = words[0]!.value?.replace(/^\/(?:usr\/(?:local\/)?)?s?bin\/(?=[^/]+$)/, "") ?? "";
  if (program === "" || !wordMatches(program, name)) return false;
  return rest.every((wanted, i) => {
    const value = words[i + 1]?.value;
    return value !== undefined && value !== null && wordMatches(wanted, value);
  });
}
