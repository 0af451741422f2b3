/** What takes the place of a key. */
export const HIDDEN = "[key]";

/** Takes keys out of texts. */
export interface Redactor {
  /** the text without any key, also where it is encoded for an address, for base64 or for JSON */
  readonly text: (text: string) => string;
  /** every text in a value that JSON can hold, names of keys too; the very value where there was none */
  readonly value: <T>(value: T) => T;
  /** takes keys out of a text that comes in parts: what may be the beginning of one is held back until more is known */
  readonly stream: () => { readonly push: (part: string) => string; readonly end: () => string };
}

/** Knows these keys, and no others. What is shorter than six characters is no key, and would tear texts apart. */
export function redactor(keys: readonly string[]): Redactor {
  const forms = [...new Set(keys.filter((key) => key.length >= 6).flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  );
  const text = (from: string): string => forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), from);
  return { text, value: (value) => valueWithout(value, text), stream: () => streamOf(forms, text) };
}

const formsOf = (key: string): readonly string[] => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  Buffer.from(key).toString("base64").replace(/=+$/, ""),
];

function valueWithout<T>(value: T, text: (from: string) => string): T {
  const written = JSON.stringify(value);
  return written === undefined || text(written) === written ? value : (clean(value, text) as T);
}

const clean = (value: unknown, text: (from: string) => string): unknown => {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((one) => clean(one, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key), clean(one, text)]));
};

function streamOf(forms: readonly string[], text: (from: string) => string): ReturnType<Redactor["stream"]> {
  let held = "";
  return {
    push: (part) => {
      const known = text(held + part);
      const keep = begunForm(known, forms);
      held = known.slice(known.length - keep);
      return known.slice(0, known.length - keep);
    },
    end: () => {
      const last = held;
      held = "";
      return last;
    },
  };
}

/** How many characters at the end may be the beginning of a key. */
function begunForm(text: string, forms: readonly string[]): number {
  const longest = Math.max(0, ...forms.map((form) => form.length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (forms.some((form) => form.length > length && form.startsWith(end))) return length;
  }
  return 0;
}
