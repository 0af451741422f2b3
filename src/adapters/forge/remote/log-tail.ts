import { plain } from "../../../workspace/commands/plain.ts";

const MOST_LINES = 40;
const MOST = 2_000;

/** Where a line was made; GitLab adds the stream, `00O`. */
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z (?:\d\d[OE][+ ]?)?/;
/** GitLab's marks of parts that fold away. */
const SECTION = /section_(?:start|end):\d+:[^\r\n]*\r?/g;

/**
 * The end of a job's log as a worker may read it: at most 40 lines and 2,000 UTF-16 units, without colours, times and
 * marks of the forge. What GitHub prints behind the last error is its own tidying up, and is left out.
 */
export function logTail(log: string): string {
  const lines = plain(log.replace(/^\uFEFF/, "").replaceAll(SECTION, ""))
    .split("\n")
    .map((line) => line.replace(STAMP, "").trimEnd());
  const error = lines.findLastIndex((line) => line.startsWith("##[error]"));
  const said = (error === -1 ? lines : lines.slice(0, error + 1)).filter((line) => line !== "" && !isMark(line));
  const kept = said.slice(-MOST_LINES).join("\n");
  const end = kept.slice(-MOST).replace(/^[\udc00-\udfff]/, "");
  return end.length < said.join("\n").length ? `…${end}` : end;
}

const isMark = (line: string): boolean => /^##\[(?:end)?group\]/.test(line);
