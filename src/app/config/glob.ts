import picomatch from "picomatch";

/** What is wrong with a glob, or null. A glob names paths of the repository: relative, with /, never above its root. */
export function globFault(glob: string): string | null {
  const known = seen.get(glob);
  if (known !== undefined) return known;
  const fault = look(glob);
  if (seen.size >= MOST_SEEN) seen.clear();
  seen.set(glob, fault);
  return fault;
}
/** Thousands of task files name the same few globs, and compiling one is slow. */
const seen = new Map<string, string | null>();
const MOST_SEEN = 10_000;

function look(glob: string): string | null {
  if (glob.trim() === "") return "a glob cannot be empty";
  if (glob.includes("\\")) return "a path is written with /, not with \\";
  if (glob.startsWith("/") || /^[A-Za-z]:/.test(glob)) return "a glob starts at the root of the repository, without /";
  if (glob.split("/").includes("..")) return "a glob cannot leave the repository with ..";
  if (glob.startsWith("!")) return "a glob says what is meant, not what is not";
  return PLAIN.test(glob) ? null : (bracketFault(glob) ?? compileFault(glob));
}

/** Names and stars are always right; compiling them is what takes the time. */
const PLAIN = /^[\w./*-]+$/;

function bracketFault(glob: string): string | null {
  const open: string[] = [];
  for (const char of glob) {
    if (open.at(-1) === "[" && char !== "]") continue;
    if ("[{(".includes(char)) open.push(char);
    else if ("]})".includes(char) && open.pop() !== PARTNER[char]) return `"${char}" closes nothing`;
  }
  return open.length === 0 ? null : `"${open.at(-1)}" is never closed`;
}
const PARTNER: Readonly<Record<string, string>> = { "]": "[", "}": "{", ")": "(" };

function compileFault(glob: string): string | null {
  try {
    picomatch.makeRe(glob, { strictBrackets: true });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
