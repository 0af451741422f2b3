import { isCollection, isMap, isSeq, LineCounter, parseDocument } from "yaml";
import { bad, bodyOf, type Fields, type Item, listIn, namesIn, type ReadItems, textIn, textOf, unfit } from "./item.ts";

const OVER = new Set(["done", "completed", "cancelled", "canceled"]);

/**
 * Task Master's `tasks.json`: a list `tasks`, or one for each tag. Subtasks become the criteria of their task, since they
 * are its steps; a dependency on one is a dependency on its task. With several tags the ids are led by the tag.
 */
export const readTaskmaster: ReadItems = (text, file) => {
  const whole = parsed(text, file);
  const lineOf = linesIn(text);
  if (Array.isArray(whole.tasks))
    return whole.tasks.map((task, i) => itemOf(task, { file, i, prefix: "", ...lineOf(["tasks"], i) }));
  const tags = Object.entries(whole).filter(([, one]) => Array.isArray((one as Raw | null)?.tasks));
  if (tags.length === 0) throw bad(file, "it has no list called tasks");
  return tags.flatMap(([tag, one]) =>
    ((one as Raw).tasks as unknown[]).map((task, i) =>
      itemOf(task, { file, i, prefix: tags.length === 1 ? "" : `${tag}-`, ...lineOf([tag, "tasks"], i) }),
    ),
  );
};

type Raw = Readonly<Record<string, unknown>>;

function parsed(text: string, file: string): Raw {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Raw;
  } catch (error) {
    throw bad(file, error instanceof Error ? error.message : String(error));
  }
  throw bad(file, "it is no mapping");
}

/** Where the entries of its lists begin: JSON is YAML too, whose reader tells places. Nothing where it does not take it. */
function linesIn(text: string): (path: readonly string[], i: number) => { readonly line?: number } {
  const counter = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: counter, uniqueKeys: false, strict: false });
  return (path, i) => {
    const list = isMap(contents) ? contents.getIn(path, true) : null;
    const item: unknown = isSeq(list) ? list.items[i] : null;
    return isCollection(item) && item.range ? { line: counter.linePos(item.range[0]).line } : {};
  };
}

interface Place {
  readonly file: string;
  readonly i: number;
  readonly prefix: string;
  readonly line?: number;
}

function itemOf(task: unknown, { file, i, prefix, line }: Place): Item {
  const raw = (task ?? {}) as Raw;
  const [id, title] = [textOf(raw.id), textOf(raw.title)];
  if (id === "" || title === "") throw bad(file, `task ${i + 1} of it has no ${id === "" ? "id" : "title"}`, line);
  const of: Fields = { owner: id, file, ...(line === undefined ? {} : { line }) };
  const subtasks = listIn(raw.subtasks, "the subtasks", of).map((one) => stepOf(one, of));
  return {
    key: `${prefix}${id}`,
    title,
    body: bodyOf(textIn(raw.description, "the description", of), {
      Details: textIn(raw.details, "the details", of),
      "How it is tested": textIn(raw.testStrategy, "the test strategy", of),
      Steps: subtasks.map(lineOfStep).join("\n"),
    }),
    deps: namesIn(raw.dependencies, "a dependency", of).map((dep) => `${prefix}${dep.split(".")[0]}`),
    criteria: subtasks.map((step) => step.title),
    labels: [],
    isOver: OVER.has(textOf(raw.status)),
    ...(line === undefined ? {} : { line }),
  };
}

interface Step {
  readonly title: string;
  readonly more: string;
}

/** A subtask; a text alone is its title. */
function stepOf(subtask: unknown, of: Fields): Step {
  const raw = (typeof subtask === "string" ? { title: subtask } : (subtask ?? {})) as Raw;
  const title = textOf(raw.title);
  if (title === "") throw unfit(of, "a subtask", subtask);
  const more = [textIn(raw.description, "a subtask's description", of), textIn(raw.details, "a subtask's details", of)];
  return { title, more: more.filter((text) => text !== "").join(" ") };
}

const lineOfStep = ({ title, more }: Step): string =>
  `- ${title}${more === "" ? "" : `: ${more.replace(/\s+/g, " ")}`}`;
