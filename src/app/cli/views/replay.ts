import type { Difference, Replayed } from "../../log/replay.ts";
import { jsonText } from "../printable.ts";
import { counted } from "./amounts.ts";

/** What `pawl replay` says: how much was the same, and the first difference with both sides. */
export function replayLines({ ticks, facts, difference }: Replayed, build: string): readonly string[] {
  const same = `${counted(ticks, "tick")} and ${counted(facts, "fact")}`;
  if (difference === null) return [`${same}: this build (${build}) decides each as it is in the log`];
  return [`${same} are the same`, ...differenceLines(difference, build)];
}

function differenceLines({ tick, index, logged, decided, threw }: Difference, build: string): readonly string[] {
  const { seq, now, inputs, facts } = tick;
  return [
    `tick ${seq} of ${new Date(now).toISOString()} is decided otherwise, at fact ${index + 1} of ${facts.length}:`,
    `  in the log (build ${tick.build})  ${logged === null ? "nothing more" : jsonText(logged)}`,
    `  this build (${build})  ${threw === null ? (decided === null ? "nothing more" : jsonText(decided)) : `fails: ${threw}`}`,
    inputs.length === 0 ? "with no input: something fell due" : "from these inputs:",
    ...inputs.map((input) => `  ${jsonText(input)}`),
  ];
}

/** The same as a document. */
export function replayJson({ ticks, facts, difference }: Replayed, build: string) {
  if (difference === null) return { ok: true, ticks, facts, build, difference: null };
  const { tick, index, logged, decided, threw } = difference;
  const { seq, now, inputs } = tick;
  return {
    ok: false,
    ticks,
    facts,
    build,
    difference: { seq, now, build: tick.build, index, logged, decided, threw, inputs },
  };
}
