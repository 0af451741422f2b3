import type { Bridge } from "../../../src/ports/bridge.ts";
import type { Coordinate } from "../../../src/ports/device-action.ts";
import type { ShopDid } from "./web-shop.ts";

/** A small shop on a real screen, and what was done to it. */
export interface Stage {
  readonly bridge: Bridge;
  /** where things are, from 0 to 1: of the front, and of the page of a good (`note`) */
  readonly places: Readonly<Record<"search" | "find" | "firstRow" | "nothing" | "low" | "high" | "note", Coordinate>>;
  did(): Promise<ShopDid>;
  /** the shop as it is at first */
  reset(): Promise<void>;
  /** the other end goes away: for good, or to come back when `reconnect` waits for it */
  lose(how: "for good" | "for a moment"): Promise<void>;
  close(): Promise<void>;
}

export type OpenStage = () => Promise<Stage>;
