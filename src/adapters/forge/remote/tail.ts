/** What an address answered. `text`: its last 64 KiB, where it was good. */
export interface TailReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const KEPT_BYTES = 64 * 1024;
/** A log that is longer than this is read no further. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The end of a text, however long it is, in little memory. No redirect is followed. Throws what `fetch` does. */
export async function readTail(
  url: string,
  of: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<TailReply> {
  const { status, headers, body } = await fetch(url, { ...of, redirect: "manual" });
  let kept = Buffer.alloc(0);
  let seen = 0;
  for await (const part of body ?? []) {
    kept = Buffer.concat([kept, part]).subarray(-KEPT_BYTES);
    seen += part.length;
    if (seen > MOST_BYTES) break;
  }
  // a letter that was cut in two is no letter
  return { status, headers, text: kept.toString("utf8").replace(seen > KEPT_BYTES ? /^\uFFFD+/ : /^$/, "") };
}
