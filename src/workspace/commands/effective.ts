import { programOf } from "./program-name.ts";
import { parseShell } from "./shell/parse.ts";
import { known, type SimpleCommand, UNKNOWN, type Word } from "./shell/word.ts";
import { isShell, WRAPPERS, type Wrapper } from "./wrappers.ts";

/** A program that would be started, or why nobody can tell which. */
export type Effective =
  | {
      readonly kind: "program";
      readonly words: readonly Word[];
      readonly sets: readonly string[];
      /** it only starts another one, which is told too */
      readonly isTransparent: boolean;
    }
  | { readonly kind: "unclear"; readonly why: string };

const DEEPEST = 20;

/** Every program that a text may start, through shells, env, xargs and the like. */
export function effectiveOf(text: string, depth = 0): readonly Effective[] {
  if (depth > DEEPEST) return [unclear("commands are nested too deep")];
  const parsed = parseShell(text);
  if (parsed.kind === "unreadable") return [unclear(`it cannot be read: ${parsed.why}`)];
  return parsed.commands.flatMap((command) => unwrap(command, depth));
}

/** The same of a program that is started with a list, without a shell. */
export const effectiveOfList = (list: readonly string[]): readonly Effective[] =>
  unwrap({ words: list.map(known), sets: [], input: null }, 0);

const unclear = (why: string): Effective => ({ kind: "unclear", why });

function unwrap(command: SimpleCommand, depth: number): readonly Effective[] {
  const { words, sets } = command;
  const [first, ...args] = words;
  const program = (isTransparent: boolean): Effective => ({ kind: "program", words, sets, isTransparent });
  if (first === undefined) return [program(true)];
  if (first.value === null) return [unclear(`which program ${first.raw} is, is known only when it runs`)];
  const name = programOf(first.value);
  if (isShell(name)) return throughShell(shellScripts(args, command, depth), program);
  if (name === "eval" || name === "trap") return [program(true), ...evaluated(name, args, depth)];
  if (name === "alias" && args.length > 0) return [program(false), unclear("alias gives other names to programs")];
  const wrapper = WRAPPERS[name];
  if (depth > DEEPEST) return [unclear("commands are nested too deep")];
  if (wrapper !== undefined) return [program(wrapper.isTransparent), ...wrapped(wrapper, args, depth)];
  return [program(false), ...within(name, args, depth)];
}

/** A shell that runs a file is a program like any other. */
const throughShell = (scripts: readonly Effective[], program: (isTransparent: boolean) => Effective) => [
  program(scripts.length > 0),
  ...scripts,
];

/** `-c`, or the last letter of several: `-qc`. */
const isScript = ({ scripts }: Pick<Wrapper, "scripts">, value: string): boolean =>
  scripts.includes(value) || (/^-[a-zA-Z]+$/.test(value) && scripts.includes(`-${value.at(-1)}`));

/** What stands behind `-c`; a script in a file is a program like any other, and what is read from elsewhere is not known. */
function shellScripts(args: readonly Word[], { input }: SimpleCommand, depth: number): readonly Effective[] {
  for (const [i, { value }] of args.entries()) {
    if (value === null) return [unclear("what a shell is given is known only when it runs")];
    if (/^-[a-z]*c[a-z]*$/i.test(value) && !value.startsWith("--")) return script(scriptIn(args.slice(i + 1)), depth);
    if (/^-[a-z]*s[a-z]*$/.test(value)) break;
    if (!/^[-+]/.test(value) && !/^[-+]o$/.test(args[i - 1]?.value ?? "") && args[i - 1]?.value !== "--rcfile")
      return [];
  }
  return input === null ? [unclear("a shell reads its commands from elsewhere")] : effectiveOf(input, depth + 1);
}

/** More options may stand between `-c` and the script. */
const scriptIn = (args: readonly Word[]): Word =>
  args.find(({ value }, i) => value === null || !(/^[-+]/.test(value) || /^[-+]o$/.test(args[i - 1]?.value ?? ""))) ??
  UNKNOWN;

const script = ({ value, raw }: Word, depth: number): readonly Effective[] =>
  value === null ? [unclear(`the script ${raw} is known only when it runs`)] : effectiveOf(value, depth + 1);

function evaluated(name: string, args: readonly Word[], depth: number): readonly Effective[] {
  const words = name === "trap" ? args.filter(({ value }) => value !== "--").slice(0, 1) : args;
  if (name === "trap" && /^(?:-.*)?$/.test(words[0]?.value ?? "?")) return [];
  if (words.some(({ value }) => value === null)) return [unclear(`what ${name} runs is known only then`)];
  return effectiveOf(words.map(({ value }) => value).join(" "), depth + 1);
}

/** Each place where the wrapped program may begin: an option that is not known may take a value, or not. */
function wrapped(wrapper: Wrapper, args: readonly Word[], depth: number): readonly Effective[] {
  const starts: number[] = [];
  let skipped = 0;
  for (let i = 0; i < args.length; i++) {
    const value = args[i]!.value;
    if (value !== null && isScript(wrapper, value)) return script(args[i + 1] ?? UNKNOWN, depth);
    if (value !== null && wrapper.ends.includes(value)) return [];
    if (value !== null && wrapper.values.includes(value)) i++;
    else if (value === "--") {
      starts.push(i + 1 + wrapper.positionals - skipped);
      break;
    } else if (value !== null && /^-/.test(value)) {
      if (!wrapper.flags.test(value)) starts.push(i + 2);
    } else if (value !== null && wrapper.takesSettings && /^\w+=/.test(value)) continue;
    else if (skipped++ >= wrapper.positionals) {
      starts.push(i);
      break;
    }
  }
  const rest = wrapper.addsUnknown ? [UNKNOWN] : [];
  return [...new Set(starts)]
    .filter((start) => start < args.length)
    .flatMap((start) => {
      const words = [...args.slice(start), ...rest];
      if (!wrapper.joins) return unwrap({ words, sets: [], input: null }, depth + 1);
      return script(
        words.some(({ value }) => value === null) ? UNKNOWN : known(words.map(({ value }) => value).join(" ")),
        depth,
      );
    });
}

/** Programs that are themselves, and start others with some of their arguments. */
function within(name: string, args: readonly Word[], depth: number): readonly Effective[] {
  if (name === "find" || name === "fd")
    return behind(args, /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/, depth);
  if (name === "git") return inGit(args, depth);
  return [];
}

function behind(args: readonly Word[], option: RegExp, depth: number): readonly Effective[] {
  return args.flatMap(({ value }, i) => {
    if (value === null || !option.test(value)) return [];
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => word.value === ";" || word.value === "+");
    const words = rest.slice(0, end < 0 ? undefined : end).map((word) => (word.value?.includes("{}") ? UNKNOWN : word));
    return unwrap({ words: [...words, UNKNOWN], sets: [], input: null }, depth + 1);
  });
}

function inGit(args: readonly Word[], depth: number): readonly Effective[] {
  const values = args.map(({ value }) => value);
  const found: Effective[] = [];
  for (const [i, value] of values.entries()) {
    const setting = value === "-c" ? values[i + 1] : /^-c(?=.)/.test(value ?? "") ? value!.slice(2) : undefined;
    if (
      setting === null ||
      /^(?:alias|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath)|diff\.external|credential)/i.test(
        setting ?? "",
      ) ||
      value?.startsWith("--config-env")
    )
      found.push(unclear("a setting of git may start another program"));
    if (value === "-x" || value === "--exec") found.push(...script(args[i + 1] ?? UNKNOWN, depth));
    else if (value?.startsWith("--exec=")) found.push(...script(known(value.slice("--exec=".length)), depth));
  }
  const bisect = values.indexOf("bisect");
  if (bisect >= 0 && values[bisect + 1] === "run")
    found.push(...unwrap({ words: args.slice(bisect + 2), sets: [], input: null }, depth + 1));
  const each = values.indexOf("foreach");
  if (each > 0)
    found.push(
      ...evaluated(
        "foreach",
        args.slice(each + 1).filter(({ value }) => !/^--/.test(value ?? "")),
        depth,
      ),
    );
  return found;
}
