import { Parser } from "htmlparser2";

/** A page of HTML as a reader needs it. */
export interface HtmlText {
  readonly title: string;
  /** headings, lists, links and code as Markdown has them */
  readonly text: string;
}

const LEFT_OUT = new Set(
  `script style noscript template svg math iframe object embed canvas audio video nav footer aside form button select
   dialog menu`.split(/\s+/),
);
const LEFT_OUT_ROLES = new Set(["navigation", "banner", "contentinfo", "search", "complementary", "dialog"]);
const BLOCKS = new Set(
  `p div section article main header table thead tbody ul ol dl dt dd blockquote figure figcaption details summary
   address hr h1 h2 h3 h4 h5 h6 pre tr li`.split(/\s+/),
);
/** A main part that is shorter is not the page's text. */
const SHORTEST_MAIN = 200;
const MOST_DEEP = 2_000;
const PART = 4_096;

/** What people read of a page: without scripts, styles, forms and navigation; its main part alone, where it has one. */
export function htmlText(html: string, base: string): HtmlText {
  const page = reader(base);
  const parser = new Parser(page, { decodeEntities: true, lowerCaseTags: true });
  // in parts: a page that opens and never closes makes every further step of the parser longer, and is read no further
  for (let at = 0; at < html.length && page.depth() < MOST_DEEP; at += PART) parser.write(html.slice(at, at + PART));
  if (page.depth() < MOST_DEEP) parser.end();
  return page.text();
}

type Attributes = Readonly<Record<string, string>>;

interface Opened {
  /** what closes it */
  readonly end: string;
  /** how much had been written when it was opened */
  readonly at: number;
  readonly isMain: boolean;
}

/**
 * Writes Markdown while it is told what a page holds. Opening and closing come in pairs, whatever the page has. A page is
 * anybody's: no step looks back at all that was written.
 */
function reader(base: string) {
  const out: string[] = [];
  const open: Opened[] = [];
  let title = "";
  let last = "\n";
  let skipped = 0;
  let inner = 0;
  let pre = 0;
  let isTitle = false;
  let main: { readonly from: number; to: number } | null = null;
  const say = (text: string) => {
    if (text === "") return;
    out.push(text);
    last = text.at(-1)!;
  };
  const begin = (name: string, attributes: Attributes): string => {
    if (BLOCKS.has(name)) say("\n\n");
    say(/^h[1-6]$/.test(name) ? `${"#".repeat(Number(name[1]))} ` : (BEGINS[name] ?? ""));
    if (name === "code" && pre === 0) return "`";
    return name === "a" ? linkEnd(attributes.href, base) : "";
  };
  const end = (name: string, opened: Opened | undefined) => {
    const isEmpty =
      opened?.end.startsWith("](") &&
      out
        .slice(opened.at + 1)
        .join("")
        .trim() === "";
    if (isEmpty) {
      out.length = opened!.at;
      last = out.at(-1)?.at(-1) ?? "\n";
    } else say(opened?.end ?? "");
    if (name === "pre") say("\n```");
    if (BLOCKS.has(name)) say("\n\n");
  };
  return {
    onopentag(name: string, attributes: Attributes) {
      if (skipped > 0 || isLeftOut(name, attributes, inner)) {
        skipped += 1;
        return;
      }
      if (name === "title") isTitle = title === "";
      const isMain = name === "main" || attributes.role === "main";
      if (name === "main" || name === "article") inner += 1;
      if (isMain) main ??= { from: out.length, to: -1 };
      const close = begin(name, attributes);
      if (name === "pre") pre += 1;
      open.push({ end: close, at: out.length, isMain });
      if (close !== "") say(close === "`" ? "`" : "[");
    },
    ontext(text: string) {
      if (isTitle) title += text;
      else if (skipped === 0) say(pre > 0 ? text : joined(last, text));
    },
    onclosetag(name: string) {
      if (skipped > 0) {
        skipped -= 1;
        return;
      }
      const opened = open.pop();
      if (name === "title") isTitle = false;
      if (name === "main" || name === "article") inner -= 1;
      if (name === "pre") pre -= 1;
      end(name, opened);
      if (opened?.isMain && main?.to === -1) main.to = out.length;
    },
    depth: () => open.length + skipped,
    text(): HtmlText {
      const part = main ? tidy(out.slice(main.from, main.to)) : "";
      const text = part.length >= SHORTEST_MAIN ? part : tidy(out);
      return { title: title.replace(/\s+/g, " ").trim() || (/^# (.+)$/m.exec(text)?.[1] ?? ""), text };
    },
  };
}

const BEGINS: Readonly<Record<string, string>> = { li: "- ", td: " | ", th: " | ", br: "\n", pre: "```\n" };

/** A header is a page's, not an article's, where it stands outside of one. */
const isLeftOut = (name: string, attributes: Attributes, inner: number): boolean =>
  LEFT_OUT.has(name) ||
  (name === "header" && inner === 0) ||
  LEFT_OUT_ROLES.has(attributes.role ?? "") ||
  attributes.hidden !== undefined ||
  attributes["aria-hidden"] === "true";

/** What closes a link; "": it leads to no page. */
function linkEnd(href: string | undefined, base: string): string {
  if (!href || href.startsWith("#") || !URL.canParse(href, base)) return "";
  const { protocol, href: target } = new URL(href, base);
  return protocol === "http:" || protocol === "https:" ? `](${target})` : "";
}

/** Spaces of a page are one, and none where a line or a link begins. */
function joined(last: string, text: string): string {
  const one = text.replace(/[\s\u00a0]+/g, " ");
  return /[\s[]/.test(last) ? one.replace(/^ /, "") : one;
}

const tidy = (parts: readonly string[]): string =>
  parts
    .join("")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^-\n+(?=\S)/gm, "- ")
    .replace(/\n\n(?=- | \| )/g, "\n")
    .trim();
