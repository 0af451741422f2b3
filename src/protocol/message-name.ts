import type { Message } from "./message.ts";

/** `001-PLAN_SUBMISSION.json`: submissions are numbered from 1 within a run, and an answer has the number of what it answers. */
export const messageName = (seq: number, kind: Message["message_type"]): string =>
  `${String(seq).padStart(3, "0")}-${kind}.json`;

/** Number and type in a message's file name; null: this is no message. */
export function parseMessageName(name: string): { readonly seq: number; readonly kind: string } | null {
  const found = /^(\d{3,6})-([A-Z_]+)\.json$/.exec(name);
  return found ? { seq: Number(found[1]), kind: found[2]! } : null;
}
