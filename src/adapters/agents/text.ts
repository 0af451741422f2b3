const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of a worker as it may be shown and given to a model: no terminal commands, no control characters. */
export const plain = (text: string): string => text.replace(ANSI, "").replace(/\r\n?/g, "\n").replace(CONTROL, "");

/** The end of an output: at most 20 lines and 2,000 characters; where it was cut it says so. */
export function lastLines(tail: string): string {
  const all = plain(tail).trimEnd();
  const lines = all.split("\n").slice(-20).join("\n");
  const kept = lines.length > 2_000 ? lines.slice(-2_000) : lines;
  return kept.length < all.length ? `…${kept}` : kept;
}

export const lastLine = (tail: string): string => plain(tail).trimEnd().split("\n").at(-1)?.trim() ?? "";
