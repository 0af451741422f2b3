import { readBeginPatch } from "./begin-patch.ts";
import { BOM, type ByteText } from "./byte-text.ts";
import { readJsonEdits } from "./json-edits.ts";
import type { Operation } from "./operation.ts";
import { parseRefusal } from "./refusal.ts";
import { readSearchReplace } from "./search-replace.ts";
import { readUnifiedDiff } from "./unified-diff.ts";

type Reader = (text: ByteText) => readonly Operation[];

interface Format {
  /** the line that it begins with */
  readonly begins: RegExp;
  /** formats that it cannot hold at the start of a line: its own content has a sign before it */
  readonly excludes: readonly RegExp[];
  readonly read: Reader;
}

const PATCH = /^\*\*\* Begin Patch\s*$/m;
const BLOCK = /^<{7} SEARCH\s*$/m;
const DIFF = /^(?:diff --git |--- [^\n]*\n\+\+\+ |@@ )/m;

/** The one whose first line comes first is what was sent. */
const FORMATS: readonly Format[] = [
  { begins: PATCH, excludes: [BLOCK, /^diff --git /m], read: readBeginPatch },
  { begins: BLOCK, excludes: [], read: readSearchReplace },
  { begins: DIFF, excludes: [PATCH, BLOCK], read: readUnifiedDiff },
];

/** Edits in any of the four formats, told apart by their content. Throws Refused with PARSE and what is wrong. */
export function readEdits(sent: ByteText): readonly Operation[] {
  const text = sent.startsWith(BOM) ? sent.slice(BOM.length) : sent;
  const operations = readerOf(text)(text);
  if (operations.length === 0) throw unknown();
  return operations;
}

/** JSON may stand in a fence. */
const JSON_BEGINS = /^\s*(?:```\w*\s*)?\{/;

function readerOf(text: ByteText): Reader {
  if (JSON_BEGINS.test(text)) return (json) => readJsonEdits(json.replace(/^\s*```\w*|```\s*$/g, ""));
  const found = FORMATS.map((format) => ({ ...format, at: text.search(format.begins) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at)[0];
  if (!found) throw unknown();
  if (found.excludes.some((other) => other.test(text))) throw mixed();
  return found.read;
}

/** One of them would be passed over as words around the other. */
const mixed = () =>
  parseRefusal("there are edits of two formats in this", { hint: "send them in one, or one after the other" });

const unknown = () =>
  parseRefusal("there are no edits in this", {
    hint: 'send a unified diff, a *** Begin Patch, SEARCH/REPLACE blocks below a path, or {"edits": [...]}',
  });
