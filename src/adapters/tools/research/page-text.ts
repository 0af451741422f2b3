import type { HtmlText } from "./html-text.ts";
import type { HttpAnswer } from "./http.ts";

/** An answer as text; a sentence where it holds none. */
export async function pageText({ headers, bytes }: HttpAnswer, url: string): Promise<HtmlText | string> {
  const type = headers["content-type"] ?? "";
  const kind = kindOf(type.split(";")[0]!.trim().toLowerCase(), bytes);
  if (kind === "other") return `${url} is ${type.split(";")[0] || "no text"}, and only texts are read`;
  const text = decoded(bytes, /charset\s*=\s*["']?([^\s"';]+)/i.exec(type)?.[1]);
  if (kind === "text") return { title: "", text };
  const { htmlText } = await import("./html-text.ts");
  return htmlText(text, url);
}

function kindOf(type: string, bytes: Uint8Array): "html" | "text" | "other" {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|toml)$/.test(type)) return "text";
  if (type !== "" && type !== "application/octet-stream") return "other";
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  if (start.includes("\0")) return "other";
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(start) ? "html" : "text";
}

/** By its mark, what the answer says, what the page says, or else as UTF-8: never an error. */
function decoded(bytes: Uint8Array, said: string | undefined): string {
  const start = Buffer.from(bytes.subarray(0, 2_048)).toString("latin1");
  const own =
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ?? /^<\?xml[^>]+encoding=["']([\w-]+)/.exec(start)?.[1];
  for (const label of [markOf(bytes), said, own, "utf-8"]) {
    if (!label) continue;
    try {
      const decoder = new TextDecoder(label);
      const text = decoder.decode(bytes);
      return decoder.encoding === "windows-1252" ? text.replace(/[\x80-\x9f]/g, inWindows) : text;
    } catch {
      // A name that nobody knows: the next one.
    }
  }
  return "";
}

function markOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : undefined;
}

/** Node reads windows-1252 as Latin-1, which has control characters where this has letters. */
const inWindows = (char: string): string => WINDOWS[char.charCodeAt(0) - 0x80]!;
const WINDOWS =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";
