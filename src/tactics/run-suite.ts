import { PawlError } from "../domain/errors.ts";
import type { Hands } from "../workspace/hands/hands.ts";
import { middleCut } from "../workspace/toolbox/shell.ts";
import type { SuiteRun } from "./record.ts";

/** Runs one suite to its end and says what it came to. Aborted, it throws the signal's reason: half a run says nothing. */
export async function runSuite(
  hands: Pick<Hands, "exec" | "results">,
  { name, command }: { readonly name: string; readonly command: string },
  signal: AbortSignal,
): Promise<SuiteRun> {
  try {
    const result = await hands.exec({ cmd: command, signal });
    signal.throwIfAborted();
    const { state, failing, passed, failed, firstError, tail } = hands.results(result);
    const counts = [passed === null ? null : `${passed} passed`, failed ? `${failed} failed` : null]
      .filter(Boolean)
      .join(", ");
    const place = firstError?.file
      ? `${firstError.file}:${firstError.line ?? "?"} ${firstError.text}`
      : (firstError?.text ?? "");
    const end = result.ending === "exit" ? `exit code ${result.exit_code}` : `${result.ending}: it ${result.why}`;
    const isPassed = state === "passed" && result.success;
    const detail = isPassed
      ? []
      : [failing.slice(0, 10).join(", "), place, tail ?? middleCut(`${result.stdout}\n${result.stderr}`.trim(), 3_000)];
    const words = [counts || end, ...detail].filter((line) => line !== "").join("\n");
    return { name, command, passed: isPassed, failing, words, ending: result.ending };
  } catch (error) {
    if (!(error instanceof PawlError) || signal.aborted) throw signal.aborted ? signal.reason : error;
    return {
      name,
      command,
      passed: false,
      failing: [],
      words: `${error.code} ${error.message}`,
      ending: "spawn-failed",
    };
  }
}
