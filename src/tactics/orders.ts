import type { RunFolder } from "../ports/run-folder.ts";
import { type Answer, answerSchema } from "../protocol/answer.ts";
import { parseMessageName } from "../protocol/message-name.ts";
import { RUN_FILES } from "../protocol/run-folder.ts";
import type { Desk } from "./desk.ts";

/** What an owner may say unasked: it is taken between two actions, each message once. */
const UNASKED: ReadonlySet<string> = new Set(["EXTEND", "END"]);

/** Takes EXTEND and END out of the inbox. One that cannot be read is left, and changes nothing. */
export async function takeOrders(desk: Desk, folder: RunFolder): Promise<void> {
  if (desk.state?.finished) return;
  for (const name of [...folder.list(RUN_FILES.inbox)].sort()) {
    const said = parseMessageName(name);
    if (!said || !UNASKED.has(said.kind) || desk.state?.ordersTaken.includes(name)) continue;
    const answer = readAnswer(folder, name);
    if (answer && UNASKED.has(answer.message_type))
      await desk.note({ r: "answered", seq: said.seq, answer, name }, { durable: true });
  }
}

/** A message of the inbox; null: it is none, or half of one. */
export function readAnswer(folder: RunFolder, name: string): Answer | null {
  try {
    return answerSchema.safeParse(JSON.parse(folder.read(`${RUN_FILES.inbox}/${name}`) ?? "null")).data ?? null;
  } catch {
    return null;
  }
}
