import { bodyOf, type Item, type ReadItems } from "./item.ts";

const ITEM = /^(\s*)[-*+]\s+\[([ xX])\]\s+(\S.*)$/;
const HEADING = /^#{1,6}\s+(\S.*?)\s*#*\s*$/;

interface Open {
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
export const readChecklist: ReadItems = (text) => {
  const items: Open[] = [];
  let [under, inFence] = ["", false];
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence;
    const heading = inFence ? null : HEADING.exec(line);
    const found = inFence ? null : ITEM.exec(line);
    const last = items.at(-1);
    if (heading) under = heading[1]!;
    else if (found && (last === undefined || found[1]!.length <= last.indent || last.under !== under))
      items.push(begun(found, under));
    else if (found) last!.criteria.push(found[3]!.trim());
    else if (last && last.under === under && /^\s/.test(line)) last.more.push(line.trim());
  }
  return items.map(itemOf);
};

const begun = (found: RegExpExecArray, under: string): Open => ({
  title: found[3]!.trim(),
  isOver: found[2] !== " ",
  under,
  indent: found[1]!.length,
  more: [],
  criteria: [],
});

const itemOf = ({ title, isOver, under, more, criteria }: Open): Item => ({
  key: wordsOf(title),
  title,
  body: bodyOf(more.join("\n").trim(), under === "" ? {} : { "Where it stands": under }),
  deps: [],
  criteria,
  labels: [],
  isOver,
});

const wordsOf = (title: string): string =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48)
    .replace(/-+$/, "");
