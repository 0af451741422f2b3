/** One stream between the server and a service of the device: bytes both ways, one packet in flight. */
export class DeviceStream {
  readonly service: string;
  readonly #send: (data: Buffer) => void;
  readonly #granted: () => void;
  readonly #shut: () => void;
  readonly #maxBytes: number;
  #incoming: Buffer[] = [];
  #wake: (() => void) | null = null;
  #acknowledged: (() => void) | null = null;
  #isClosed = false;
  readonly #closing = new AbortController();

  constructor(of: {
    service: string;
    maxBytes: number;
    send(data: Buffer): void;
    /** says that more may come */
    granted(): void;
    shut(): void;
  }) {
    this.service = of.service;
    this.#maxBytes = of.maxBytes;
    this.#send = of.send;
    this.#granted = of.granted;
    this.#shut = of.shut;
  }

  /** aborts when either end closed it */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Resolves when the other end has taken all of it; what is written after the close is lost. */
  async write(bytes: Buffer | string): Promise<void> {
    const all = Buffer.from(bytes as Buffer);
    for (let at = 0; at < all.length && !this.#isClosed; at += this.#maxBytes) {
      const taken = new Promise<void>((resolve) => {
        this.#acknowledged = resolve;
      });
      this.#send(all.subarray(at, at + this.#maxBytes));
      await taken;
    }
  }

  /** Exactly so many bytes; null: it was closed before. */
  async read(count: number): Promise<Buffer | null> {
    while (this.#available() < count) {
      if (this.#isClosed) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const all = Buffer.concat(this.#incoming);
    this.#incoming = [all.subarray(count)];
    return all.subarray(0, count);
  }

  /** what has come, at least a byte of it; null: closed */
  async readSome(): Promise<Buffer | null> {
    const first = await this.read(1);
    return first === null ? null : Buffer.concat([first, (await this.read(this.#available()))!]);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#shut();
    this.ended();
  }

  /** called by the connection */
  arrived(data: Buffer): void {
    this.#incoming.push(Buffer.from(data));
    this.#granted();
    this.#wake?.();
  }
  acknowledged(): void {
    this.#acknowledged?.();
  }
  ended(): void {
    this.#isClosed = true;
    this.#closing.abort();
    this.#wake?.();
    this.#acknowledged?.();
  }

  #available(): number {
    return this.#incoming.reduce((total, { length }) => total + length, 0);
  }
}
