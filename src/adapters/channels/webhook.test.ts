import { createHmac } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { notice } from "../../../test/contracts/channel.contract.ts";
import { type Answer, webhookReceiver } from "../../../test/support/webhook-receiver.ts";
import type { EffectKey } from "../../domain/names.ts";
import type { Channel } from "../../ports/channel.ts";
import { consoleChannel } from "./console.ts";
import { eachOnce } from "./each-once.ts";
import { type WebhookOptions, webhookChannel } from "./webhook.ts";

const permit = { epoch: 1, signal: new AbortController().signal };
const SECRET = "whsec_c2VjcmV0";

/** A channel to a receiver that gives these answers in turn, and 204 when they are used up; its clock is pushed. */
async function stage(answers: readonly Answer[] = [], more: Partial<WebhookOptions> = {}) {
  const receiver = await webhookReceiver((_, n) => (n <= answers.length ? answers[n - 1]! : { status: 204 }));
  onTestFinished(receiver.close);
  const clock = { now: 1_764_000_000_000 };
  const told: (string | null)[] = [];
  const channel = webhookChannel({
    url: receiver.url,
    name: "HOOK",
    secret: SECRET,
    events: null,
    now: () => clock.now,
    tell: (why) => void told.push(why),
    ...more,
  });
  return { receiver, channel, clock, told };
}

describe("the webhook channel", () => {
  test("posts a notice as JSON, with its key and a signature that its receiver can check", async () => {
    const { receiver, channel } = await stage();
    expect(await channel.notify(notice("pawl approve task-1"), permit)).toMatchObject({ kind: "done" });
    const { headers, body } = receiver.received[0]!;
    expect(JSON.parse(body)).toEqual({
      version: 1,
      key: "task-1/2/notify/3",
      task: "task-1",
      event: "waiting",
      text: "pawl approve task-1",
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "idempotency-key": "task-1/2/notify/3",
      "webhook-id": "task-1/2/notify/3",
      "webhook-timestamp": "1764000000",
    });
    const mac = createHmac("sha256", "secret").update(`task-1/2/notify/3.1764000000.${body}`).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
  });

  test("a receiver that is busy is asked again when it said, with the same body and key; before then it is left alone", async () => {
    const { receiver, channel, clock, told } = await stage([
      { status: 503, headers: { "retry-after": "7" } },
      { status: 429 },
    ]);
    expect(await channel.notify(notice("x"), permit)).toMatchObject({ kind: "later", until: clock.now + 7_000 });
    expect(await channel.notify({ ...notice("y"), key: "task-2/1/notify/1" as EffectKey }, permit)).toMatchObject({
      kind: "later",
    });
    expect(receiver.received).toHaveLength(1);
    clock.now += 7_000;
    expect(await channel.notify(notice("x"), permit)).toMatchObject({ kind: "later", until: clock.now + 2_000 });
    clock.now += 2_000;
    expect(await channel.notify(notice("x"), permit)).toMatchObject({ kind: "done" });
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.taken).toEqual(new Map([["task-1/2/notify/3", 1]]));
    expect(told).toEqual(["HOOK answers 503", null]);
  });

  test.each([
    ["500", { status: 500 }],
    ["a connection that is cut", null],
  ])("%s: the notice may have arrived, so it is in doubt, and sent again", async (_, answer) => {
    const { receiver, channel, clock } = await stage([answer]);
    await expect(channel.notify(notice("x"), permit)).rejects.toMatchObject({ code: "WEBHOOK_IN_DOUBT" });
    clock.now += 1_000;
    expect(await channel.notify(notice("x"), permit)).toMatchObject({ kind: "done" });
    expect(receiver.received.map(({ headers }) => headers["idempotency-key"])).toEqual(
      Array(2).fill("task-1/2/notify/3"),
    );
  });

  test("nobody at the address: certainly not told; the pause doubles up to five minutes, and no message holds the address", async () => {
    const { receiver, channel, clock, told } = await stage();
    receiver.close();
    const pauses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const result = await channel.notify(notice("x"), permit);
      if (result.kind !== "later") throw new Error(result.kind);
      pauses.push(result.until! - clock.now);
      expect(JSON.stringify(result)).not.toContain("127.0.0.1");
      clock.now = result.until!;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((s) => s * 1_000));
    expect(told).toEqual(["HOOK cannot be reached (ECONNREFUSED)"]);
  });

  test.each([301, 400, 401, 404, 410])(
    "%i is a refusal: that notice is not sent again, and the next one is",
    async (status) => {
      const { receiver, channel } = await stage([{ status, headers: { location: "http://127.0.0.1:1/" } }]);
      expect(await channel.notify(notice("x"), permit)).toMatchObject({
        kind: "refused",
        detail: `HOOK answers ${status}`,
      });
      expect(await channel.notify(notice("x"), permit)).toMatchObject({ kind: "done" });
      expect(receiver.received).toHaveLength(2);
    },
  );

  test("other events than those that are wanted, and a time that is over, send nothing; without a secret nothing is signed", async () => {
    const { receiver, channel } = await stage([], { events: ["failed"], secret: null });
    expect(await channel.notify(notice("x"), permit)).toMatchObject({ kind: "done" });
    const late = { epoch: 1, signal: AbortSignal.abort() };
    expect(await channel.notify({ ...notice("x"), event: "failed" }, late)).toMatchObject({ kind: "later" });
    expect(receiver.received).toEqual([]);
    await channel.notify({ ...notice("x"), event: "failed" }, permit);
    expect(receiver.received[0]!.headers["webhook-signature"]).toBeUndefined();
  });
});

test("of several channels each is told once, however often another one could not be", async () => {
  const shown: string[] = [];
  let tries = 0;
  const flaky: Channel = {
    notify: async () =>
      ++tries < 3
        ? { kind: "later", until: null, owner: "processor", detail: "busy" }
        : { kind: "done", made: { what: "nothing" }, found: false },
  };
  const all = eachOnce([flaky, consoleChannel((line) => void shown.push(line))]);
  expect((await all.notify(notice("x"), permit)).kind).toBe("later");
  expect((await all.notify(notice("x"), permit)).kind).toBe("later");
  expect((await all.notify(notice("x"), permit)).kind).toBe("done");
  expect([tries, shown.length]).toEqual([3, 1]);
});
