import { describe, expect, test } from "vitest";
import { PawlError } from "../../../domain/errors.ts";
import { createContext } from "../context.ts";
import { run } from "./device-parse.ts";

/** What the command says of an answer on stdin. */
async function parse(answer: string | null, options: Parameters<typeof run>[2], json = false) {
  let out = "";
  const stdin = {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(answer ?? "");
    },
  };
  const ctx = createContext({
    flags: { json, quiet: false, yes: false, color: false },
    options: {},
    cwd: process.cwd(),
    env: {},
    streams: {
      stdin: answer === null ? {} : stdin,
      stdout: { write: (text) => (out += text) },
      stderr: { write: () => 0 },
    },
  });
  const code = await run(ctx, [], options).catch((error: unknown) => {
    if (error instanceof PawlError) return { error: error.code, message: error.message };
    throw error;
  });
  return { code, out };
}

describe("pawl device parse", () => {
  const CLICK = "Thought: There.\nAction: click(start_box='(540,585)')";

  test("prints the action as one line of JSON, in the space that is said", async () => {
    expect(await parse(CLICK, { dialect: "ui-tars", space: "0-1000" })).toEqual({
      code: 0,
      out: '{"action":"tap","coordinate":[0.54,0.585]}\n',
    });
    expect(await parse(CLICK, { dialect: "ui-tars", space: "pixel", frame: "1080x2340" })).toMatchObject({
      out: '{"action":"tap","coordinate":[0.5,0.25]}\n',
    });
    expect(await parse('{"action": "back"}', {})).toMatchObject({ code: 0, out: '{"action":"back"}\n' });
  });

  test("as JSON there is also what the model thought", async () => {
    const { out } = await parse(CLICK, { dialect: "ui-tars", space: "0-1000" }, true);
    expect(JSON.parse(out)).toEqual({
      ok: true,
      thinking: "There.",
      action: { action: "tap", coordinate: [0.54, 0.585] },
    });
  });

  test("an answer without an action is refused with the actions that there are", async () => {
    const { code, out } = await parse("I am done.", { dialect: "autoglm" });
    expect(out).toBe("");
    expect(code).toMatchObject({
      error: "ACTION_INVALID",
      message: expect.stringMatching(/^ActionValidationError: there is no action .*allowed actions are tap, .*FINISH$/),
    });
  });

  test.each([
    [{ dialect: "uitars" }, /--dialect cannot be "uitars": it is one of pawl, autoglm, ui-tars, mai-ui, qwen/],
    [{ dialect: "ui-tars" }, /different spaces: say which with --space/],
    [{ space: "1000" }, /--space cannot be "1000"/],
    [{ space: "pixel" }, /needs --frame/],
    [{ space: "pixel", frame: "1080" }, /--frame cannot be "1080"/],
  ])("%j is refused", async (options, message) => {
    expect((await parse("x", options)).code).toMatchObject({ error: "USAGE", message: expect.stringMatching(message) });
  });

  test("without anything on stdin it says so", async () => {
    expect((await parse(null, {})).code).toMatchObject({ error: "USAGE" });
  });
});
