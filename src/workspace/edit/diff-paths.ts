import { type ByteText, trimEnd } from "./byte-text.ts";
import { parseRefusal } from "./refusal.ts";
import { unquoted } from "./sent-path.ts";

/** The two names of a file in a diff, its prefixes taken off; null: /dev/null. */
export interface Names {
  readonly old: ByteText | null;
  readonly new: ByteText | null;
}

/** The name in a `---` or `+++` line: what follows a tab is a date, and git sets one behind a name with spaces. */
export function nameOf(rest: ByteText): ByteText {
  if (rest.startsWith('"')) return unquoted(rest.slice(0, rest.lastIndexOf('"') + 1));
  const tab = rest.indexOf("\t");
  return tab === -1 ? trimEnd(rest) : rest.slice(0, tab);
}

/** The prefixes that git sets: a/ b/, and with diff.mnemonicPrefix those of index, work tree, commit, object. */
const PREFIX = /^[abiwco]\//;

/** What is meant by the names of the `---` and `+++` lines. `git`: what `diff --git` says, which may have no prefixes. */
export function namesOf(before: ByteText, after: ByteText, git: GitNames | null): Names {
  const [old, now] = [before, after].map((name) => (name === "/dev/null" ? null : name));
  if (old === null || now === null) {
    const isPlain = git !== null && !git.hasPrefixes;
    const strip = (name: ByteText | null | undefined) => (isPlain || !name ? (name ?? null) : name.replace(PREFIX, ""));
    return { old: strip(old), new: strip(now) };
  }
  if (old === now) return { old: old!, new: now! };
  const rests = [rest(old!), rest(now!)] as const;
  return PREFIX.test(old!) && PREFIX.test(now!) ? { old: rests[0], new: rests[1] } : bothRests(old!, now!, rests);
}

const rest = (name: ByteText): ByteText => name.slice(name.indexOf("/") + 1);

/** `--- old/src/x +++ new/src/x`: the first folder is not part of it; otherwise the names differ, and say so. */
const bothRests = (old: ByteText, now: ByteText, [a, b]: readonly [ByteText, ByteText]): Names =>
  a === b && a !== old ? { old: a, new: b } : { old, new: now };

export interface GitNames {
  readonly name: ByteText;
  readonly hasPrefixes: boolean;
}

/**
 * `diff --git a/NAME b/NAME`: where no other line names the file, both halves are the same name, so that ` b/` within
 * it does not matter. Null: two different names, which other lines have to say.
 */
export function gitNames(rest_: ByteText, line: number): GitNames | null {
  const halves = rest_.startsWith('"') ? quotedHalves(rest_) : plainHalves(rest_);
  if (halves === null) return null;
  const [old, now] = halves;
  if (old === now) return { name: old, hasPrefixes: false };
  if (!PREFIX.test(old) || !PREFIX.test(now) || rest(old) !== rest(now)) return null;
  if (rest(old) === "") throw parseRefusal("diff --git names no file", { line, hint: "name the file twice" });
  return { name: rest(old), hasPrefixes: true };
}

function plainHalves(text: ByteText): readonly [ByteText, ByteText] | null {
  const middle = (text.length - 1) / 2;
  return text[middle] === " " ? [text.slice(0, middle), text.slice(middle + 1)] : null;
}

function quotedHalves(text: ByteText): readonly [ByteText, ByteText] | null {
  const found = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(text);
  return found ? [unquoted(found[1]!), unquoted(found[2]!)] : null;
}
