import { join } from "node:path";
import { readRecord } from "../../adapters/agents/files.ts";
import { names } from "../../adapters/agents/leg.ts";
import { type Answer, answerSchema } from "../../protocol/answer.ts";
import type { Exchange } from "../../protocol/fold-mailbox.ts";
import { answerTo, submissionsIn } from "../../protocol/mailbox.ts";
import { type Submission, submissionSchema } from "../../protocol/message.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";

/** What lies in the mailbox of a run, by number; a message that cannot be read is null. */
export interface Exchanged extends Exchange {
  readonly message: Submission | null;
}

export function mailboxOf(run: string): readonly Exchanged[] {
  const outbox = submissionsIn(names(join(run, RUN_FILES.outbox)));
  return outbox.map(({ seq, kind, name }) => ({
    seq,
    kind,
    message: submissionSchema.safeParse(readRecord(join(run, RUN_FILES.outbox, name))).data ?? null,
    answer: answerIn(run, seq),
  }));
}

/** The answer to a submission; null: it has not come. */
export function answerIn(run: string, seq: number): Answer | null {
  const inbox = join(run, RUN_FILES.inbox);
  const name = answerTo(names(inbox), seq);
  return name === null ? null : (answerSchema.safeParse(readRecord(join(inbox, name))).data ?? null);
}
