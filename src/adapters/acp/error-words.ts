import { type Failure, failureIn } from "../../protocol/failure.ts";
import { objectOf } from "./update.ts";

/** ACP's own code for "log in first" */
const AUTH_REQUIRED = -32_000;

/** What an error of the agent's answer means. `now`: ms since 1970. */
export function failureOf(error: unknown, now: number): Failure {
  const { code, message, data } = objectOf(error);
  return failureIn(wordsOf(message, data), now, code === AUTH_REQUIRED ? "auth" : "crash");
}

function wordsOf(message: unknown, data: unknown): string {
  const more = typeof data === "string" ? data : data === undefined ? "" : JSON.stringify(data);
  const said = [typeof message === "string" ? message : "", more === "{}" ? "" : more].filter(Boolean).join(": ");
  return said.replace(/\s+/g, " ").trim() || "it says nothing about it";
}
