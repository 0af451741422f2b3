import type { ErrorPlace, Reader } from "./reading.ts";

const POINT = /^( *)(not )?ok\b(?: \d+)?(?: -)?(?: (.{0,300}?))?(?: # (skip|todo)\b.*)?$/gim;

/** The Test Anything Protocol. Subtests are told by the line that sums them up; names are those of the innermost. */
export const readTap: Reader = (text) => {
  const plan = /^1\.\.(\d+)/m.exec(text);
  if (plan === null && !/^TAP version \d+$/m.test(text)) return null;
  const points = [...text.matchAll(POINT)].map(([line, indent = "", not, name = "", directive], at) => ({
    line,
    depth: indent.length,
    isOk: not === undefined,
    name: name.trim() || `${at + 1}`,
    isSkipped: directive !== undefined,
  }));
  const top = points.filter(({ depth }) => depth === 0);
  const isBad = (point: (typeof points)[number]) => !point.isOk && !point.isSkipped;
  // a point of a group follows those that are in it
  const bad = points.filter((point, at) => isBad(point) && !isOfFailing(points.slice(0, at), point.depth, isBad));
  const missing = Math.max(0, Number(plan?.[1] ?? 0) - top.length);
  const isWhole = plan !== null && !/^Bail out!/m.test(text);
  return {
    passed: top.filter(({ isOk, isSkipped }) => isOk && !isSkipped).length,
    failed: isWhole ? top.filter(isBad).length + missing : null,
    skipped: top.filter(({ isSkipped }) => isSkipped).length,
    failing: [...new Set(bad.map(({ name }) => name))],
    firstError: first(text),
  };
};

type Depth = { readonly depth: number };
/** whether what comes right before, deeper, holds one that failed */
function isOfFailing<P extends Depth>(before: readonly P[], depth: number, isBad: (point: P) => boolean): boolean {
  for (const point of before.toReversed()) {
    if (point.depth <= depth) return false;
    if (isBad(point)) return true;
  }
  return false;
}

/** The details below the first point that failed: each program has its own words for them. */
function first(text: string): ErrorPlace | null {
  const block = /^ *not ok\b.*\n((?: +.*\n?){1,40})/m.exec(text);
  if (block === null) return null;
  const details = block[1]!;
  const place =
    /^ *location: '?(.{1,300}?):(\d+):\d+'?$/m.exec(details) ??
    /^ *(?:at|file): '?([^\s']{1,300}?):(\d+)\b/m.exec(details);
  const said = /^ *(?:error|message): (?:[|>][-+]?\n)? *'?(.*?)'?$/m.exec(details)?.[1];
  const name = block[0].split("\n")[0]!.trim();
  return { file: place?.[1] ?? null, line: place ? Number(place[2]) : null, text: (said || name).slice(0, 500) };
}
