/** What a task has to fulfil. */
export interface Criterion {
  readonly id: string;
  readonly text: string;
}

/** Gives texts without an id AC-001, AC-002 … in their order; ids that are taken are passed over. */
export function numbered(
  items: readonly { readonly id: string | null; readonly text: string }[],
): readonly Criterion[] {
  const taken = new Set(items.map(({ id }) => id));
  let last = 0;
  const next = (): string => {
    const id = `AC-${String(++last).padStart(3, "0")}`;
    return taken.has(id) ? next() : id;
  };
  return items.map(({ id, text }) => ({ id: id ?? next(), text }));
}

/** Criteria that the body of a ticket holds: the list below a heading "Acceptance criteria", else its check list; often none. */
export function criteriaIn(body: string): readonly Criterion[] {
  if (!/acceptance criteria|\[[ xX]\]/i.test(body)) return [];
  const lines = withoutFences(body.split(/\r?\n/));
  const section = below(lines);
  const items = section ? itemsOf(section) : itemsOf(lines).filter(({ isCheck }) => isCheck);
  return numbered(items.map(({ text }) => withId(text)));
}

const FENCE = /^\s*(```|~~~)/;

function withoutFences(lines: readonly string[]): readonly string[] {
  let inside = false;
  return lines.filter((line) => {
    const fence = FENCE.test(line);
    if (fence) inside = !inside;
    return !inside && !fence;
  });
}

const HEADING = /^(#{1,6})\s+(.*?)\s*:?\s*#*$/;

/** The lines from below the heading to the next one of its level or above. */
function below(lines: readonly string[]): readonly string[] | null {
  const start = lines.findIndex((line) => /^acceptance criteria$/i.test(HEADING.exec(line)?.[2] ?? ""));
  if (start < 0) return null;
  const level = HEADING.exec(lines[start]!)![1]!.length;
  const length = lines.slice(start + 1).findIndex((line) => (HEADING.exec(line)?.[1]?.length ?? 7) <= level);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}

const ITEM = /^( {0,3}|\t?)(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)$/;

/** Items of the outermost lists; lines that go on with an item belong to it, what is nested below it does not. */
function itemsOf(lines: readonly string[]): readonly { readonly text: string; readonly isCheck: boolean }[] {
  const items: { text: string; isCheck: boolean }[] = [];
  let open = false;
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found) items.push({ text: found[3]!.trim(), isCheck: found[2] !== undefined });
    else if (open && /^\s+[^\s*+-]/.test(line)) items.at(-1)!.text += ` ${line.trim()}`;
    open = found !== null || (open && line.trim() !== "");
  }
  return items;
}

/** `AC-007: the text` brings its own id. */
function withId(text: string): { readonly id: string | null; readonly text: string } {
  const found = /^\**(AC-[A-Za-z0-9-]{1,32})\**\s*[:.–—-]\s*\**\s*(\S.*)$/.exec(text);
  return found ? { id: found[1]!, text: found[2]! } : { id: null, text };
}
