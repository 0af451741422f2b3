/** The few characters that are not ASCII, and what stands for them where they cannot be shown. */
export interface Marks {
  readonly running: string;
  readonly waiting: string;
  readonly idle: string;
  readonly done: string;
  readonly failed: string;
  /** an amount that is not known */
  readonly unknown: string;
  /** between two things on one line */
  readonly dot: string;
  /** where something was cut */
  readonly more: string;
  bar(percent: number, cells: number): string;
}

export const marksOf = (unicode: boolean): Marks => (unicode ? UNICODE : ASCII);

const filled = (percent: number, cells: number): number =>
  Math.round((Math.min(100, Math.max(0, percent)) * cells) / 100);

const UNICODE: Marks = {
  running: "●",
  waiting: "◷",
  idle: "○",
  done: "✓",
  failed: "✗",
  unknown: "–",
  dot: "·",
  more: "…",
  bar: (percent, cells) => "█".repeat(filled(percent, cells)) + "░".repeat(cells - filled(percent, cells)),
};

const ASCII: Marks = {
  running: "*",
  waiting: "w",
  idle: ".",
  done: "+",
  failed: "x",
  unknown: "-",
  dot: "-",
  more: "...",
  bar: (percent, cells) =>
    `[${"#".repeat(filled(percent, cells - 2))}${" ".repeat(cells - 2 - filled(percent, cells - 2))}]`,
};
