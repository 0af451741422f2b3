import type { Ms } from "../../domain/names.ts";
import type { CommandOutput } from "./command-output.ts";

/** Why a command that goes on is ended. */
export interface Reason {
  readonly ending: "timeout" | "cancelled";
  readonly exit_code: -1;
  readonly why: string;
  readonly isReason: true;
}

interface Bounds {
  readonly bounds: { readonly timeoutMs: Ms; readonly idleMs: Ms };
  readonly output: CommandOutput;
  readonly signal: AbortSignal | undefined;
}

/** The first bound that a command reaches: its time, its silence, or somebody who cancels. */
export function untilBound({ bounds, output, signal }: Bounds): {
  readonly reached: Promise<Reason>;
  readonly close: () => void;
} {
  const timers: { idle?: NodeJS.Timeout; time?: NodeJS.Timeout } = {};
  let cancel = (): void => {};
  const reached = new Promise<Reason>((resolve) => {
    const end = (ending: Reason["ending"], why: string) => (): void =>
      resolve({ ending, exit_code: -1, why: why + asking(output), isReason: true });
    const silent = end("timeout", `was ended after ${spell(bounds.idleMs)} without output`);
    cancel = end("cancelled", "was cancelled");
    timers.time = setTimeout(end("timeout", `was ended after ${spell(bounds.timeoutMs)}`), bounds.timeoutMs);
    const watch = (ms: Ms): void => {
      timers.idle = setTimeout(() => {
        const still = output.isPaused() ? 0 : performance.now() - output.lastAt();
        if (still >= bounds.idleMs) silent();
        else watch(bounds.idleMs - still);
      }, ms);
    };
    if (bounds.idleMs < bounds.timeoutMs) watch(bounds.idleMs);
    signal?.addEventListener("abort", cancel, { once: true });
    // it may have come while the command was being started: a signal that has aborted tells nobody again
    if (signal?.aborted) cancel();
  });
  const close = (): void => {
    clearTimeout(timers.idle);
    clearTimeout(timers.time);
    signal?.removeEventListener("abort", cancel);
  };
  return { reached, close };
}

/** A last line without an end that looks like a question: nobody can answer it. */
function asking(output: CommandOutput): string {
  const line = output.openLine();
  const isQuestion = line !== null && /(?:[?:>\])]|password|passphrase|y\/n|yes\/no)\s*$/i.test(line);
  return isQuestion ? `; it seems to wait for an answer to ${JSON.stringify(line)}, and has no input` : "";
}

const spell = (ms: Ms): string =>
  ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Number((ms / 1_000).toPrecision(3))} s`;
