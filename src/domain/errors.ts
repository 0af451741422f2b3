/** Where something is wrong: a file, and a place in it (1-based). */
export interface At {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * The one error class. `code` is a word of the table in docs/errors.md; `message` says what happened, to what, why;
 * `next` is what to do about it.
 */
export class PawlError extends Error {
  readonly code: string;
  readonly next: string | null;
  readonly at: At;
  readonly data: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;

  constructor(
    code: string,
    message: string,
    options: { next?: string; at?: At; data?: Record<string, unknown>; cause?: unknown; retryable?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PawlError";
    this.code = code;
    this.next = options.next ?? null;
    this.at = options.at ?? {};
    this.data = options.data ?? {};
    this.retryable = options.retryable ?? false;
  }
}
