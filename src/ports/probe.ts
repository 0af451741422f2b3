/** One thing that happened, for logs and metrics: snake_case names, as the specification has them (worker_crash_detected). */
export interface ProbeEvent {
  readonly event: string;
  readonly [field: string]: string | number | boolean | null;
}

/** Contract: never throws, never waits; may lose events at a crash. */
export interface Probe {
  record(event: ProbeEvent): void;
}
