import { posix } from "node:path";
import picomatch from "picomatch";
import { type ByteText, fromBytes } from "./byte-text.ts";
import { withEnding } from "./endings.ts";
import type { Root } from "./locate.ts";

/**
 * A new file's text with the line ends that .gitattributes (`eol=`), else .editorconfig (`end_of_line`) ask for; as it
 * came, where they do not, or where it has `\r` itself. The file nearest to it counts first.
 */
export function withNewFileEndings(root: Root, key: string, text: ByteText): ByteText {
  if (!text.includes("\n") || text.includes("\r")) return text;
  const ending = asked(root, key, ".gitattributes", attributeFor) ?? asked(root, key, ".editorconfig", editorFor);
  return withEnding(text, ending === "crlf" ? "\r\n" : "\n");
}

type Ending = "crlf" | "lf";
type Reader = (text: string, path: string) => Ending | null;

/** No such file has more. */
const MOST = 1_000_000;

function asked(root: Root, key: string, name: string, read: Reader): Ending | null {
  for (let folder = posix.dirname(key); ; folder = posix.dirname(folder)) {
    const found = root.files.read(posix.join(root.path, folder, name), MOST);
    const ending = found.kind === "file" ? read(fromBytes(found.bytes), posix.relative(folder, key)) : null;
    if (ending !== null || folder === ".") return ending;
  }
}

/** A pattern without / means the name in any folder. */
const fits = (pattern: string, path: string): boolean =>
  picomatch.isMatch(path, pattern.replace(/^\//, ""), { dot: true, basename: !pattern.includes("/") });

function attributeFor(text: string, path: string): Ending | null {
  let ending: Ending | null = null;
  for (const line of text.split("\n")) {
    const [pattern = "#", ...attributes] = line.trim().split(/\s+/);
    if (pattern.startsWith("#") || !attributes.some((one) => one.startsWith("eol=")) || !fits(pattern, path)) continue;
    ending = attributes.includes("eol=crlf") ? "crlf" : "lf";
  }
  return ending;
}

function editorFor(text: string, path: string): Ending | null {
  let ending: Ending | null = null;
  let isMeant = false;
  for (const line of text.split("\n").map((one) => one.trim().toLowerCase())) {
    const section = /^\[(.+)\]$/.exec(line)?.[1];
    if (section !== undefined) isMeant = fits(section, path.toLowerCase());
    const said = /^end_of_line\s*=\s*(crlf|lf)$/.exec(line)?.[1];
    if (said !== undefined && isMeant) ending = said as Ending;
  }
  return ending;
}
