/** A part of a change that is read at once. */
export interface DiffPart {
  readonly text: string;
  /** files of which something was left out here, because they are longer than a part */
  readonly cut: readonly string[];
}

/**
 * A git patch in parts of at most `most` characters: whole files as long as they fit, in their order; of a file that is
 * longer its beginning, and that is said where it is cut. Empty: nothing was changed.
 */
export function diffParts(patch: string, most: number): readonly DiffPart[] {
  const parts: { text: string; cut: string[] }[] = [];
  for (const file of filesOf(patch)) {
    const isLong = file.length > most;
    const text = isLong ? `${file.slice(0, most)}\n[cut: ${file.length - most} characters left out here]\n` : file;
    const last = parts.at(-1);
    const cut = isLong ? [nameOf(file)] : [];
    if (last && last.text.length + text.length <= most) {
      last.text += text;
      last.cut.push(...cut);
    } else parts.push({ text, cut });
  }
  return parts;
}

/** Each begins with its `diff --git` line. */
const filesOf = (patch: string): readonly string[] =>
  patch.split(/^(?=diff --git )/m).filter((file) => file.startsWith("diff --git "));

const nameOf = (file: string): string => /^diff --git "?a\/(.+?)"? "?b\//.exec(file)?.[1] ?? "a file";
