import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { SANDBOX_ARGS } from "../../workspace/commands/sandbox.ts";

/** A program that hands on a repository use, as `pawl doctor` tells it. */
export interface HandsLook {
  readonly name: string;
  readonly state: "ok" | "note";
  readonly text: string;
  readonly next?: string;
}

const started = promisify(execFile);

/** What there is of ripgrep and bubblewrap, and the Debian package of what is missing. Nothing of it stops the processor. */
export const lookAtHands = (): Promise<readonly HandsLook[]> => Promise.all([lookAtRipgrep(), lookAtBubblewrap()]);

async function lookAtRipgrep(): Promise<HandsLook> {
  const shipped = await import("@vscode/ripgrep").then(({ rgPath }) => rgPath).catch(() => null);
  for (const [program, from] of [
    ...(shipped === null ? [] : [[shipped, "shipped"] as const]),
    ["rg", "installed"] as const,
  ]) {
    const [first = ""] = (await outputOf(program, ["--version"])).split("\n");
    if (first !== "") return { name: "ripgrep", state: "ok", text: `${first.replace(/^ripgrep /, "")} (${from})` };
  }
  return {
    name: "ripgrep",
    state: "note",
    text: "not there: pawl search and workers cannot search",
    next: "apt install ripgrep, or npm ci without --omit=optional.",
  };
}

async function lookAtBubblewrap(): Promise<HandsLook> {
  const name = "bubblewrap";
  const next = "apt install bubblewrap.";
  if (process.platform !== "linux")
    return { name, state: "note", text: "on Linux only: commands run without a sandbox" };
  const version = (await outputOf("bwrap", ["--version"])).trim();
  if (version === "") return { name, state: "note", text: "not there: commands run without a sandbox", next };
  const text = version.replace(/^bubblewrap /, "");
  const works = await started("bwrap", [...SANDBOX_ARGS, "true"], { timeout: 5_000 }).then(
    () => null,
    (error: { stderr?: string }) => error.stderr?.trim().split("\n")[0] ?? "it did not start",
  );
  if (works === null) return { name, state: "ok", text };
  return {
    name,
    state: "note",
    text: `${text}, but it can make no sandbox here: ${works}`,
    next: "let this user make namespaces.",
  };
}

/** What a program prints; empty where it cannot be started. */
const outputOf = (program: string, args: readonly string[]): Promise<string> =>
  started(program, [...args], { timeout: 5_000 }).then(
    ({ stdout }) => stdout,
    () => "",
  );
