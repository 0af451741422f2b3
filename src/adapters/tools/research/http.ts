import { type LookupAddress, lookup } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Permits } from "./address.ts";

export interface HttpOrder {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly permits: Permits;
  readonly signal: AbortSignal;
  /** of the answer, unpacked; the rest is not read */
  readonly maxBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** by names in small letters */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
  /** there was more than `maxBytes` */
  readonly isCut: boolean;
}

/** It will not be asked, and why; never holds more of an address than its host. */
export class Unasked extends Error {}

/**
 * Asks once, without following anything. Whatever the address is written like, and whatever its name resolves to, every
 * address that would be connected to has to be permitted: the check is made on what the connection then uses. Throws
 * Unasked, and what the network throws.
 */
export async function ask(url: URL, order: HttpOrder): Promise<HttpAnswer> {
  refuse(url, order.permits);
  const answer = await answered(url, order);
  const body = unpacked(answer);
  try {
    return {
      status: answer.statusCode ?? 0,
      headers: headersOf(answer),
      ...(await read(body, order.maxBytes)),
    };
  } finally {
    body.destroy();
    answer.destroy();
  }
}

/** The parser of addresses has brought 2130706433, 0x7f.1 and 127.1 into their one form already. */
function refuse({ protocol, hostname, username, password }: URL, permits: Permits): void {
  if (protocol !== "http:" && protocol !== "https:") throw new Unasked(`${protocol} is not asked, only http and https`);
  if (username !== "" || password !== "") throw new Unasked("an address with a name and a password is not asked");
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !permits(host)) throw new Unasked(`${host} is no address of the internet`);
}

function answered(url: URL, { method = "GET", headers, body, permits, signal }: HttpOrder): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method,
      signal,
      agent: false,
      lookup: guarded(permits),
      headers: { "user-agent": "pawl", "accept-encoding": "gzip, deflate, br", ...headers },
    });
    asked.once("response", resolve);
    asked.once("error", reject);
    asked.end(body);
  });
}

const guarded =
  (permits: Permits): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, "", 0);
      const barred = found.find(({ address }) => !permits(address));
      if (barred || found.length === 0)
        return callback(
          new Unasked(`${hostname} is ${barred?.address ?? "nowhere"}, no address of the internet`),
          "",
          0,
        );
      if (options.all) return callback(null, found);
      return callback(null, found[0]!.address, found[0]!.family);
    });

function unpacked(answer: IncomingMessage): Readable {
  const by = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const coding = (answer.headers["content-encoding"] ?? "").trim().toLowerCase();
  const make = by[coding as keyof typeof by];
  if (!make) return answer;
  const body = make();
  answer.once("error", (error) => body.destroy(error));
  return answer.pipe(body);
}

async function read(body: Readable, most: number): Promise<Pick<HttpAnswer, "bytes" | "isCut">> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part as Uint8Array);
    size += (part as Uint8Array).length;
    if (size > most) return { bytes: Buffer.concat(parts).subarray(0, most), isCut: true };
  }
  return { bytes: Buffer.concat(parts), isCut: false };
}

const headersOf = ({ headers }: IncomingMessage): HttpAnswer["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
