import { expect, test } from "vitest";
import { afterCall, isStuck, STOP_AT, type Streak, stuckWords, WARN_AT } from "./stuck.ts";

const START: Streak = { key: "", same: 0, emptyTool: "", empty: 0 };
const call = (tool: string, args: unknown = {}, isEmpty = false) => ({ tool, args, isEmpty });
const many = (calls: readonly ReturnType<typeof call>[]): Streak => calls.reduce(afterCall, START);
const times = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);

test("the same call is warned of at 3 and stopped at 5, whatever the order of its arguments", () => {
  const [a, b] = [call("shell", { cmd: "ls", cwd: "x" }), call("shell", { cwd: "x", cmd: "ls" })];
  expect(stuckWords(many([a, b]))).toBeNull();
  expect(stuckWords(many([a, b, a]))).toContain("3 times");
  expect(isStuck(many([a, b, a, b]))).toBe(false);
  expect(isStuck(many([a, b, a, b, a]))).toBe(true);
});

test("another call in between begins anew", () => {
  const a = call("shell", { cmd: "ls" });
  expect(many([...times(4, a), call("shell", { cmd: "pwd" }), ...times(4, a)])).toMatchObject({ same: 4 });
});

test("one tool that comes to nothing is warned of at 3 and stopped at 5, though its arguments differ", () => {
  const empty = (n: number) => Array.from({ length: n }, (_, i) => call("file.search", { pattern: `p${i}` }, true));
  expect(stuckWords(many(empty(WARN_AT - 1)))).toBeNull();
  expect(stuckWords(many(empty(WARN_AT)))).toContain("file.search came to nothing 3 times");
  expect(isStuck(many(empty(STOP_AT - 1)))).toBe(false);
  expect(isStuck(many(empty(STOP_AT)))).toBe(true);
  expect(isStuck(many([...empty(4), call("file.search", { pattern: "x" }), ...empty(4)]))).toBe(false);
  expect(isStuck(many([...empty(4), call("shell", { cmd: "x" }, true), ...empty(4)]))).toBe(false);
});

test("arguments that have no JSON do not break it", () => {
  expect(() => many([call("x", undefined), call("x", undefined)])).not.toThrow();
});
