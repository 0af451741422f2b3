import type { Fetch } from "../wire.ts";
import { recording } from "./record.ts";
import { type Replay, replaying } from "./replay.ts";

/**
 * A way to providers that writes down what passes, or plays it again. To be handed to `createModel` as `fetch`, with
 * `keyless` where it plays. A file of JSON lines that can lie in git: it holds no key, no host, no header but those that
 * say when to ask again.
 */
export function openCassette(of: {
  readonly file: string;
  readonly mode: "record" | "replay";
  readonly fetch?: Fetch;
}): Replay {
  if (of.mode === "replay") return replaying(of.file);
  return { fetch: recording(of.file, of.fetch ?? globalThis.fetch), finish: () => {} };
}
