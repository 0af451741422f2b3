/** Where two JSON values first differ, and both sides there; null: they are equal. Keys of objects have no order. */
export function differenceOf(
  before: unknown,
  now: unknown,
  path = "",
): { path: string; before: string; now: string } | null {
  if (isObject(before) && isObject(now)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return first(keys.map((key) => () => differenceOf(before[key], now[key], path === "" ? key : `${path}.${key}`)));
  }
  if (Array.isArray(before) && Array.isArray(now)) {
    const length = Math.max(before.length, now.length);
    return first(Array.from({ length }, (_, i) => () => differenceOf(before[i], now[i], `${path}[${i}]`)));
  }
  if (before === now) return null;
  const [one, other] = around(shown(before), shown(now));
  return { path: path === "" ? "the whole" : path, before: one, now: other };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function first<T>(looks: readonly (() => T | null)[]): T | null {
  for (const look of looks) {
    const found = look();
    if (found !== null) return found;
  }
  return null;
}

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

/** Of two long texts only what stands around the place where they part. */
function around(a: string, b: string): readonly [string, string] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 20);
  const cut = (text: string) => `${from > 0 ? "…" : ""}${text.slice(from, at + 60)}${text.length > at + 60 ? "…" : ""}`;
  return [cut(a), cut(b)];
}
