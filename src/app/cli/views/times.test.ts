import { describe, expect, it } from "vitest";
import { face, NOW } from "../../../../test/support/scenes.ts";
import type { Instant } from "../../../domain/names.ts";
import { ahead, dayOrTime, exact, past, rough, time, timeWithSeconds } from "./times.ts";

const at = (ms: number): Instant => (NOW + ms) as Instant;
const HOUR = 3_600_000;

describe("times", () => {
  it.each([
    [0, "0s", "0s"],
    [-5_000, "0s", "0s"],
    [59_999, "59s", "59s"],
    [242_000, "4m", "4m02s"],
    [HOUR - 1, "59m", "59m59s"],
    [2 * HOUR + 300_000, "2h05m", "2h05m"],
    [71 * HOUR, "2d23h", "2d23h"],
  ])("%i ms is %s, exactly %s", (ms, shortly, exactly) => {
    expect(rough(ms)).toBe(shortly);
    expect(exact(ms)).toBe(exactly);
  });
  it("are local, and name the day or year when it is another", () => {
    expect(time(at(0), face)).toBe("09:53");
    expect(timeWithSeconds(at(0), face)).toBe("09:53:04");
    expect(time(at(-10 * HOUR), face)).toBe("27 Nov 23:53");
    expect(time(at(-400 * 24 * HOUR), face)).toBe("24 Oct 2025 09:53");
    expect(dayOrTime(at(-10 * HOUR), face)).toBe("27 Nov");
    expect(dayOrTime(at(0), face)).toBe("09:53");
  });
  it("follow a zone that changes its offset", () => {
    const summer = { now: NOW, offset: (then: Instant) => (then < NOW ? 120 : 60) };
    expect(time(at(-HOUR), summer)).toBe("09:53");
  });
  it("come in both forms", () => {
    expect(past(at(-1_320_000), face)).toBe("09:31 (22m)");
    expect(ahead(at(720_000), face)).toBe("10:05 (12m)");
    expect(ahead(at(-1), face)).toBe("09:53 (now)");
  });
});
