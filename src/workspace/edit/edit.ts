import { parseRefusal, type Refused } from "./refusal.ts";

/** One edit of the JSON form, as it is sent. */
export type Edit =
  | { readonly op: "replace"; readonly path: string; readonly old: string; readonly new: string }
  | { readonly op: "insert"; readonly path: string; readonly at: "start" | "end"; readonly text: string }
  | {
      readonly op: "create";
      readonly path: string;
      readonly text: string;
      readonly overwrite?: boolean;
      readonly executable?: boolean;
    }
  | { readonly op: "move"; readonly from: string; readonly to: string; readonly overwrite?: boolean }
  | { readonly op: "delete"; readonly path: string };

type Kind = "name" | "text" | "some text" | "yes or no" | "edge";
interface Key {
  readonly is: Kind;
  readonly optional?: boolean;
}

/** What each edit says. (By hand, not by a schema: the package would be most of what a small edit costs.) */
const KEYS: Readonly<Record<Edit["op"], Readonly<Record<string, Key>>>> = {
  replace: { path: { is: "name" }, old: { is: "some text" }, new: { is: "text" } },
  insert: { path: { is: "name" }, at: { is: "edge" }, text: { is: "some text" } },
  create: {
    path: { is: "name" },
    text: { is: "text" },
    overwrite: { is: "yes or no", optional: true },
    executable: { is: "yes or no", optional: true },
  },
  move: { from: { is: "name" }, to: { is: "name" }, overwrite: { is: "yes or no", optional: true } },
  delete: { path: { is: "name" } },
};

const KINDS: Readonly<Record<Kind, { readonly fits: (value: unknown) => boolean; readonly said: string }>> = {
  name: { fits: (value) => typeof value === "string" && value !== "", said: "a path" },
  text: { fits: (value) => typeof value === "string", said: "a text" },
  "some text": { fits: (value) => typeof value === "string" && value !== "", said: "a text that is not empty" },
  "yes or no": { fits: (value) => typeof value === "boolean", said: "true or false" },
  edge: { fits: (value) => value === "start" || value === "end", said: '"start" or "end"' },
};

/** The edits in `{"edits": [...]}`. A key that is not known is refused: a misspelt one would be lost. Throws PARSE. */
export function checkedEdits(value: unknown): readonly Edit[] {
  if (!isObject(value) || !Array.isArray(value.edits) || value.edits.length === 0) throw wrong("it holds no edits");
  const [odd] = Object.keys(value).filter((key) => key !== "edits");
  if (odd !== undefined) throw wrong(`${JSON.stringify(odd)} beside "edits" is not known`);
  return value.edits.map((edit: unknown, i) => checkedEdit(edit, `edits[${i}]`));
}

function checkedEdit(edit: unknown, at: string): Edit {
  if (!isObject(edit)) throw wrong(`${at} is no object`);
  if (typeof edit.op !== "string" || !Object.hasOwn(KEYS, edit.op))
    throw wrong(`${at}.op is ${JSON.stringify(edit.op) ?? "missing"}`);
  const keys = KEYS[edit.op as Edit["op"]];
  const [odd] = Object.keys(edit).filter((key) => key !== "op" && !Object.hasOwn(keys, key));
  if (odd !== undefined) throw wrong(`${at}.${odd} is not known in ${edit.op}`);
  for (const [key, { is, optional }] of Object.entries(keys))
    if (!(optional && edit[key] === undefined) && !KINDS[is].fits(edit[key]))
      throw wrong(`${at}.${key} has to be ${KINDS[is].said}`);
  return edit as Edit;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const wrong = (message: string): Refused =>
  parseRefusal(message, {
    hint: 'an edit is {"op": "replace", "path", "old", "new"}, {"op": "insert", "path", "at": "start" or "end", "text"}, {"op": "create", "path", "text"}, {"op": "move", "from", "to"} or {"op": "delete", "path"}',
  });
