/** Wakes everybody who waits for it. A ring that nobody heard is kept for the next one who asks. */
export interface Bell {
  ring(): void;
  /** resolves at the next ring, at once if one was missed, or when a signal aborts; `look` is called every `everyMs` and may ring */
  rung(signals: readonly AbortSignal[], looking?: Looking): Promise<void>;
}
interface Looking {
  readonly everyMs: number;
  readonly look: () => void;
}

export function bell(): Bell {
  const waiting = new Set<() => void>();
  let missed = false;
  return {
    ring() {
      missed = waiting.size === 0;
      for (const wake of [...waiting]) wake();
    },
    async rung(signals, looking) {
      if (signals.some((signal) => signal.aborted)) return;
      looking?.look();
      if (missed) missed = false;
      else await next(waiting, signals, looking);
    },
  };
}

function next(waiting: Set<() => void>, signals: readonly AbortSignal[], looking: Looking | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearInterval(timer);
      waiting.delete(end);
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve();
    };
    const look = (): void => {
      try {
        looking?.look();
      } catch (error) {
        reject(error);
        end();
      }
    };
    const timer = looking && setInterval(look, looking.everyMs);
    waiting.add(end);
    for (const signal of signals) signal.addEventListener("abort", end);
  });
}
