import { Worker } from "node:worker_threads";
import { PawlError } from "../../../domain/errors.ts";
import type { Mark } from "../marks.ts";
import type { Drawn, Order } from "./worker.ts";

export interface MarkDrawer {
  /**
   * A PNG with a number drawn on each element. One call at a time. An aborted signal ends it at once with its reason; a
   * picture that cannot be taken apart, and a thread that ends, is CAPTURE_FAILED.
   */
  draw(png: Uint8Array, marks: readonly Mark[], signal: AbortSignal): Promise<Uint8Array>;
  /** can be called twice */
  close(): Promise<void>;
}

/** Draws in a thread, which starts with the first picture and keeps nobody from ending. `program`: its built file, absolute. */
export function markDrawer(program: string): MarkDrawer {
  let thread: Worker | null = null;
  const end = async (): Promise<void> => {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };
  return {
    async draw(png, marks, signal) {
      signal.throwIfAborted();
      thread ??= new Worker(program);
      try {
        return await drawnBy(thread, { png, marks }, signal);
      } catch (error) {
        await end();
        throw error;
      }
    },
    close: end,
  };
}

function drawnBy(thread: Worker, order: Order, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise<Uint8Array>((resolve, reject) => {
    const abort = () => settle(() => reject(signal.reason as Error));
    const answer = (drawn: Drawn) => settle(() => ("png" in drawn ? resolve(drawn.png) : reject(failed(drawn.why))));
    const crash = (error: Error) => settle(() => reject(failed(error.message)));
    const exit = (code: number) => settle(() => reject(failed(`its thread ended with ${code}`)));
    const settle = (then: () => void): void => {
      signal.removeEventListener("abort", abort);
      thread.off("message", answer).off("error", crash).off("exit", exit);
      thread.unref();
      then();
    };
    signal.addEventListener("abort", abort, { once: true });
    thread.on("message", answer).on("error", crash).on("exit", exit);
    thread.ref();
    thread.postMessage(order);
  });
}

const failed = (why: string): PawlError =>
  new PawlError("CAPTURE_FAILED", `no numbers can be drawn on the picture of the screen: ${why}`, {
    next: "leave marks out, or see what the screen gives as its picture.",
  });
