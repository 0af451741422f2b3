import { runFolder } from "../../adapters/run-files/folder.ts";
import { messageName, parseMessageName } from "../../protocol/message-name.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";

/** What an owner says without being asked: more time, or that it ends. */
export type Unasked =
  | { readonly message_type: "EXTEND"; readonly minutes: number; readonly by: string }
  | { readonly message_type: "END"; readonly reason: string; readonly by: string };

/** Puts it into the inbox of a run, under a name of its own: its worker takes it between two steps, in this life or the next. */
export function sayUnasked(run: string, said: Unasked): void {
  const folder = runFolder(run);
  const text = JSON.stringify({ ...said, sent_at: new Date().toISOString() });
  const earlier = folder.list(RUN_FILES.inbox).map((name) => parseMessageName(name)?.seq ?? 0);
  let seq = Math.max(0, ...earlier) + 1;
  while (!folder.create(`${RUN_FILES.inbox}/${messageName(seq, said.message_type)}`, text)) seq += 1;
}
