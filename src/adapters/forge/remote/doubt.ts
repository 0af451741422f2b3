import { PawlError } from "../../../domain/errors.ts";

/** It may have happened: the effect is looked for again. Never an answer that it did not. */
export const doubt = (detail: string): PawlError =>
  new PawlError("FORGE_IN_DOUBT", `whether it happened is not known: ${detail}`, { retryable: true });

/** What follows a write must not pass for its refusal: what it throws is doubt. */
export async function lookAfter<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw doubt(error instanceof Error ? error.message : String(error));
  }
}
