import { describe, expect, it } from "vitest";
import type { EffectKey, TaskId } from "../../src/domain/names.ts";
import type { Channel, Notice } from "../../src/ports/channel.ts";

export interface ChannelWorld {
  readonly channel: Channel;
  /** what arrived, oldest first */
  told(): readonly string[];
  /** from now on nothing can be delivered */
  breakIt(): void;
}

export const notice = (text: string): Notice => ({
  key: "task-1/2/notify/3" as EffectKey,
  task: "task-1" as TaskId,
  event: "waiting",
  text,
});

/** What every channel does. */
export function channelContract(label: string, make: () => ChannelWorld): void {
  describe(`channel: ${label}`, () => {
    const permit = { epoch: 1, signal: new AbortController().signal };

    it("tells a notice with its task and its words", async () => {
      const { channel, told } = make();
      expect(await channel.notify(notice("pawl approve task-1"), permit)).toMatchObject({ kind: "done" });
      expect(told()).toHaveLength(1);
      for (const part of ["task-1", "waiting", "pawl approve task-1"]) expect(told()[0]).toContain(part);
    });

    it("a notice that could not be told is certainly not done", async () => {
      const { channel, told, breakIt } = make();
      breakIt();
      expect(await channel.notify(notice("hello"), permit)).toMatchObject({ kind: "later" });
      expect(told()).toEqual([]);
    });

    it("tells nothing when the time for it is over", async () => {
      const { channel, told } = make();
      const over = { epoch: 1, signal: AbortSignal.abort() };
      expect(await channel.notify(notice("hello"), over)).toMatchObject({ kind: "later" });
      expect(told()).toEqual([]);
    });
  });
}
