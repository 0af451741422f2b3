import type { PawlError } from "../../../domain/errors.ts";
import { oneLine } from "../printable.ts";
import { counted } from "./amounts.ts";
import type { Line } from "./fact-lines.ts";

const MOST = 3;

/** What became wrong in the files while a processor runs, one line for each of the first few; nothing: all is right again. */
export function faultLines(errors: readonly PawlError[]): readonly Line[] {
  if (errors.length === 0) return [line("files", "all files are right again, and count", "good")];
  const shown = errors.slice(0, MOST).map((error) => line("fault", faultText(error), "bad"));
  const more = errors.length - shown.length;
  const rest = `${more > 0 ? `and ${counted(more, "fault")} more; ` : ""}what was right before goes on; pawl validate`;
  return [...shown, line("fault", rest, "bad")];
}

function faultText({ at, message }: PawlError): string {
  const place = at.file === undefined ? "" : `${at.file}${at.line === undefined ? "" : `:${at.line}`}: `;
  return oneLine(place + message);
}

const line = (word: string, text: string, tone: Line["tone"]): Line => ({ task: null, phase: null, word, text, tone });
