const MAX_LINES = 4;
const MAX_LENGTH = 160;

/** The line in which a name is defined, without its body; it goes on while a bracket is open, for a few lines. */
export function signatureAt(text: string, at: number): string {
  let start = text.lastIndexOf("\n", at) + 1;
  // What is written on one line with much else: only the part behind.
  if (at - start > MAX_LENGTH) start = at;
  let end = start;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const next = text.indexOf("\n", end + (lines === 0 ? 0 : 1));
    end = next === -1 ? text.length : next;
    if (next === -1 || end - start > 2 * MAX_LENGTH || !isOpen(text.slice(start, end))) break;
  }
  return tidy(text.slice(start, Math.min(end, start + 2 * MAX_LENGTH)));
}

function isOpen(line: string): boolean {
  let open = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 40) open++;
    else if (code === 41) open--;
  }
  return open > 0;
}

/** `f(a): T { return a; }` */
const ONE_LINE_BODY = /(\)[^=(){}]*)\{[^{}]*\}\s*$/;

function tidy(line: string): string {
  const words = line.replace(/\s+/g, " ").replace(/\( /g, "(").replace(/,? \)/g, ")").trim();
  const bare = words.replace(ONE_LINE_BODY, "$1").replace(/\s*(\{|=>|:|;|=)?\s*$/, "");
  return bare.length > MAX_LENGTH ? `${bare.slice(0, MAX_LENGTH - 1)}…` : bare;
}
