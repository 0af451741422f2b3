import { holdPoint } from "./hold-point.ts";
import { literal, SHAPES } from "./secret-shapes.ts";
import { type Secret, writtenForms } from "./secrets.ts";

/** Takes secrets out of a stream of bytes, also those that come in two parts. */
export interface Redaction {
  /** what can be said by now */
  push(part: Uint8Array): Uint8Array;
  /** the rest, at the end of the stream */
  end(): Uint8Array;
}

export interface Redactor {
  stream(): Redaction;
  /** a whole text without its secrets */
  text(text: string): string;
}

/**
 * Each secret becomes `[redacted NAME]`: known values (in each form that programs write them in) and what has the shape
 * of a token. A value of less than 6 characters is not looked for, nor one that a program changed in a way of its own.
 */
export function redactor(secrets: readonly Secret[]): Redactor {
  const known = secrets.flatMap(({ name, value }) => writtenForms(value).map((form) => ({ name, form })));
  // the longest first: one value may begin another
  known.sort((a, b) => b.form.length - a.form.length);
  const names = new Map(known.map(({ name, form }) => [form, name]));
  const pattern = new RegExp([...known.map(({ form }) => literal(form)), ...SHAPES.map(asGroup)].join("|"), "g");
  const held = holdPoint([...names.keys()]);
  const take = (text: string, from: number) => takeOut(text, { pattern, names, from });
  return {
    stream: () => stream(held, take),
    text: (text) => {
      const bytes = Buffer.from(text, "utf8").toString("latin1");
      return Buffer.from(take(bytes, bytes.length).said, "latin1").toString("utf8");
    },
  };
}

const asGroup = ({ before, secret }: (typeof SHAPES)[number], i: number): string =>
  `(?<s${i}>(?<b${i}>${before})${secret})`;

type Take = (text: string, from: number) => { readonly said: string; readonly rest: string };

/** The text up to `from` without its secrets, and the rest; one that lies across that place belongs to the rest. */
function takeOut(
  text: string,
  of: { readonly pattern: RegExp; readonly names: ReadonlyMap<string, string>; readonly from: number },
): ReturnType<Take> {
  let said = "";
  let at = 0;
  let end = of.from;
  of.pattern.lastIndex = 0;
  for (let found = of.pattern.exec(text); found !== null; found = of.pattern.exec(text)) {
    if (found.index >= end) break;
    if (found.index + found[0].length > end) {
      end = found.index;
      break;
    }
    said += text.slice(at, found.index) + replacement(found, of.names);
    at = found.index + found[0].length;
  }
  return { said: at === 0 ? text.slice(0, end) : said + text.slice(at, end), rest: text.slice(end) };
}

function replacement(found: RegExpExecArray, names: ReadonlyMap<string, string>): string {
  const name = names.get(found[0]);
  if (name !== undefined) return `[redacted ${name}]`;
  const i = SHAPES.findIndex((_, at) => found.groups?.[`s${at}`] !== undefined);
  return `${found.groups?.[`b${i}`] ?? ""}[redacted ${SHAPES[i]?.name ?? "secret"}]`;
}

function stream(held: (text: string) => number, take: Take): Redaction {
  let rest = "";
  const say = (text: string, from: number): string => {
    const taken = take(text, from);
    rest = taken.rest;
    return taken.said;
  };
  return {
    push(part) {
      const isFresh = rest === "";
      const came = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString("latin1");
      const text = isFresh ? came : rest + came;
      const said = say(text, held(text));
      // mostly nothing is in it: a flood of output makes no second one
      return isFresh && said.length === part.length && said === came ? part : Buffer.from(said, "latin1");
    },
    end: () => Buffer.from(say(rest, rest.length), "latin1"),
  };
}
