import { isMap } from "yaml";
import { type At, PawlError } from "../../domain/errors.ts";
import { idFault } from "../../domain/names.ts";
import { type Criterion, criteriaIn, numbered } from "./criteria.ts";
import {
  type Decode,
  type Decoded,
  glob,
  line,
  minutes,
  named,
  oneOrMore,
  positive,
  record,
  text,
  yes,
} from "./decode.ts";
import { frontMatter, type Matter } from "./front-matter.ts";
import { missingKey } from "./missing-key.ts";
import { budget } from "./pawl-file.ts";
import { either, schemaOf, shaped, TEXT } from "./schema-of.ts";
import { at, child, entriesOf, itemsOf, nodeOf, noteFault, placeOf, type Spot, textOf } from "./spot.ts";
import { readText } from "./text-file.ts";

/** A name in a task file, and where it stands: checked later against what other files say. */
export interface Mention {
  readonly name: string;
  readonly at: At;
}

/** Who plays a role in this task; `roleAt`: where the role stands. */
export interface RoleMention extends Mention {
  readonly role: string;
  readonly roleAt: At;
}

/** A task file as it is written: nothing of pawl.yaml is in it yet, and it is kept while the file does not change. */
export interface WrittenTask {
  readonly file: string;
  /** null: not even its id can be read */
  readonly id: Mention | null;
  /** false: the id is that of the file's name, since whether another one is written cannot be read */
  readonly isIdSure: boolean;
  readonly title: string | null;
  readonly body: string;
  readonly deps: readonly Mention[];
  readonly phases: Mention | null;
  readonly base: Mention | null;
  readonly agents: readonly RoleMention[];
  readonly criteria: { readonly list: readonly Criterion[]; readonly from: "front matter" | "body" | "nothing" };
  readonly fields: Fields;
  /** keys that are not Pawl's, with their values */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly extraAt: readonly Mention[];
  readonly faults: readonly PawlError[];
}
type Fields = Partial<Omit<Decoded<typeof TASK>, "deps" | "phases" | "base" | "agents" | "id">>;

const mention: Decode<Mention> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const name = line(spot);
    return name === undefined ? undefined : { name, at: at(spot) };
  },
);

const roleMention = shaped(
  () => TEXT,
  (spot: Spot, role: string): RoleMention | undefined => {
    const agent = mention(spot);
    return agent === undefined ? undefined : { ...agent, role, roleAt: at({ ...spot, node: null }) };
  },
);

const CRITERION = record({ id: line, text });
const criterion: Decode<{ id: string | null; text: string }> = shaped(
  () => either(TEXT, schemaOf(CRITERION)),
  (spot: Spot) => {
    if (!isMap(nodeOf(spot))) {
      const words = text(spot);
      return words === undefined ? undefined : { id: null, text: words.trim() };
    }
    const keys = (entriesOf(spot) ?? []).map(([key]) => key);
    if (!keys.includes("text")) {
      noteFault(spot, "TYPE_BAD", `${spot.path} has to be a text or {id, text}`, {
        next: "a text with a colon in it needs quotes.",
      });
      return undefined;
    }
    const whole = CRITERION(spot);
    return whole?.text === undefined ? undefined : { id: whole.id ?? null, text: whole.text.trim() };
  },
);

const SUITE = record({ name: line, command: text });
const suite: Decode<{ name: string; command: string }> = shaped(
  () => either(TEXT, schemaOf(SUITE)),
  (spot: Spot) => {
    if (!isMap(nodeOf(spot))) {
      const command = text(spot);
      return command === undefined ? undefined : { name: command, command };
    }
    const whole = SUITE(spot);
    if (whole && whole.command === undefined) missingKey(spot, "command", `${spot.path} needs command`);
    return whole?.command === undefined ? undefined : { name: whole.name ?? whole.command, command: whole.command };
  },
);

/** Every key of a task file's front matter that is Pawl's, with what reads it. */
export const TASK = {
  id: mention,
  title: line,
  deps: oneOrMore(mention),
  type: line,
  acceptance_criteria: oneOrMore(criterion),
  test_delta: record({ add: oneOrMore(line), update: oneOrMore(line), regression: oneOrMore(suite) }),
  authorized_files: oneOrMore(glob),
  touches: oneOrMore(glob),
  specification: line,
  budget,
  timeout_minutes: minutes,
  phases: mention,
  max_task_rounds: positive,
  base: mention,
  agents: named(roleMention),
  environment: mention,
  labels: oneOrMore(line),
  source: line,
  source_hash: line,
  draft: yes,
};
export const TASK_KEYS: readonly string[] = Object.keys(TASK);

/** Reads one task file; null: a README without front matter, which is no task. */
export function readTask(repo: string, file: string): WrittenTask | null {
  const whole = readText(repo, file);
  if (whole instanceof PawlError) return broken(file, whole);
  const matter = frontMatter(file, whole);
  if (matter instanceof PawlError) return broken(file, matter);
  if (matter) return written(file, matter);
  return /\/readme\.md$/i.test(file) ? null : broken(file, withoutMatter(file));
}

/** Reads a ticket: a task file, or any Markdown text, whose title is its first heading. */
export function readTicketFile(root: string, file: string): WrittenTask {
  const whole = readText(root, file);
  if (whole instanceof PawlError) return broken(file, whole);
  const matter = frontMatter(file, whole);
  if (matter instanceof PawlError) return broken(file, matter);
  if (matter) return written(file, matter);
  const list = criteriaIn(whole);
  const criteria: WrittenTask["criteria"] = { list, from: list.length > 0 ? "body" : "nothing" };
  const id = { name: slugOf(nameOf(file)), at: { file } };
  return { ...EMPTY, file, id, isIdSure: true, title: headingOf(whole), body: whole, criteria };
}

/** A file's name as an id: `My Ticket` is my-ticket. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "")
    .slice(0, 64) || "ticket";

const withoutMatter = (file: string): PawlError =>
  new PawlError("FRONT_MATTER_MISSING", `${file} has no front matter, so it is no task`, {
    at: { file, line: 1, column: 1 },
    next: "start it with three lines, ---, title: …, ---, or move it to another folder.",
  });

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1).replace(/\.md$/, "");

function broken(file: string, fault: PawlError): WrittenTask {
  return { ...EMPTY, file, id: { name: nameOf(file), at: { file } }, faults: [fault] };
}
const EMPTY: Omit<WrittenTask, "file"> = {
  id: null,
  isIdSure: false,
  title: null,
  body: "",
  deps: [],
  phases: null,
  base: null,
  agents: [],
  criteria: { list: [], from: "nothing" },
  fields: {},
  extra: {},
  extraAt: [],
  faults: [],
};

function written(file: string, { spot, yaml, body }: Matter): WrittenTask {
  const faults = spot.text.faults;
  const entries = nodeOf(spot) === null ? [] : entriesOf(spot);
  if (entries === null) noteFault(spot, "TYPE_BAD", "front matter has to be a mapping: lines like title: …");
  const read: Record<string, unknown> = {};
  const foreign: (readonly [string, Spot])[] = [];
  for (const [key, one] of entries ?? [])
    if (Object.hasOwn(TASK, key)) read[key] = TASK[key as keyof typeof TASK](one);
    else foreign.push([key, one]);
  const { id, deps, phases, base, agents, ...fields } = read as Partial<Decoded<typeof TASK>>;
  const said = faults.some(isOfYaml) ? idIn(yaml, spot) : null;
  const named = id ?? said ?? { name: nameOf(file), at: { file, line: 1, column: 1 } };
  checkId(named, { file, faults, isFile: id === undefined && said === null });
  const isUnclear = entries === null || entries.some(([key]) => key === "id") || faults.some(isOfYaml);
  return {
    file,
    id: named,
    isIdSure: id !== undefined || !isUnclear,
    title: fields.title ?? headingOf(body),
    body,
    deps: [...new Map((deps ?? []).map((dep) => [dep.name, dep])).values()],
    phases: phases ?? null,
    base: base ?? null,
    agents: Object.values(agents ?? {}),
    criteria: criteriaOf(spot, fields.acceptance_criteria, body),
    fields,
    extra: Object.fromEntries(foreign.map(([key, one]) => [key, plainOf(one)])),
    extraAt: foreign.map(([key, one]) => ({ name: key, at: at({ ...one, node: null }) })),
    faults,
  };
}

/** The id of a front matter that cannot be read for another line of it, so that nobody is told that there is no such task. */
function idIn(yaml: string, { text }: Spot): Mention | null {
  const found = /^id:[ \t]*(["']?)([\w.-]+)\1[ \t]*\r?$/m.exec(yaml);
  return found === null ? null : { name: found[2]!, at: placeOf(text, found.index + found[0].indexOf(found[2]!, 3)) };
}

const isOfYaml = ({ code }: PawlError): boolean => code === "YAML_BAD";

const headingOf = (body: string): string | null => /^#\s+(\S.*?)\s*#*\s*$/m.exec(body)?.[1] ?? null;

function checkId({ name, at }: Mention, to: { file: string; faults: PawlError[]; isFile: boolean }): void {
  const why = idFault(name);
  if (why === null) return;
  to.faults.push(
    new PawlError("ID_BAD", `"${name}" cannot be the id of a task: ${why}`, {
      at,
      next: to.isFile ? "rename the file, or add id: to its front matter." : "change it.",
      data: { span: name.length },
    }),
  );
}

function criteriaOf(
  spot: Spot,
  given: readonly { id: string | null; text: string }[] | undefined,
  body: string,
): WrittenTask["criteria"] {
  if (given && given.length > 0) {
    const list = numbered(given);
    const twice = list.findIndex(({ id }, index) => list.findIndex((other) => other.id === id) !== index);
    const all = child(spot, "acceptance_criteria");
    const items = itemsOf(all) ?? [];
    if (twice >= 0)
      noteFault(
        items.length === list.length ? items[twice]! : all,
        "CRITERION_TWICE",
        `two acceptance criteria are called ${list[twice]!.id}`,
        { next: "give one of them another id." },
      );
    return { list, from: "front matter" };
  }
  const list = criteriaIn(body);
  return { list, from: list.length > 0 ? "body" : "nothing" };
}

/** What another tool wrote, as plain data; a text where it is nothing that JSON has. */
function plainOf(spot: Spot): unknown {
  try {
    const value: unknown = spot.node?.toJS(spot.text.document!) ?? null;
    return JSON.parse(JSON.stringify(value, (_, item) => (typeof item === "bigint" ? String(item) : item)) ?? "null");
  } catch {
    return textOf(spot);
  }
}
