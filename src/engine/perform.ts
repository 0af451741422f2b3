import type { EffectResult } from "../domain/input.ts";
import type { Intent, TraceIntent } from "../domain/intent.ts";
import type { BlobHash } from "../domain/names.ts";
import type { Channel } from "../ports/channel.ts";
import type { Forge, ForgeTrace } from "../ports/forge.ts";
import type { Permit } from "../ports/permit.ts";
import type { Brief, Runtime } from "../ports/runtime.ts";

export interface Hands {
  readonly runtime: Runtime;
  readonly forge: Forge;
  readonly channels: readonly Channel[];
  /** the bytes of a blob; throws when the store does not have it */
  readonly blob: (hash: BlobHash) => Promise<Uint8Array>;
}

const FORGE_KINDS: ReadonlySet<Intent["kind"]> = new Set(["publish", "open-pr", "mark-ready", "land"]);
const isForge = (intent: Intent): intent is ForgeTrace => FORGE_KINDS.has(intent.kind);
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Carries out one intent from what the store holds. An exception means: in doubt. */
export async function perform(
  intent: Exclude<Intent, { kind: "reap" }>,
  hands: Hands,
  permit: Permit,
): Promise<EffectResult> {
  const { runtime, forge } = hands;
  switch (intent.kind) {
    case "spawn":
      return runtime.spawn(
        { wish: intent.wish, brief: JSON.parse(text(await hands.blob(intent.brief))) as Brief },
        permit,
      );
    case "deliver":
      return runtime.deliver(intent.leg, intent.name, new TextEncoder().encode(intent.message), permit);
    case "stop":
      return runtime.stop(intent.leg, intent.why, permit);
    case "clean-up":
      return runtime.cleanUp({ id: intent.task, branch: intent.branch, merged: intent.merged }, permit);
    case "notify":
      return notifyAll(intent, hands, permit);
    case "open-pr":
      return forge.perform(intent, text(await hands.blob(intent.body)), permit);
    default:
      return forge.perform(intent, null, permit);
  }
}

/** In doubt: looked for first, then done. Where nothing can be looked for, doing it again is harmless or allowed (architecture 4.2, 4.6). */
export async function resolve(intent: TraceIntent, hands: Hands, permit: Permit): Promise<EffectResult | null> {
  if (!isForge(intent)) return perform(intent, hands, permit);
  const found = await hands.forge.find(intent, permit);
  if (found.kind === "done") return { kind: "done", made: found.made, found: true };
  return found.kind === "absent" ? perform(intent, hands, permit) : null;
}

async function notifyAll(
  intent: Extract<Intent, { kind: "notify" }>,
  { channels }: Hands,
  permit: Permit,
): Promise<EffectResult> {
  const notice = { key: intent.key, task: intent.task, event: intent.event, text: intent.text };
  for (const channel of channels) {
    const result = await channel.notify(notice, permit);
    if (result.kind !== "done") return result;
  }
  return { kind: "done", made: { what: "nothing" }, found: false };
}
