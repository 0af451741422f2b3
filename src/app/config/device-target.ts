import { addressOfTarget } from "../../adapters/bridges/browser/address.ts";
import { PawlError } from "../../domain/errors.ts";
import { type Decode, line } from "./decode.ts";
import { nearest } from "./nearest.ts";
import { shaped, TEXT } from "./schema-of.ts";
import { noteFault, type Spot } from "./spot.ts";

const KINDS = ["adb", "browser", "replay"] as const;

/** A screen as `--on` has it: adb, adb:SERIAL, browser:URL, replay:RUN. */
export const deviceTarget: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const written = line(spot);
    const why = written === undefined ? null : targetFault(written);
    if (why === null) return written;
    noteFault(spot, "TARGET_BAD", why.message, { next: why.next });
    return undefined;
  },
);

function targetFault(written: string): { readonly message: string; readonly next: string } | null {
  const [kind = "", ...others] = written.split(":");
  const rest = others.join(":");
  if (kind === "adb" && (others.length === 0 || /^\S+$/.test(rest))) return null;
  if (kind === "browser") return addressFault(written);
  if (kind === "replay" && rest.trim() !== "") return null;
  const meant = kind === "replay" || kind === "adb" ? null : nearest(kind, KINDS);
  const next =
    meant === null
      ? 'write "adb:SERIAL", "browser:URL" or "replay:RUN"; pawl device list shows what is here.'
      : `write ${[meant, ...others].join(":")}.`;
  return { message: `"${written}" is no target`, next };
}

function addressFault(written: string): { readonly message: string; readonly next: string } | null {
  try {
    addressOfTarget(written);
    return null;
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return { message: error.message, next: error.next ?? "" };
  }
}
