import { PawlError } from "../../domain/errors.ts";
import { parseYaml, type Spot } from "./spot.ts";

export interface Matter {
  /** the mapping between the two lines with --- */
  readonly spot: Spot;
  /** the same as text */
  readonly yaml: string;
  readonly body: string;
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** Front matter and body of a Markdown file; null: it has no front matter. A front matter that never ends is a fault. */
export function frontMatter(file: string, whole: string): Matter | PawlError | null {
  const opening = OPENING.exec(whole)?.[0];
  if (opening === undefined) return null;
  const rest = whole.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (!closing)
    return new PawlError("FRONT_MATTER_OPEN", `the front matter of ${file} never ends`, {
      at: { file, line: 1, column: 1 },
      next: "put a line with --- below its last key.",
    });
  const yaml = rest.slice(0, closing.index);
  const body = rest.slice(closing.index + closing[0].length).replace(/^(?:[ \t]*\r?\n)+/, "");
  return { spot: parseYaml({ file, yaml, lineShift: 1 }), yaml, body };
}
