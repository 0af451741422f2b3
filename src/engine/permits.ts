import { setMaxListeners } from "node:events";
import type { Ms } from "../domain/names.ts";
import type { Permit } from "../ports/permit.ts";

/** A permit that ends at its deadline or with the lease, and must be given back: then nothing of it is left behind. */
export interface Granted extends Permit {
  done(): void;
}

/**
 * Permits hang on one long-lived signal. AbortSignal.any and AbortSignal.timeout would keep each of them alive as long
 * as that signal is, so listeners and timers are our own, and are taken away again.
 */
export function grant(epoch: number, lease: AbortSignal, ms: Ms): Granted {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const end = () => controller.abort(lease.reason);
  const timer = setTimeout(() => controller.abort(new Error(`no end within ${ms / 1000} s`)), ms);
  lease.addEventListener("abort", end, { once: true });
  if (lease.aborted) end();
  const done = () => {
    clearTimeout(timer);
    lease.removeEventListener("abort", end);
  };
  return { epoch, signal: controller.signal, done };
}

/** The outcome, or a rejection when the permit ends first: an adapter that does not listen must not hold a lane. */
export function within<T>(permit: Permit, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(permit.signal.reason);
    permit.signal.addEventListener("abort", stop, { once: true });
    if (permit.signal.aborted) stop();
    work.then(resolve, reject).finally(() => permit.signal.removeEventListener("abort", stop));
  });
}
