import type { Node, QueryCapture, QueryMatch } from "web-tree-sitter";
import {
  DEFINITION_KINDS,
  type DefinitionKind,
  IMPORT_KINDS,
  type Outline,
  REFERENCE_KINDS,
} from "../../ports/parser.ts";
import type { Reader } from "./grammar.ts";
import { signatureAt } from "./signature.ts";

/** names are shorter; the tree of a `use` may be long */
const MAX_TEXT = 2_000;

/** What a file holds but for its words, read from its tree in one pass. Throws where the grammar itself breaks. */
export function outlineOf(text: string, reader: Reader): Omit<Outline, keyof Counted> {
  const tree = reader.parser.parse(text);
  if (tree === null) throw new Error("the parser gave no tree");
  try {
    return { ...collect(text, reader.query.matches(tree.rootNode), reader.name), lines: lineCount(text) };
  } finally {
    tree.delete();
  }
}

/** What is counted beside: the words of the text, and of the names in it. */
export type Counted = Pick<Outline, "words" | "wordCounts" | "length" | "defined">;

function lineCount(text: string): number {
  let lines = text.length > 0 && !text.endsWith("\n") ? 1 : 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Distinct texts, each with its place. */
function textTable(): { place(text: string): number; joined(): string } {
  const places = new Map<string, number>([["", 0]]);
  return {
    place(text) {
      const known = places.get(text);
      if (known !== undefined) return known;
      places.set(text, places.size);
      return places.size - 1;
    },
    joined: () => [...places.keys()].join("\n"),
  };
}

function collect(text: string, matches: readonly QueryMatch[], name: RegExp) {
  const table = textTable();
  const definitions = sparse();
  const references = sparse();
  const imports: number[] = [];
  let module = "";
  const place = (node: Node): number => table.place(oneLine(text.slice(node.startIndex, node.endIndex)));
  for (const { captures } of matches) {
    const { role, kind } = ROLES.get(captures[0]!.name)!;
    const node = captures[0]!.node;
    if (role === "reference") {
      // `new Foo` is also a type: what says more stands first in the list of kinds
      const at = node.startIndex;
      if (!(references.kindAt(at) <= kind))
        references.set(at, kind, [table.place(nameAt(text, at, name)), ...spot(node)]);
    } else if (role === "definition" || role === "name") addDefinition(captures);
    else if (role === "module") module = oneLine(text.slice(node.startIndex, node.endIndex));
    else imports.push(...importRow(captures, place));
  }

  function addDefinition(captures: readonly QueryCapture[]): void {
    const named = captures.find((capture) => capture.name === "name")!.node;
    const whole = captures.find((capture) => capture.name !== "name")!;
    const { kind } = ROLES.get(whole.name)!;
    const before = definitions.kindAt(named.startIndex);
    if (RANKS[before]! <= RANKS[kind]!) return;
    const end = whole.node.endPosition;
    const signature = table.place(signatureAt(text, named.startIndex));
    definitions.set(named.startIndex, kind, [
      place(named),
      ...spot(named),
      end.row + 1,
      Math.max(1, end.column),
      signature,
    ]);
  }

  return {
    definitions: definitions.inOrder(),
    references: references.without(definitions).inOrder(),
    imports: Uint32Array.from(imports),
    texts: table.joined(),
    module,
  };
}

/** Rows by where in the text they begin; one row for each place. */
interface Sparse {
  /** NaN: nothing is there */
  kindAt(start: number): number;
  set(start: number, kind: number, numbers: readonly number[]): void;
  without(other: Sparse): Sparse;
  has(start: number): boolean;
  inOrder(): Uint32Array;
}

function sparse(rows: Map<number, readonly number[]> = new Map()): Sparse {
  return {
    kindAt: (start) => rows.get(start)?.[0] ?? Number.NaN,
    set: (start, kind, numbers) => void rows.set(start, [kind, ...numbers]),
    has: (start) => rows.has(start),
    without: (other) => sparse(new Map([...rows].filter(([start]) => !other.has(start)))),
    inOrder() {
      const starts = Uint32Array.from(rows.keys()).sort();
      const width = rows.get(starts[0]!)?.length ?? 0;
      const all = new Uint32Array(starts.length * width);
      for (let i = 0; i < starts.length; i++) all.set(rows.get(starts[i]!)!, i * width);
      return all;
    },
  };
}

type Role = "definition" | "reference" | "import" | "name" | "member" | "module" | "other";

/** What each name of a capture means: `reference.call` is a reference, of that kind. */
const ROLES = new Map<string, { readonly role: Role; readonly kind: number }>([
  ...DEFINITION_KINDS.map((name, kind) => [`definition.${name}`, { role: "definition", kind }] as const),
  ...REFERENCE_KINDS.map((name, kind) => [`reference.${name}`, { role: "reference", kind }] as const),
  ...IMPORT_KINDS.map((name, kind) => [`import.${name}`, { role: "import", kind }] as const),
  ...(["name", "member", "module"] as const).map((role) => [role, { role, kind: 0 }] as const),
  ["_require", { role: "other", kind: 0 }],
]);

/** A name that is a method and a function is a method; one that is a variable and a function a function. */
const RANK: readonly DefinitionKind[] = [
  "method",
  "interface",
  "class",
  "function",
  "enum",
  "type",
  "module",
  "macro",
  "constant",
  "field",
  "variable",
];
const RANKS = DEFINITION_KINDS.map((kind) => RANK.indexOf(kind));

const spot = ({ startPosition: { row, column } }: Node): readonly [number, number] => [row + 1, column + 1];

function importRow(captures: readonly QueryCapture[], place: (node: Node) => number): readonly number[] {
  const found = captures.find(({ name }) => ROLES.get(name)!.role === "import");
  if (found === undefined) return [];
  const member = captures.find(({ name }) => name === "member");
  const { kind } = ROLES.get(found.name)!;
  return [kind, place(found.node), member ? place(member.node) : 0, found.node.startPosition.row + 1];
}

/** The name that begins there. Cheaper than to ask the tree where it ends. */
function nameAt(text: string, start: number, name: RegExp): string {
  name.lastIndex = start;
  return name.exec(text)?.[0] ?? "";
}

function oneLine(text: string): string {
  const short = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  return short.includes("\n") ? short.replace(/\s*\n\s*/g, " ") : short;
}
