import { createHash } from "node:crypto";
import { bad, bodyOf, type Item, type ReadItems } from "./item.ts";

const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(\S.*)$/;
const HEADING = /^#{1,6}\s+(\S.*?)\s*#*\s*$/;

interface Open {
  readonly line: number;
  readonly title: string;
  readonly isOver: boolean;
  readonly under: string;
  readonly indent: number;
  readonly more: string[];
  readonly criteria: string[];
}

/**
 * A Markdown check list: an open item of the outermost level is a task, those nested below it are its criteria, and other
 * lines below it its text. The key is made of the words, so that a list that is imported again makes nothing twice.
 */
export const readChecklist: ReadItems = (text, file) => {
  const items: Open[] = [];
  let [under, inFence] = ["", false];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence;
    const heading = inFence ? null : HEADING.exec(line);
    const found = inFence ? null : ITEM.exec(line);
    const last = items.at(-1);
    if (heading) under = heading[1]!;
    else if (found && (last === undefined || found[1]!.length <= last.indent || last.under !== under))
      items.push(begun(found, under, i + 1));
    else if (found) last!.criteria.push(found[3]!.trim());
    else if (last && last.under === under && /^\s/.test(line)) last.more.push(line.trim());
  }
  return items.map((item) => itemOf(item, file));
};

const begun = (found: RegExpExecArray, under: string, line: number): Open => ({
  line,
  title: found[3]!.trim(),
  isOver: found[2] !== " ",
  under,
  indent: found[1]!.length,
  more: [],
  criteria: [],
});

const itemOf = ({ line, title, isOver, under, more, criteria }: Open, file: string): Item => ({
  key: keyOf(title) ?? refuse(title, file, line),
  title,
  body: bodyOf(more.join("\n").trim(), under === "" ? {} : { "Where it stands": under }),
  deps: [],
  criteria,
  labels: [],
  isOver,
  line,
});

/** Its words as an id has them; of another script, of which an id has no letters, a word made from it. Null: no words. */
function keyOf(title: string): string | null {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48)
    .replace(/-+$/, "");
  if (words !== "" || !/[\p{L}\p{N}]/u.test(title)) return words || null;
  return `item-${createHash("sha256").update(title).digest("hex").slice(0, 8)}`;
}

function refuse(title: string, file: string, line: number): never {
  throw bad(file, `"${title}" has no letter and no digit, of which an id could be made`, line);
}
