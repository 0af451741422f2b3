import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { grant, within } from "./permits.ts";

const never = new Promise<never>(() => {});
const lost = new Error("the lease is lost");

test("what an adapter never ends is ended with the lease, with its reason", async () => {
  const lease = new AbortController();
  const permit = grant(1, lease.signal, 60_000);
  const work = within(permit, never);
  lease.abort(lost);
  await expect(work).rejects.toBe(lost);
  permit.done();
});

test("what an adapter never ends is ended at the deadline", async () => {
  const permit = grant(1, new AbortController().signal, 1);
  await expect(within(permit, never)).rejects.toThrow("no end within 0.001 s");
  permit.done();
});

test("its signal aborts with the lease, also for one who asks for it afterwards", () => {
  const lease = new AbortController();
  const [early, late] = [grant(1, lease.signal, 60_000), grant(1, lease.signal, 60_000)];
  const { signal } = early;
  lease.abort(lost);
  for (const ended of [signal, late.signal, grant(1, lease.signal, 60_000).signal]) expect(ended.reason).toBe(lost);
  early.done();
  late.done();
});

test("a permit that is given back leaves nothing on the lease, and its work's outcome stands", async () => {
  const lease = new AbortController();
  const permit = grant(1, lease.signal, 60_000);
  expect(await within(permit, Promise.resolve(7))).toBe(7);
  permit.done();
  expect(getEventListeners(lease.signal, "abort")).toEqual([]);
  lease.abort(lost);
  expect(permit.signal.aborted).toBe(false);
});
