import { describe, expect, test } from "vitest";
import { scratch, write } from "../../../test/support/scratch.ts";
import { PawlError } from "../../domain/errors.ts";
import { errorText } from "./error-text.ts";
import { paletteOf } from "./palette.ts";

const plain = paletteOf(false, true);

function shown(error: PawlError, files: Record<string, string> = {}): readonly string[] {
  const root = scratch();
  write(root, files);
  return errorText(error, { colour: plain, root }).split("\n");
}

describe("the form of an error", () => {
  test("code, message, place, the line with what is meant, and what to do", () => {
    const error = new PawlError("ROLE_UNKNOWN", 'no agent or role file is called "implmenter"', {
      at: { file: "phase-maps/release.yaml", line: 2, column: 16 },
      next: 'write "implementer", or add roles/implmenter.md.',
      data: { span: 10, note: "known: implementer, verifier" },
    });
    expect(shown(error, { "phase-maps/release.yaml": "work:\n    run: agent implmenter\n" })).toEqual([
      'error[ROLE_UNKNOWN] no agent or role file is called "implmenter"',
      "  --> phase-maps/release.yaml:2:16",
      "2 |     run: agent implmenter",
      "  |                ^^^^^^^^^^ known: implementer, verifier",
      'next: write "implementer", or add roles/implmenter.md.',
    ]);
  });

  test("without a place it is two lines", () => {
    expect(shown(new PawlError("REPO_EMPTY", "no commits", { next: "git commit" }))).toEqual([
      "error[REPO_EMPTY] no commits",
      "next: git commit",
    ]);
  });

  test("where the file is gone or shorter than said, the place is all there is", () => {
    const error = new PawlError("X", "m", { at: { file: "a.yaml", line: 9, column: 1 } });
    expect(shown(error)).toEqual(["error[X] m", "  --> a.yaml:9:1"]);
    expect(shown(error, { "a.yaml": "one\n" })).toEqual(["error[X] m", "  --> a.yaml:9:1"]);
  });

  test("carets stand below wide characters, behind tabs, and in lines that are cut", () => {
    const at = (column: number) => new PawlError("X", "m", { at: { file: "a", line: 1, column }, data: { span: 2 } });
    expect(shown(at(4), { a: "\t色x=yy\n" }).slice(2)).toEqual(["1 |  色x=yy", "  |     ^^"]);
    const [, , line = "", carets = ""] = shown(at(301), { a: `${"a".repeat(300)}bb${"a".repeat(300)}\n` });
    expect(line.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1)).toBe("bb");
    expect(line.length).toBeLessThan(100);
  });

  test("what is known is cut on a terminal, and whole in a pipe", () => {
    const note = `known: ${"word, ".repeat(40)}last`;
    const error = new PawlError("X", "m", { at: { file: "a", line: 1, column: 1 }, data: { note } });
    const root = scratch();
    write(root, { a: "x\n" });
    const text = (cuts: boolean): string => errorText(error, { colour: plain, root, cuts });
    expect([text(true).includes("last"), text(false).includes("last")]).toEqual([false, true]);
  });

  test("nothing in a file or a message gives orders to the terminal", () => {
    const error = new PawlError("X", "a\u001b[2Jb\u0007", { at: { file: "a", line: 1, column: 1 } });
    const text = shown(error, { a: "x\u001b]0;title\u0007y\r\n" }).join("\n");
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
