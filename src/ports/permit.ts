/**
 * The right to touch the outside. `signal` aborts at the effect's deadline, or a margin before the lease would end by
 * the wall or the monotonic clock, whichever is first.
 */
export interface Permit {
  readonly epoch: number;
  readonly signal: AbortSignal;
}
