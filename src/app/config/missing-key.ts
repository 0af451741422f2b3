import { child, type FaultWords, nodeOf, noteFault, type Spot } from "./spot.ts";

/**
 * Notes that a mapping lacks what it needs: one of `keys`. Not where one of them is there with a fault of its own, or was
 * told as a key that is not known and probably meant to be it: one mistake is one fault.
 */
export function missingKey(
  spot: Spot,
  keys: string | readonly string[],
  message: string,
  words: FaultWords & { readonly code?: string } = {},
): undefined {
  if ([keys].flat().some((key) => isWritten(spot, key))) return undefined;
  const { code = "KEY_MISSING", ...others } = words;
  noteFault(spot, code, message, { key: true, ...others });
  return undefined;
}

/** Whether somebody wrote that key, in whatever way: with a fault in it, or mistyped, also. */
export const isWritten = (spot: Spot, key: string): boolean =>
  nodeOf(child(spot, key)) !== null || spot.text.faults.some(({ data }) => data.meant === child(spot, key).path);
