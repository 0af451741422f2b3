import { createHash } from "node:crypto";
import type { Frame, ScreenNode } from "../ports/bridge.ts";
import type { DeviceParts } from "./device-parts.ts";
import type { DeviceEvent, FrameRef, Happening } from "./event.ts";
import { evolve } from "./evolve.ts";
import type { DeviceRun } from "./run-state.ts";

/** A picture that may still be asked for, with the tree that was taken with it. */
export interface Held {
  readonly frame: Frame;
  readonly tree: ScreenNode | null;
}

/** Where a run is, and the bytes of the one or two pictures that it still needs. */
export interface Desk {
  readonly run: DeviceRun;
  note(happened: Happening): void;
  hold(ref: FrameRef, held: Held): void;
  held(ref: FrameRef): Held;
}

export function openDesk(began: Extract<Happening, { kind: "run-began" }>, { clock, on }: DeviceParts): Desk {
  let run: DeviceRun | null = null;
  const pictures = new Map<string, Held>();
  const note = (happened: Happening): void => {
    // What was given up at an abort may still come to its end.
    if (run?.ended && !AFTERWARDS.has(happened.kind)) return;
    const { wall, mono } = clock.read();
    const event = { ...happened, at: wall, mono } as DeviceEvent;
    run = evolve(run, event);
    for (const hash of pictures.keys())
      if (hash !== run!.frame?.hash && hash !== run!.after?.hash) pictures.delete(hash);
    on(event, run!);
  };
  note(began);
  return {
    get run() {
      return run!;
    },
    note,
    hold: (ref, held) => void pictures.set(ref.hash, held),
    held: (ref) => pictures.get(ref.hash)!,
  };
}

const AFTERWARDS: ReadonlySet<Happening["kind"]> = new Set(["trajectory-saved", "release-failed"]);

export const frameRef = ({ png, width, height, isBlack }: Frame): FrameRef => ({
  hash: createHash("sha256").update(png).digest("hex").slice(0, 24),
  width,
  height,
  isBlack,
});
