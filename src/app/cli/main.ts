#!/usr/bin/env node
// The entry of the program. What is asked often and by machines (--version, a leg's driver, what a word may become) is answered before
// anything is loaded that it does not need.
import { closeQuietly } from "./streams.ts";

closeQuietly(process.stdout);
closeQuietly(process.stderr);

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  const { version } = await import("./version.ts");
  console.log(`pawl ${version()}`);
} else if (args[0] === "drive") {
  const { driveLeg } = await import("./drive-leg.ts");
  process.exitCode = await driveLeg(args.slice(1));
} else if (args[0] === "acp-worker") {
  const { acpWorkerLeg } = await import("./acp-worker.ts");
  process.exitCode = await acpWorkerLeg(args.slice(1));
} else if (args[0] === "__complete") {
  const { complete } = await import("./completion/complete.ts");
  await complete(args.slice(1));
} else {
  // Until a command listens itself: what it writes in one go is not cut in the middle, and its exit code says what ended it.
  process.on("SIGINT", () => {
    if (process.listenerCount("SIGINT") === 1) process.exit(130);
  });
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(args);
}
