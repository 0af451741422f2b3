import { readBeginPatch } from "./begin-patch.ts";
import type { ByteText } from "./byte-text.ts";
import { readJsonEdits } from "./json-edits.ts";
import type { Operation } from "./operation.ts";
import { parseRefusal } from "./refusal.ts";
import { readSearchReplace } from "./search-replace.ts";
import { readUnifiedDiff } from "./unified-diff.ts";

type Reader = (text: ByteText) => readonly Operation[];

/** The line that each format begins with; the one that comes first says which it is. */
const FORMATS: readonly (readonly [RegExp, Reader])[] = [
  [/^\*\*\* Begin Patch\s*$/m, readBeginPatch],
  [/^<{7} SEARCH\s*$/m, readSearchReplace],
  [/^(?:diff --git |--- [^\n]*\n\+\+\+ |@@ )/m, readUnifiedDiff],
];

/** Edits in any of the four formats, told apart by their content. Throws Refused with PARSE and what is wrong. */
export function readEdits(text: ByteText): readonly Operation[] {
  const operations = readerOf(text)(text);
  if (operations.length === 0) throw unknown();
  return operations;
}

function readerOf(text: ByteText): Reader {
  if (/^\s*\{/.test(text)) return readJsonEdits;
  const found = FORMATS.map(([begins, reader]) => ({ at: text.search(begins), reader }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at)[0];
  if (!found) throw unknown();
  return found.reader;
}

const unknown = () =>
  parseRefusal("there are no edits in this", {
    hint: 'send a unified diff, a *** Begin Patch, SEARCH/REPLACE blocks below a path, or {"edits": [...]}',
  });
