import { statSync } from "node:fs";
import { normalize } from "node:path";
import type { HostParts } from "./parts.ts";

/** The lock of which git said that it is there, in words, with its age and what to do; null: it said nothing of one. */
export function lockWords(said: string, { clock }: Pick<HostParts, "clock">): string | null {
  const name = /Unable to create '([^']+\.lock)'/.exec(said)?.[1];
  if (name === undefined) return null;
  const since = statSync(name, { throwIfNoEntry: false })?.mtimeMs;
  const age = since === undefined ? "" : `, ${ageOf(clock.read().wall - since)} old`;
  return `${normalize(name)} is there${age}: another git is at work, or one was killed; if none runs, remove that file`;
}

const ageOf = (ms: number): string => {
  const [minutes, hours] = [ms / 60_000, ms / 3_600_000];
  if (hours >= 2) return `${Math.floor(hours)} hours`;
  return minutes >= 2 ? `${Math.floor(minutes)} minutes` : `${Math.max(0, Math.round(ms / 1_000))} s`;
};
