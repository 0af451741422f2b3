import { expect, test } from "vitest";
import { atPhase, ended, endOf, running, settled, verdict } from "../../test/support/rows.ts";
import { ENDING_KINDS, ENDINGS, type EndingKind, sumOf } from "./ending.ts";
import type { RunEnd } from "./input.ts";

/** An end of each kind, as its host tells it. */
const ENDS: Readonly<Record<EndingKind, RunEnd>> = {
  verdict: verdict("FAIL"),
  crash: endOf("no-verdict"),
  stall: { ...endOf("no-verdict"), cause: "stall" },
  "time-limit": endOf("timeout"),
  "rate-limit": { ...endOf("rate-limited"), cause: "rate-limit" },
  "provider-down": { ...endOf("rate-limited"), cause: "provider-down" },
  auth: { ...endOf("auth"), cause: "auth" },
  quota: { ...endOf("auth"), cause: "quota" },
  "model-refused": { ...verdict("BLOCKED"), cause: "model-refused" },
  "context-full": { ...verdict("FAIL"), cause: "context-full" },
  "not-started": endOf("setup"),
  killed: endOf("killed"),
  "host-lost": endOf("lost"),
  stopped: endOf("stopped"),
};

const after = (kind: EndingKind) => settled(atPhase("verify", { doing: running() }), ended(ENDS[kind])).row;

test.each(ENDING_KINDS)("what the table says of %s is what follows", (kind) => {
  const row = after(kind);
  const { next, ...ending } = ENDINGS[kind];
  expect(row.endings).toEqual({ [kind]: 1 });
  const isCrash = "isCrash" in ending;
  expect(row.counts.crashes).toBe(isCrash ? 1 : 0);
  const on = row.doing.kind === "waiting" ? row.doing.on : null;
  if (next === "round") expect([row.round, on]).toEqual([1, null]);
  if (next === "later") expect([row.round, on?.owner === "human"]).toEqual([0, false]);
  if (next === "person") expect([row.round, on?.owner]).toEqual([0, "human"]);
});

test.each<[EndingKind, string]>([
  ["stall", "stall: "],
  ["rate-limit", "rate limit: "],
  ["provider-down", "provider away: "],
  ["quota", "quota used up: "],
  ["auth", "nobody logged in, or the key refused: "],
])("%s is named in the finding or in what is waited for", (kind, words) => {
  const { doing, findings } = after(kind);
  expect(doing.kind === "waiting" ? doing.on.reason : findings.at(-1)?.text).toMatch(new RegExp(`^${words}`));
});

test("the ends of a task are counted for ever: a person's retry takes none of them back", () => {
  const first = after("crash");
  const again = settled({ ...first, doing: running() }, ended(ENDS.crash)).row;
  expect(again.endings).toEqual({ crash: 2 });
  expect(sumOf([again.endings!, { quota: 1 }, {}, { crash: 1 }])).toEqual({ crash: 3, quota: 1 });
});
