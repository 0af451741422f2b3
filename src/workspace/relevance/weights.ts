import type { SpreadWeights } from "../index/spread.ts";
import type { PastWeights } from "./past.ts";
import type { TextWeights } from "./text-score.ts";

/** How much each kind of evidence counts; docs/relevance.md says on what the numbers were found. */
export interface Weights extends TextWeights, PastWeights, SpreadWeights {
  /** how much of the text's score hangs on how many of the ticket's words a file has: 0 nothing, 1 all */
  readonly coverage: number;
  readonly text: number;
  /** changed by commits like the ticket */
  readonly past: number;
  readonly recent: number;
  /** how much more counts what is changed often */
  readonly often: number;
  /** commits after which a change counts half as often */
  readonly oftenHalfLife: number;
  /** the ticket names the path, or the end of it */
  readonly named: number;
  /** the ticket names what is defined there */
  readonly defines: number;
  /** other files of the same folder fit */
  readonly folder: number;
  /** near what fits, along imports */
  readonly near: number;
  /** changed together with what fits */
  readonly together: number;
  /** tests what fits, or is tested by it */
  readonly tested: number;
  /** files from which the last three go out */
  readonly seeds: number;
}

export const WEIGHTS: Weights = {
  k1: 2.5,
  b: 0.6,
  body: 1,
  path: 2.6,
  name: 0.8,
  defined: 0.55,
  most: 80,
  halfLife: 1_000,
  share: 0.6,
  power: 1.5,
  churnHalfLife: 27,
  damping: 0.6,
  steps: 6,
  back: 0.8,
  coverage: 0.2,
  text: 1,
  past: 0.6,
  recent: 0.06,
  often: 0.03,
  oftenHalfLife: 300,
  named: 0.85,
  defines: 0.33,
  folder: 0.08,
  near: 0.4,
  together: 0.045,
  tested: 0.155,
  seeds: 15,
};
