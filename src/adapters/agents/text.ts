import { plain } from "../../workspace/commands/plain.ts";

/** The end of an output: at most 20 lines and 2,000 characters; where it was cut it says so. */
export function lastLines(tail: string): string {
  const all = plain(tail).trimEnd();
  const lines = all.split("\n").slice(-20).join("\n");
  const kept = lines.length > 2_000 ? lines.slice(-2_000) : lines;
  return kept.length < all.length ? `…${kept}` : kept;
}

export const lastLine = (tail: string): string => plain(tail).trimEnd().split("\n").at(-1)?.trim() ?? "";
