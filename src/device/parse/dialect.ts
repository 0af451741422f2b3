import type { Coordinate, DeviceAction } from "../device-action.ts";
import type { Grammar } from "./grammar.ts";

/** One way in which models write actions. Facts of each come from the public documentation of its models. */
export interface Dialect {
  readonly grammar: Grammar;
  /**
   * The action on the wire that a written one means, its places read by `place`; not yet held against the forms of
   * actions. Throws Unreadable where it means none.
   */
  mean(value: unknown, place: (value: unknown) => Coordinate): unknown;
  /** The action as a model would have written it, for a history that it reads again. */
  write(action: DeviceAction, place: (at: Coordinate) => readonly [number, number]): string;
  /** a whole answer */
  frame(thinking: string, written: string): string;
}
