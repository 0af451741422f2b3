import { createInterface } from "node:readline/promises";
import type { AskPerson } from "../../device/device-parts.ts";

/** Asks on the terminal. At its end, also by the signal, the keyboard is given back as it was. */
export const askTerminal: AskPerson = async (question, timeoutMs, signal) => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const left = `${Math.round(timeoutMs / 1000)}s`;
  // a Ctrl+C at the question is one for the run
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await lines.question(`        ${question} (${left} left) > `, { signal });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    lines.close();
  }
};
