import { type Reply, said } from "../remote/http.ts";
import type { Refusal } from "../remote/written.ts";

/** POST pulls: 422 says what is wrong in `errors`, some of it in words alone. */
export function notCreated(reply: Reply): Refusal {
  const words = said(reply);
  if (reply.status === 404) return ["denied", `${words}: the token may not open pull requests`];
  if (reply.status !== 422) return ["denied", words];
  if (/already exists/i.test(words)) return ["exists", words];
  if (/no commits between/i.test(words)) return ["nothing-to-do", words];
  const { errors } = (reply.body ?? {}) as { errors?: unknown };
  const fields = Array.isArray(errors) ? errors.map((one: { field?: unknown }) => one?.field) : [];
  return fields.includes("base") ? ["base-gone", words] : ["invalid", words];
}

/**
 * PUT pulls/N/merge: 409 the head is another one; 405 it cannot be merged, for many reasons. What GitHub still
 * computes, and checks that still run, are asked again by themselves; what a person has to do is not.
 */
export function deniedMerge(reply: Reply): Refusal {
  const words = said(reply);
  switch (reply.status) {
    case 409:
      return ["moved", words];
    case 404:
      return ["gone", words];
    case 405:
      return notMergeable(words);
    case 422:
      return ["invalid", words];
    default:
      return ["denied", words];
  }
}

function notMergeable(words: string): Refusal {
  if (/draft/i.test(words)) return ["invalid", words];
  if (/base branch was modified|in progress|status check/i.test(words)) return ["later", words];
  if (/not mergeable|conflict/i.test(words)) return ["later", words]; // the candidate had none: it has not caught up
  return ["denied", words];
}
