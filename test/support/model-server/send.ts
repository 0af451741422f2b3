import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Answer } from "./script.ts";

interface Body {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly how?: Pick<Answer, "cutAfter" | "stallAfter">;
}

/** An answer that comes whole, or as far as the script lets it. */
export function sendBody(
  response: ServerResponse,
  { status, body, type = "application/json", headers = {}, how = {} }: Body,
): void {
  const bytes = Buffer.from(body);
  if (how.stallAfter === 0) return;
  const end = how.cutAfter ?? how.stallAfter;
  response.writeHead(status, { "content-type": type, "content-length": bytes.length, ...headers });
  if (end === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, end), () => how.cutAfter !== undefined && response.destroy());
}

/** Server-sent events, with what the script says is to go wrong on the way. */
export async function sendEvents(response: ServerResponse, events: readonly string[], how: Answer): Promise<void> {
  if (how.stallAfter === 0) return;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const gone = new Promise<false>((resolve) => response.once("close", () => resolve(false)));
  const write = (bytes: Buffer) =>
    Promise.race([gone, new Promise<boolean>((resolve) => response.write(bytes, (error) => resolve(!error)))]);
  const end = how.cutAfter ?? how.stallAfter ?? how.endAfter ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  for (const event of events) {
    const bytes = Buffer.from(event).subarray(0, Math.max(0, end - sent));
    sent += bytes.length;
    for (const part of how.oddBytes ? oddly(bytes) : [bytes]) if (response.destroyed || !(await write(part))) return;
    if (sent >= end) break;
    if (how.paceMs) await setTimeout(how.paceMs);
  }
  if (how.cutAfter !== undefined && sent >= end) response.destroy();
  else if (how.stallAfter === undefined || sent < end) response.end();
}

/** Pieces of 1 to 7 bytes, the same each time. */
function oddly(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0, size = 3; at < bytes.length; at += size, size = ((size * 5) % 7) + 1)
    parts.push(bytes.subarray(at, at + size));
  return parts;
}
