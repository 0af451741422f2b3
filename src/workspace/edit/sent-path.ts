import { type ByteText, isUtf8Text, toText } from "./byte-text.ts";
import { parseRefusal, Refused } from "./refusal.ts";

/** A path as it stands in what was sent. Refused: none, or one that is no UTF-8. */
export function sentPath(bytes: ByteText, line: number): string {
  if (bytes === "") throw parseRefusal("a path is missing", { line, hint: "name the file" });
  if (!isUtf8Text(bytes))
    throw new Refused({
      code: "NOT_UTF8",
      path: toText(bytes),
      message: `the name in line ${line} is no UTF-8`,
      lines: [line],
      hint: "rename the file first; names are taken as UTF-8",
    });
  return toText(bytes);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

/** A name as git quotes it where it holds unusual bytes (`"a/\303\244"`), or as it is. */
export function unquoted(name: ByteText): ByteText {
  if (!/^".*"$/.test(name)) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (ESCAPES[code] ?? code),
    );
}

/** A name as git would write it in a header. */
export function quoted(name: ByteText): ByteText {
  if (!/[\x00-\x1f\x7f"\\]/.test(name)) return name;
  const escaped = name.replace(/[\x00-\x1f\x7f"\\]/g, (char) => {
    const letter = Object.entries(ESCAPES).find(([, meant]) => meant === char)?.[0];
    return letter === undefined ? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}` : `\\${letter}`;
  });
  return `"${escaped}"`;
}
