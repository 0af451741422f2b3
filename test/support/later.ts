import type { Parts } from "../../src/engine/parts.ts";

/** Wraps a processor's parts: its clock says that it is `ms` later, so that what fell due meanwhile is looked at, at once. */
export const later =
  (ms: number) =>
  (parts: Parts): Parts => ({
    ...parts,
    clock: {
      read: () => {
        const { wall, mono } = parts.clock.read();
        return { wall: wall + ms, mono: mono + ms };
      },
      sleep: (forMs, signal) => parts.clock.sleep(forMs, signal),
    },
  });
