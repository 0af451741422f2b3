import { isPlan } from "./owner-rules.ts";
import type { Owner } from "./worker-hands.ts";

/** Who is asked at each gate, left to right. */
export interface Chains {
  readonly go: readonly string[];
  readonly next: readonly string[];
}

/** Owners one after the other (architecture 9.5): the first no is the answer, and the last yes; who has none yet is waited for. */
export const chainedOwner = (chains: Chains, owners: ReadonlyMap<string, Owner>): Owner => ({
  async answer(submission, of) {
    let last: Awaited<ReturnType<Owner["answer"]>> = null;
    for (const name of isPlan(submission) ? chains.go : chains.next) {
      last = (await owners.get(name)?.answer(submission, of)) ?? null;
      if (last?.message_type !== "GO" && last?.message_type !== "NEXT") return last;
    }
    return last;
  },
});
