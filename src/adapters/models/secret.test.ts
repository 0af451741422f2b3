import fc from "fast-check";
import { expect, test } from "vitest";
import { redactor } from "./secret.ts";

const KEY = 'sk-"4f1e+c0ffee/99==';

test("a key is taken out however it is written", () => {
  const { text } = redactor([KEY]);
  const forms = [KEY, encodeURIComponent(KEY), JSON.stringify(KEY).slice(1, -1), Buffer.from(KEY).toString("base64")];
  for (const form of forms) expect(text(`a ${form} b`)).toMatch(/^a \[key\]=* b$/);
});

test("a value without a key is the very same value; one with it loses it wherever it stands, in names too", () => {
  const { value } = redactor([KEY]);
  const clean = { a: [1, "x", null] };
  expect(value(clean)).toBe(clean);
  expect(JSON.stringify(value({ [KEY]: [{ b: `x${KEY}` }] }))).toBe('{"[key]":[{"b":"x[key]"}]}');
});

test("a key that comes in parts is never let through, and all else is, in its order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant(KEY), fc.string(), fc.constant(KEY.slice(0, 5)))),
      fc.integer({ min: 1, max: 9 }),
      (words, size) => {
        const whole = words.join("");
        const hidden = redactor([KEY]);
        const stream = hidden.stream();
        let out = "";
        for (let at = 0; at < whole.length; at += size) out += stream.push(whole.slice(at, at + size));
        out += stream.end();
        expect(out).not.toContain(KEY);
        expect(out).toBe(hidden.text(whole));
      },
    ),
  );
});

test("what is too short for a key tears nothing apart", () => {
  expect(redactor(["abc", ""]).text("abc abc")).toBe("abc abc");
});
