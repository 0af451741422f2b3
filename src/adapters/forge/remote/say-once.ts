import type { FarPull } from "./api.ts";
import type { Reach } from "./far-git.ts";
import { keyLine } from "./pull-request.ts";

/** A comment of ours: one per key. Other words under the same key take the place of those that are there. */
export async function sayOnce(
  { api, hands }: Reach,
  { pull, key, text }: { pull: FarPull; key: string; text: string },
): Promise<void> {
  const wanted = `${keyLine(key)}\n${text}`;
  const ours = (await api.comments(pull.number, hands.signal)).find((one) => one.text.startsWith(keyLine(key)));
  if (ours?.text === wanted) return;
  await api.comment(pull.number, ours?.id ?? null, wanted, hands.signal);
}
