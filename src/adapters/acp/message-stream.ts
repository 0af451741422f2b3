import type { Readable, Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";

/** What came that is no message: it is told, never answered, and ends nothing. */
export type Noise = (line: string) => void;

/** An edit of a big file is one line. */
const MOST_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 1024;

/** What its work says of itself: read by us, as the package takes nothing of a later version, and reads each one twice. */
export type Updates = (params: unknown) => void;

/**
 * The messages of a process, one JSON object a line; its updates go to `updates`, in the order of all that it says. Unlike the package's own stream it lets pass what agents print
 * beside the protocol, ends with no line that is too long, and reads no faster than messages are taken.
 * A request that is longer than `mostBytes` is answered with an error, so that nobody waits for it.
 */
export function messageStream(
  of: { readonly from: Readable; readonly to: Writable; readonly noise: Noise; readonly updates: Updates },
  mostBytes = MOST_BYTES,
): Stream {
  const { from, to } = of;
  to.on("error", () => {}); // who has gone reads no more; that it has gone is told elsewhere
  const send = (message: AnyMessage) => written(to, `${JSON.stringify(message)}\n`);
  const messages = messagesIn(from, { ...of, mostBytes, send });
  return {
    readable: new ReadableStream<AnyMessage>({
      async pull(controller) {
        const { value, done } = await messages.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        from.destroy();
      },
    }),
    writable: new WritableStream<AnyMessage>({ write: send }),
  };
}

interface Reading {
  readonly noise: Noise;
  readonly updates: Updates;
  readonly mostBytes: number;
  readonly send: (message: AnyMessage) => Promise<void>;
}

async function* messagesIn(from: Readable, { noise, updates, mostBytes, send }: Reading): AsyncGenerator<AnyMessage> {
  for await (const { bytes, isWhole, size } of linesIn(from, mostBytes)) {
    const text = bytes.toString("utf8").trim();
    if (text === "") continue;
    const message = isWhole ? objectIn(text) : null;
    if (message !== null && isUpdate(message)) updates(message.params);
    else if (message !== null) yield message;
    else {
      noise(size > mostBytes ? `a line of ${size} bytes was left out: ${text.slice(0, 200)}` : text.slice(0, 4_000));
      if (size > mostBytes) await refuse(text, send);
    }
  }
}

const isUpdate = (message: AnyMessage): message is AnyMessage & { readonly params: unknown } =>
  "method" in message && message.method === "session/update" && !("id" in message);

/** Who asked in a line that nobody reads waits for an answer all the same. An answer that nobody reads is the end: we wait for it. */
async function refuse(head: string, send: Reading["send"]): Promise<void> {
  const id = /"id"\s*:\s*(\d+|"[^"\\]{1,200}")/.exec(head)?.[1];
  if (id === undefined) return;
  if (!/"method"\s*:/.test(head)) throw new Error("the agent's answer is longer than can be read");
  const error = { code: -32_600, message: "this request is longer than can be read" };
  await send({ jsonrpc: "2.0", id: JSON.parse(id), error });
}

function objectIn(text: string): AnyMessage | null {
  if (!text.startsWith("{")) return null;
  try {
    return JSON.parse(text) as AnyMessage;
  } catch {
    return null;
  }
}

interface Line {
  /** all of it; of a line that is too long its beginning */
  readonly bytes: Buffer;
  /** it had an end, and is not too long */
  readonly isWhole: boolean;
  readonly size: number;
}

/** The last one may be without an end: its writer died in the middle of it. */
async function* linesIn(from: Readable, mostBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= mostBytes) parts.push(part);
    else parts = [Buffer.concat([...parts, part]).subarray(0, HEAD_BYTES)];
  };
  const take = (isEnded: boolean): Line => {
    const line = { bytes: Buffer.concat(parts), isWhole: isEnded && size <= mostBytes, size };
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of from as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take(true);
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (size > 0) yield take(false);
}

function written(to: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => to.write(text, (error) => (error ? reject(error) : resolve())));
}
