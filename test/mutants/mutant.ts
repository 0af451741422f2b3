/** A small deliberate fault: one text of one source file in place of another. Tests of its id have to notice it. */
export interface Mutant {
  /** the scenario, the rule of the architecture, or the word of the glossary, that it breaks */
  readonly id: string;
  /** path from the root */
  readonly file: string;
  /** stands there exactly once */
  readonly find: string;
  readonly put: string;
  /** test files that may notice it */
  readonly tests: readonly string[];
  /** only cases whose title has this; default: the id */
  readonly title?: string;
}
