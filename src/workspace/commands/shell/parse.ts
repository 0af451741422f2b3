import { cursorOn } from "./cursor.ts";
import { readScript } from "./read-script.ts";
import { type SimpleCommand, Unreadable } from "./word.ts";

/** Every program that a text may start, or why it cannot be read. */
export type Parsed =
  | { readonly kind: "read"; readonly commands: readonly SimpleCommand[] }
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * Reads a text as a POSIX shell does, with what bash has beyond that where both agree what runs. All branches count, and
 * what stands in quotes, substitutions and here-documents too.
 */
export function parseShell(text: string): Parsed {
  const on = cursorOn(text);
  try {
    readScript(on, null);
    return { kind: "read", commands: on.found };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: "unreadable", why: error.message };
    throw error;
  }
}
