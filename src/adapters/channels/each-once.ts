import type { EffectResult } from "../../domain/input.ts";
import type { EffectKey } from "../../domain/names.ts";
import type { Channel } from "../../ports/channel.ts";

/**
 * Several channels as one. All are told at once, and a notice that one of them could not take is told again to that one
 * alone. What was told is remembered until all have it: a crash before then may tell it twice, as the contract allows.
 */
export function eachOnce(channels: readonly Channel[]): Channel {
  const told = new Map<EffectKey, Set<Channel>>();
  return {
    async notify(notice, permit): Promise<EffectResult> {
      const by = told.get(notice.key) ?? new Set();
      told.set(notice.key, by);
      const open = channels.filter((channel) => !by.has(channel));
      const ends = await Promise.allSettled(open.map((channel) => channel.notify(notice, permit)));
      for (const [i, end] of ends.entries())
        if (end.status === "fulfilled" && end.value.kind !== "later") by.add(open[i]!);
      const inDoubt = ends.find((end) => end.status === "rejected");
      if (inDoubt) throw inDoubt.reason;
      const results = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
      const waiting = results.find(({ kind }) => kind === "later");
      if (waiting) return waiting;
      told.delete(notice.key);
      return results.find(({ kind }) => kind === "refused") ?? DONE;
    },
  };
}
const DONE: EffectResult = { kind: "done", made: { what: "nothing" }, found: false };
