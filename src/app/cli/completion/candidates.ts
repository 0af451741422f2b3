import type { Declared } from "../declared/declared.ts";
import { GLOBAL_FLAGS } from "../declared/global-flags.ts";
import { DECLARED } from "../declared.ts";

/** What the words stand for that are looked up when they are needed; each may give nothing. */
export interface Lookups {
  ids(command: string): Promise<readonly string[]>;
  /** findings of that task that can be waived */
  findings(task: string | undefined): Promise<readonly string[]>;
  phases(task: string | undefined): Promise<readonly string[]>;
  /** task files, also of what no processor has read */
  files(): readonly string[];
  maps(): readonly string[];
  types(): readonly string[];
}

/** Arguments that are one of a few words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  device: ["list", "run", "show", "replay", "export", "parse"],
  verdict: ["pass", "fail", "no-change", "blocked"],
  submit: ["plan", "report"],
  completion: ["bash", "zsh", "fish", "powershell"],
  store: ["check", "backup"],
  help: DECLARED.map(nameOf),
};
const STATUSES =
  "initializing researching planning awaiting_go implementing testing reporting awaiting_next completed blocked";
/** Values of flags that are one of a few words. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "--sandbox": ["auto", "require", "off"],
  "--status": STATUSES.split(" "),
  "--from": ["taskmaster", "beads", "checklist", "csv"],
  "--tools": ["search", "map", "rank", "edit", "exec"],
};

/** What the last of these words may become (they stand behind `pawl`; it may be empty). None: it is a path, or free text. */
export async function candidates(words: readonly string[], look: Lookups): Promise<readonly string[]> {
  const current = words.at(-1) ?? "";
  const said = split(words.slice(0, -1));
  const fitting = (all: readonly string[]) => [...new Set(all)].filter((one) => one.startsWith(current));
  if (said.waiting !== null) return fitting(await valuesOf(said.waiting, said, look));
  if (current.startsWith("-")) return fitting(flagNames(said.command));
  if (said.command === null) return fitting([...DECLARED.map(nameOf), "help"]);
  return fitting(await argumentsOf(said.command, said.rest, look));
}

interface Said {
  readonly command: string | null;
  /** its arguments so far */
  readonly rest: readonly string[];
  /** the flag that the next word is the value of */
  readonly waiting: string | null;
}

function split(words: readonly string[]): Said {
  let [command, waiting]: [string | null, string | null] = [null, null];
  const rest: string[] = [];
  for (const word of words) {
    if (waiting !== null) waiting = null;
    else if (word.startsWith("-")) waiting = takesValue(word, command) ? word : null;
    else if (command === null) command = word;
    else rest.push(word);
  }
  return { command, rest, waiting };
}

async function argumentsOf(command: string, rest: readonly string[], look: Lookups): Promise<readonly string[]> {
  const usage = declared(command)?.usage ?? command;
  const places = usage.split(" ").slice(1);
  const place = places[rest.length] ?? (places.at(-1)?.includes("...") ? places.at(-1)! : "");
  if (rest.length === 0 && WORDS[command]) return WORDS[command];
  if (/^[<[](task|tasks\.\.\.)[>\]]$/.test(place)) {
    const ids = await look.ids(command);
    return ids.filter((id) => !rest.includes(id));
  }
  if (place === "<finding>") return look.findings(rest[0]);
  return command === "explain" && place !== "" ? look.maps() : [];
}

async function valuesOf(flag: string, { command, rest }: Said, look: Lookups): Promise<readonly string[]> {
  if (flag === "--dep") return look.files();
  if (command === "add" && flag === "--type") return look.types();
  if (command === "retry" && flag === "--from") return look.phases(rest[0]);
  return VALUES[flag] ?? [];
}

const declared = (command: string | null): Declared | undefined => DECLARED.find((one) => nameOf(one) === command);

function nameOf({ usage }: Declared): string {
  return usage.split(" ")[0]!;
}

/** Flags as commander declares them: `-m, --message <text>` */
const flagsOf = (command: string | null): readonly (readonly [flags: string, text: string])[] => {
  const known = declared(command);
  return [...(known?.options ?? []), ...(known?.repeated ?? []), ...GLOBAL_FLAGS, ["-h, --help", "print this"]];
};
const spellings = (flags: string): readonly string[] => flags.match(/(?<!\S)--?[a-zA-Z][\w-]*/g) ?? [];

const flagNames = (command: string | null): readonly string[] =>
  flagsOf(command).flatMap(([flags]) => spellings(flags).filter((name) => name.startsWith("--")));

const takesValue = (word: string, command: string | null): boolean =>
  flagsOf(command).some(([flags]) => flags.includes("<") && spellings(flags).includes(word));
