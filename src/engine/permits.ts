import { setMaxListeners } from "node:events";
import type { Ms } from "../domain/names.ts";
import type { Permit } from "../ports/permit.ts";

/** A permit that ends at its deadline or with the lease, and must be given back: then nothing of it is left behind. */
export interface Granted extends Permit {
  /** `tell` is called when it ends early, with the reason: at once where it has */
  onEnd(tell: (why: unknown) => void): void;
  done(): void;
}

/**
 * Permits hang on one long-lived signal. AbortSignal.any and AbortSignal.timeout would keep each of them alive as long
 * as that signal is, so listeners and timers are our own, and are taken away again. A permit's own signal is made when
 * somebody asks for it: that is a tenth of what a step costs, and many adapters do not.
 */
export function grant(epoch: number, lease: AbortSignal, ms: Ms): Granted {
  const told: ((why: unknown) => void)[] = [];
  let controller: AbortController | null = null;
  let ended: { readonly why: unknown } | null = null;
  const end = (why: unknown): void => {
    ended ??= { why };
    controller?.abort(why);
    for (const tell of told.splice(0)) tell(why);
  };
  const lost = () => end(lease.reason);
  const timer = setTimeout(() => end(new Error(`no end within ${ms / 1000} s`)), ms);
  lease.addEventListener("abort", lost, { once: true });
  if (lease.aborted) lost();
  return {
    epoch,
    get signal() {
      controller ??= newController(ended);
      return controller.signal;
    },
    onEnd(tell) {
      if (ended) tell(ended.why);
      else told.push(tell);
    },
    done() {
      clearTimeout(timer);
      lease.removeEventListener("abort", lost);
    },
  };
}

function newController(ended: { readonly why: unknown } | null): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  if (ended) controller.abort(ended.why);
  return controller;
}

/** The outcome, or a rejection when the permit ends first: an adapter that does not listen must not hold a lane. */
export function within<T>(permit: Granted, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    permit.onEnd(reject);
    work.then(resolve, reject);
  });
}
