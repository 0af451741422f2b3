export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** the most that it may be; null: only told */
  readonly target: number | null;
}

export const measureLine = ({ name, value, unit, target }: Measure): string => {
  const aim = target === null ? "" : `   target ${target}${value <= target ? "" : "   MISSED"}`;
  return `${name.padEnd(44)} ${value.toFixed(2).padStart(9)} ${unit}${aim}`;
};
