import { PawlError } from "../../../domain/errors.ts";
import { type Reply, type Sent, said } from "./http.ts";

/** No more is to be asked for a while; `data.until`, in ms since 1970. */
export const limitedError = ({ detail, until }: Extract<Sent, { kind: "limited" }>): PawlError =>
  new PawlError("FORGE_LIMITED", detail, {
    retryable: true,
    data: { until },
    next: "wait until then. A running processor does so by itself.",
  });

/** No whole answer came. */
export const lostError = (
  { sent, detail }: Pick<Extract<Sent, { kind: "lost" }>, "sent" | "detail">,
  baseUrl: string,
): PawlError =>
  new PawlError("FORGE_UNREACHABLE", detail, {
    retryable: true,
    next: sent ? "try again in a while" : `see whether base_url is right, and can be reached from here: ${baseUrl}`,
  });

/** An answer that is none of what was asked for. */
export function refusedError(
  reply: Reply,
  of: {
    readonly name: string;
    readonly path: string;
    readonly baseUrl: string;
    readonly variable: string;
    readonly clean: (text: string) => string;
  },
): PawlError {
  const { status } = reply;
  const words = of.clean(`${of.name} answered ${status} to ${of.path}: ${said(reply)}`);
  if (status === 401 || status === 403) {
    const next = `see whether the token in ${of.variable} is valid and may do that`;
    return new PawlError("FORGE_DENIED", words, { next });
  }
  if (status >= 300 && status < 400)
    return new PawlError("FORGE_DENIED", `${words}: it was moved`, {
      next: "write its new name, or its new base_url, into pawl.yaml",
    });
  const next =
    status >= 500
      ? `try again in a while: it is ${of.name} that fails`
      : `see whether base_url is that of ${of.name}'s API: it is asked at ${of.baseUrl}`;
  return new PawlError("FORGE_UNREACHABLE", words, { retryable: true, next });
}
