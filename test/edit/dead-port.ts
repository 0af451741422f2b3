import type { Files } from "../../src/ports/files.ts";

/** What comes out of a port that is dead; no one of ours catches it. */
export class Dead extends Error {}

/**
 * The port of a process that dies before a call: neither that one nor any later one comes to anything. For what lies on the
 * disk that is a SIGKILL there; what has to be really killed is.
 */
export function deadFrom(files: Files, call: number): Files {
  let calls = 0;
  const names = Object.keys(files) as (keyof Files)[];
  const counted = names.map((name) => [
    name,
    (...args: unknown[]) => {
      if (++calls >= call) throw new Dead(`dead at call ${call}`);
      return (files[name] as (...given: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(counted) as Files;
}
