import { PawlError } from "../../domain/errors.ts";
import { errorText } from "./error-text.ts";
import { exitCodeOf } from "./exit-code.ts";
import { paletteOf } from "./palette.ts";

/** `pawl acp-worker … -- COMMAND`, which a driver starts: nothing for people, and its log is the leg's. */
export async function acpWorkerLeg(words: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
  try {
    const { readAcpOptions } = await import("../acp/acp-options.ts");
    const { taskOf } = await import("../acp/task.ts");
    const options = readAcpOptions(words);
    const task = taskOf(process.env);
    const { acpWorker } = await import("../acp/acp-worker.ts");
    return await acpWorker(options, { task, say: (line) => console.log(line), signal: stop.signal });
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    console.error(errorText(error, { colour: paletteOf(false, false), root: null }));
    return exitCodeOf(error);
  }
}
