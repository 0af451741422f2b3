/** Text as ripgrep tells it: UTF-8, or any bytes in base64. */
export type Told = { readonly text: string } | { readonly bytes: string };

/** A line that ripgrep tells, as far as it is needed. */
export interface LineEvent {
  readonly lines: Told;
  readonly line_number: number | null;
  readonly absolute_offset: number;
  /** where the first match begins and ends, in bytes; none in a line of context */
  readonly submatches: readonly { readonly start: number }[];
}

const LINES = ',"lines":{"text":"';
const NUMBER = '"},"line_number":';
const OFFSET = ',"absolute_offset":';
const SUBMATCHES = ',"submatches":[';
const START = ',"start":';

/**
 * The event in a line of JSON. Most of what ripgrep writes is not needed, and to parse all of it takes longer than the
 * search: where the keys stand as they always do, only what is needed is read. A quote within a text is escaped, so
 * that no text looks like a key.
 */
export const lineEvent = (json: string): LineEvent => quick(json) ?? (JSON.parse(json) as { data: LineEvent }).data;

function quick(json: string): LineEvent | null {
  const lines = json.indexOf(LINES);
  const number = json.indexOf(NUMBER, lines);
  const offset = json.indexOf(OFFSET, number);
  const submatches = json.indexOf(SUBMATCHES, offset);
  if (lines < 0 || number < 0 || offset < 0 || submatches < 0) return null;
  const start = json.indexOf(START, submatches);
  const written = json.slice(lines + LINES.length, number);
  return {
    // parsed even where nothing is escaped: a slice would keep all of the output in memory
    lines: { text: JSON.parse(`"${written}"`) as string },
    line_number: Number.parseInt(json.slice(number + NUMBER.length, number + NUMBER.length + 16), 10) || null,
    absolute_offset: Number.parseInt(json.slice(offset + OFFSET.length, offset + OFFSET.length + 20), 10),
    submatches:
      start < 0 ? [] : [{ start: Number.parseInt(json.slice(start + START.length, start + START.length + 20), 10) }],
  };
}
