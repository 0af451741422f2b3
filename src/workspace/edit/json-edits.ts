import { type ByteText, fromText, toText } from "./byte-text.ts";
import { checkedEdits, type Edit } from "./edit.ts";
import { type Hunk, type Operation, updateOf } from "./operation.ts";
import { parseRefusal, Refused } from "./refusal.ts";

/** The JSON form as text. */
export const readJsonEdits = (text: ByteText): readonly Operation[] => fromValue(parsed(toText(text)));

/** The edits of the JSON form, as a program has them. */
export const operationsOf = (edits: readonly Edit[]): readonly Operation[] => fromValue({ edits });

/**
 * What is to be replaced or inserted in one file is one update, as hunks of a diff are, so that each is found in the file
 * as it was; a move, a deletion or a creation of that file between them parts them.
 */
function fromValue(value: unknown): readonly Operation[] {
  const operations: Operation[] = [];
  const open = new Map<string, number>();
  for (const edit of checkedEdits(value)) {
    if (edit.op === "replace" || edit.op === "insert") addHunk(edit.path, hunkOf(edit), { operations, open });
    else {
      for (const name of edit.op === "move" ? [edit.from, edit.to] : [edit.path]) open.delete(name);
      operations.push(operationOf(edit));
    }
  }
  return operations;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw parseRefusal(`this is no JSON: ${why}`, {
      hint: 'send {"edits": [...]}, every " and \\ within a text escaped',
    });
  }
}

type Hunked = Extract<Edit, { op: "replace" | "insert" }>;

const hunkOf = (edit: Hunked): Hunk =>
  edit.op === "replace"
    ? { kind: "text", old: whole(edit.old, edit.path), new: whole(edit.new, edit.path) }
    : { kind: "insert", at: edit.at, text: whole(edit.text, edit.path) };

interface Gathering {
  readonly operations: Operation[];
  /** index of the update that takes more hunks, by path */
  readonly open: Map<string, number>;
}

function addHunk(name: string, hunk: Hunk, { operations, open }: Gathering): void {
  const index = open.get(name);
  const before = index === undefined ? undefined : operations[index];
  if (before?.op === "update") operations[index!] = { ...before, hunks: [...before.hunks, hunk] };
  else open.set(name, operations.push(updateOf(name, [hunk])) - 1);
}

function operationOf(edit: Exclude<Edit, Hunked>): Operation {
  switch (edit.op) {
    case "create": {
      const { path, overwrite = false, executable: isExecutable = false } = edit;
      return { op: "create", path, text: whole(edit.text, path), overwrite, isExecutable };
    }
    case "move":
      return updateOf(edit.from, [], { to: edit.to, overwrite: edit.overwrite ?? false });
    case "delete":
      return { op: "delete", path: edit.path, expected: null };
  }
}

/** Half a character (`\ud83d` alone) has no bytes in UTF-8: it would be written as U+FFFD. */
function whole(text: string, of: string): ByteText {
  if (/\p{Surrogate}/u.test(text))
    throw new Refused({
      code: "NOT_UTF8",
      path: of,
      message: "the text holds half of a character (a lone surrogate)",
      hint: "send the whole character",
    });
  return fromText(text);
}
