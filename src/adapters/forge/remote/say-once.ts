import { PawlError } from "../../../domain/errors.ts";
import type { FarPull } from "./api.ts";
import { doubt } from "./doubt.ts";
import type { Reach } from "./far-git.ts";
import { keyLine } from "./pull-request.ts";

/**
 * A comment of ours: one per key. Other words under the same key take the place of those that are there. One that the
 * forge refuses is left out: throws FORGE_IN_DOUBT, FORGE_LIMITED or FORGE_UNREACHABLE where it may be there later.
 */
export async function sayOnce(reach: Reach, comment: Comment): Promise<void> {
  try {
    await say(reach, comment);
  } catch (error) {
    if (!(error instanceof PawlError) || error.code !== "FORGE_DENIED") throw error;
  }
}

interface Comment {
  readonly pull: FarPull;
  readonly key: string;
  readonly text: string;
}

async function say({ api, hands }: Reach, { pull, key, text }: Comment): Promise<void> {
  const wanted = `${keyLine(key)}\n${text}`;
  const ours = (await api.comments(pull.number, hands.signal)).find((one) => one.text.startsWith(keyLine(key)));
  if (ours?.text === wanted) return;
  const written = await api.comment(pull.number, ours?.id ?? null, wanted, hands.signal);
  if (written.kind === "doubt" || written.kind === "later") throw doubt(written.detail);
}
