import type { Random } from "../worlds/random.ts";

/** A file and what became of it, as lines with their line ends, in bytes (one character each). */
export interface Pair {
  readonly before: string;
  readonly after: string;
}

const COMMON = ["}", "", "  }", "    return x;", "\treturn y;", "end", "{", "else", "  // note"];
const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const ODD = ["“quoted” – text", "naïve café", "日本語", "emoji 🙂 here", "no\u00a0break"].map(latin1);

function randomLine(random: Random): string {
  const kind = random.below(10);
  if (kind < 4) return random.pick(COMMON);
  if (kind === 4) return random.pick(ODD);
  if (kind === 5) return `-- ${random.below(4)}`;
  if (kind === 6) return `++ b/${random.below(4)}`;
  const indent = random.pick(["", "  ", "    ", "\t", "\t\t"]);
  const end = random.chance(0.1) ? random.pick([" ", "  ", "\t"]) : "";
  return `${indent}const name${random.below(40)} = "${random.below(30)} - $1 \\n";${end}`;
}

/** Lines with repeated blocks among them. */
function randomLines(random: Random): string[] {
  const lines = Array.from({ length: random.below(40) }, () => randomLine(random));
  if (random.chance(0.4) && lines.length > 4) {
    const start = random.below(lines.length - 3);
    const block = lines.slice(start, start + 2 + random.below(8));
    lines.splice(random.below(lines.length), 0, ...block);
  }
  return lines;
}

type Ends = "lf" | "crlf" | "mixed";

const withEnd = (line: string, ends: Ends, random: Random): string =>
  line + (ends === "crlf" || (ends === "mixed" && random.chance(0.4)) ? "\r\n" : "\n");

function edited(lines: readonly string[], random: Random, fresh: () => string): string[] {
  const now = [...lines];
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(now.length + 1);
    const gone = random.below(4);
    const come = Array.from({ length: random.below(4) }, fresh);
    if (random.chance(0.2)) now.splice(at, 0, ...now.slice(at, at + gone));
    else now.splice(at, gone, ...come);
  }
  return now;
}

/** A random file and a random change of it that is one: line ends, marks, encodings and ends of all kinds. */
export function randomPair(random: Random): Pair {
  const ends = random.pick<Ends>(["lf", "lf", "crlf", "mixed"]);
  const mark = random.chance(0.1) ? "\xef\xbb\xbf" : "";
  const isLatin = random.chance(0.05);
  const fresh = () => withEnd(isLatin && random.chance(0.3) ? "caf\xe9 d\xe9j\xe0" : randomLine(random), ends, random);
  const lines = randomLines(random).map((line) => withEnd(line, ends, random));
  const before = mark + open(lines, random);
  for (;;) {
    const keepsMark = random.chance(0.9);
    const after = (keepsMark ? mark : "") + open(edited(lines, random, fresh), random);
    if (after !== before) return { before, after };
  }
}

/** Now and then without a line end at the end. */
function open(lines: readonly string[], random: Random): string {
  const text = lines.join("");
  return random.chance(0.2) ? text.replace(/\r?\n$/, "") : text;
}
