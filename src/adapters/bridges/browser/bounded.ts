import { PawlError } from "../../../domain/errors.ts";

/** What a call is bounded by, and what it is when its answer does not come. */
export interface Bound {
  readonly signal: AbortSignal;
  readonly ms: number;
  readonly late: () => PawlError;
}

/** The work, or at its abort CANCELLED, or after so long what `late` says. What was given up goes on unseen. */
export async function bounded<T>(work: () => Promise<T>, { signal, ms, late }: Bound): Promise<T> {
  if (signal.aborted) throw cancelled();
  return new Promise<T>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    const abort = (): void => {
      end();
      reject(cancelled());
    };
    const timer = setTimeout(() => {
      end();
      reject(late());
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
    work().then(resolve, reject).finally(end);
  });
}

export const cancelled = (): PawlError => new PawlError("CANCELLED", "it was cancelled", { next: "nothing." });

/** Resolves after so long, or at the abort. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
