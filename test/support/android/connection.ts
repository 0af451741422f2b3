import { type KeyObject, randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { DeviceStream } from "./device-stream.ts";
import { hasSigned, readHostKey } from "./host-key.ts";
import { AUTH, CLSE, CNXN, OKAY, OPEN, type Packet, PacketReader, packetBytes, WRTE } from "./packet.ts";

const TOKEN = 1;
const SIGNATURE = 2;
const PUBLIC_KEY = 3;
const NONE = Buffer.alloc(0);

/** What the device is to a host that connects. */
export interface DeviceSide {
  /** 0x01000000: check sums are looked at, packets of 4 KiB; 0x01000001: neither */
  readonly version: number;
  /** `device::ro.product.name=…;features=shell_v2,cmd` */
  banner(): string;
  readonly trusted: KeyObject[];
  /** a host that signed with no known key showed this one: is it let in? */
  letsIn(key: KeyObject): boolean;
  /** takes the connection, and says nothing */
  isMute(): boolean;
  serve(stream: DeviceStream): void;
  /** the host sent what no host sends, and is cut off */
  broken(error: unknown): void;
}

/**
 * The device's end of one connection. States: connecting (a CNXN is waited for) → asking (a token is out; each wrong
 * signature gets another one; a public key waits until the device lets it in) → open (streams come and go).
 */
export class Connection {
  readonly #socket: Socket;
  readonly #side: DeviceSide;
  readonly #streams = new Map<number, { stream: DeviceStream; remote: number }>();
  #token = NONE;
  #shown: KeyObject | null = null;
  #isOpen = false;
  #isFrozen = false;
  #maxBytes = 4096;
  #nextId = 1;

  constructor(socket: Socket, side: DeviceSide) {
    this.#socket = socket;
    this.#side = side;
    socket.setNoDelay(true);
    const reader = new PacketReader(() => side.version < 0x01000001);
    socket.on("data", (chunk) => {
      try {
        for (const packet of reader.feed(chunk)) this.#take(packet);
      } catch (error) {
        side.broken(error);
        socket.destroy();
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => this.#lost());
  }

  /** a person allowed what waits, or will come */
  look(): void {
    if (!this.#isOpen && this.#shown !== null && this.#side.letsIn(this.#shown)) this.#welcome(this.#shown);
  }

  cut(): void {
    this.#socket.destroy();
  }

  /** as when a radio link breaks: nothing comes through any more, and nobody is told */
  freeze(): void {
    this.#isFrozen = true;
  }

  #take(packet: Packet): void {
    const act = this.#acts[packet.command];
    if (this.#isFrozen || act === undefined || (!this.#isOpen && packet.command !== CNXN && packet.command !== AUTH))
      return;
    act(packet);
  }

  readonly #acts: Readonly<Record<number, (packet: Packet) => void>> = {
    [CNXN]: ({ arg1 }) => {
      if (this.#side.isMute()) return;
      this.#maxBytes = Math.min(arg1, this.#side.version < 0x01000001 ? 4096 : 1 << 20);
      this.#ask();
    },
    [AUTH]: ({ arg0, data }) => (arg0 === SIGNATURE ? this.#checkSignature(data) : this.#checkKey(arg0, data)),
    [OPEN]: ({ arg0, data }) => this.#open(arg0, data.toString("utf8").replace(/\0$/, "")),
    [OKAY]: ({ arg1 }) => this.#streams.get(arg1)?.stream.acknowledged(),
    [WRTE]: ({ arg0, arg1, data }) => {
      const open = this.#streams.get(arg1);
      if (open) open.stream.arrived(data);
      else this.#send(CLSE, 0, arg0);
    },
    [CLSE]: ({ arg1 }) => {
      const open = this.#streams.get(arg1);
      this.#streams.delete(arg1);
      open?.stream.ended();
    },
  };

  #ask(): void {
    this.#token = randomBytes(20);
    this.#send(AUTH, TOKEN, 0, this.#token);
  }

  #checkSignature(signature: Buffer): void {
    const known = this.#side.trusted.find((key) => hasSigned(key, this.#token, signature));
    if (known) this.#welcome(known);
    else this.#ask();
  }

  #checkKey(kind: number, data: Buffer): void {
    if (kind !== PUBLIC_KEY) return;
    this.#shown = readHostKey(data);
    this.look();
  }

  #welcome(key: KeyObject): void {
    if (!this.#side.trusted.includes(key)) this.#side.trusted.push(key);
    this.#send(CNXN, this.#side.version, this.#maxBytes, Buffer.from(this.#side.banner()));
    this.#isOpen = true;
  }

  #open(remote: number, service: string): void {
    const local = this.#nextId++;
    const stream = new DeviceStream({
      service,
      maxBytes: this.#maxBytes,
      send: (data) => this.#send(WRTE, local, remote, data),
      granted: () => this.#send(OKAY, local, remote),
      shut: () => {
        this.#streams.delete(local);
        this.#send(CLSE, local, remote);
      },
    });
    if (!/^(shell|exec|sync)[,:]/.test(service)) return this.#send(CLSE, 0, remote);
    this.#streams.set(local, { stream, remote });
    this.#send(OKAY, local, remote);
    this.#side.serve(stream);
  }

  #send(command: number, arg0: number, arg1: number, data: Buffer = NONE): void {
    if (!this.#socket.destroyed && !this.#isFrozen) this.#socket.write(packetBytes({ command, arg0, arg1, data }));
  }

  #lost(): void {
    this.#isOpen = false;
    for (const { stream } of this.#streams.values()) stream.ended();
    this.#streams.clear();
  }
}
