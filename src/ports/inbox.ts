import type { Command, Input } from "../domain/input.ts";
import type { Instant, TaskId } from "../domain/names.ts";

export interface Posted {
  readonly id: string;
  readonly by: string;
  readonly task: TaskId | null;
  readonly command: Command;
}
export interface Reply {
  readonly accepted: boolean;
  readonly reply: string;
}

/**
 * Requests of other processes. Contract: anybody may post, without the lease; durable when `post` resolves; the same id
 * posted twice is there once. A request is unread until a tick with a `command-answered` fact of its id is committed;
 * its reply is then readable for ever. `rung` resolves when something may have been posted (a hint: may be early, may
 * be late by its interval of at most 250 ms), or when the signal aborts.
 */
export interface Inbox {
  post(request: Posted & { readonly at: Instant }): Promise<void>;
  unread(limit: number): Promise<readonly Extract<Input, { kind: "command-received" }>[]>;
  reply(id: string): Promise<Reply | null>;
  rung(signal: AbortSignal): Promise<void>;
}
