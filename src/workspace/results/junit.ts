import { type ErrorPlace, placeIn, type Reader } from "./reading.ts";

interface Case {
  readonly name: string;
  readonly how: "passed" | "failed" | "skipped";
  readonly words: string;
}

const PLACE = /(?:file:\/\/)?(?<file>[\w./@+-]{1,300}\.\w{1,6}):(?<line>\d+)/;

/** JUnit's XML, counted by its test cases: the sums that it writes itself are often those of something else. */
export const readJunit: Reader = (text) => {
  if (!/<testsuites?[\s>]/.test(text)) return null;
  const cases = text
    .split(/<testcase(?=[\s/>])/)
    .slice(1)
    .map(readCase);
  const isWhole = /<\/testsuites?>|<testsuites?\b[^>]*\/>/.test(text);
  const count = (how: Case["how"]) => (isWhole ? cases.filter((one) => one.how === how).length : null);
  const failing = cases.filter(({ how }) => how === "failed");
  return {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    failing: [...new Set(failing.map(({ name }) => name))],
    firstError: failing[0] ? first(failing[0].words) : null,
  };
};

function readCase(part: string): Case {
  const head = part.slice(0, endOfTag(part));
  const body = head.endsWith("/") ? "" : (part.slice(head.length).split("</testcase>")[0] ?? "");
  const [, fault] = /<(failure|error|skipped)\b/.exec(body) ?? [];
  const name = [attribute(head, "classname"), attribute(head, "name")].filter(Boolean).join(" ");
  return { name, how: fault === undefined ? "passed" : fault === "skipped" ? "skipped" : "failed", words: body };
}

function first(body: string): ErrorPlace {
  const words = decoded(attribute(body, "message") || body.replaceAll(/<[^>]{0,2000}>/g, " ").trim()).split("\n")[0]!;
  return placeIn(decoded(body), PLACE, words) ?? { file: null, line: null, text: words };
}

/** `>` may stand in a value */
function endOfTag(part: string): number {
  const tag = /^(?:[^"'>]|"[^"]*"|'[^']*')*/.exec(part);
  return tag?.[0].length ?? part.length;
}

const attribute = (tag: string, name: string): string =>
  decoded(new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).find(Boolean) ?? "");

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|quot|apos|amp));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[(name as string).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
