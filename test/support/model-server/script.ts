/** One turn of a conversation as a provider was sent it, whatever its wire format. */
export type AskedTurn =
  | {
      readonly role: "user";
      readonly text: string;
      /** where there are any */
      readonly pictures?: readonly AskedPicture[];
    }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly thoughts: readonly string[];
      readonly calls: readonly AskedCall[];
    }
  | {
      readonly role: "results";
      readonly results: readonly { readonly id: string; readonly text: string; readonly failed: boolean }[];
    };

/** A picture, found whole. */
export interface AskedPicture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

export type DialectName = "anthropic" | "chat" | "responses" | "google";

/** A request, read and found valid. */
export interface Asked {
  /** counts from 1, over the server's life */
  readonly n: number;
  readonly dialect: DialectName;
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  readonly turns: readonly AskedTurn[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly input: unknown }[];
  readonly choice: "auto" | "any";
  readonly maxOutput: number | null;
  readonly temperature: number | null;
  /** as it came */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ReplyCall {
  readonly name: string;
  readonly args?: unknown;
  /** what stands where JSON should be */
  readonly rawArgs?: string;
  readonly id?: string;
}

/** An answer, and what goes wrong with its sending. Bytes are those of the body. */
export interface Answer {
  readonly text?: string;
  /** a thought that is signed, where the provider has such */
  readonly thought?: string;
  readonly calls?: readonly ReplyCall[];
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly written?: number;
  };
  readonly stop?: "end" | "length" | "refused";
  /** the text comes in parts of this many characters (8) */
  readonly step?: number;
  /** the connection is torn after so many bytes */
  readonly cutAfter?: number;
  /** the answer ends after so many bytes as if that were all of it */
  readonly endAfter?: number;
  /** nothing comes any more after so many bytes, and the connection stays; 0: not even the status */
  readonly stallAfter?: number;
  /** between two events */
  readonly paceMs?: number;
  /** the body is written in pieces of 1 to 7 bytes */
  readonly oddBytes?: boolean;
  /** the key that was sent becomes the answer's text */
  readonly echoKey?: boolean;
  /** the stream says that it failed after its first text, as the provider does */
  readonly failInside?: "overloaded" | "limit";
  /** whatever was asked for, the whole answer comes at once */
  readonly whole?: boolean;
}

export type Reply =
  | Answer
  | {
      readonly fail: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
      /** the provider's word for it; none: the one that goes with the status */
      readonly type?: string;
      /** in place of the provider's JSON */
      readonly body?: string;
      /** the key that was sent stands in the message */
      readonly echoKey?: boolean;
    }
  | { readonly html: number };

/** What is answered: one after the other, or found from the request. A list that is over answers 400. */
export type Script = readonly Reply[] | ((asked: Asked) => Reply | Promise<Reply>);

/** The request is not what the provider takes: it is answered with this status and message. */
export class Refused extends Error {
  readonly status: number;
  readonly type: string | null;
  constructor(message: string, { status = 400, type = null }: { status?: number; type?: string | null } = {}) {
    super(message);
    this.status = status;
    this.type = type;
  }
}
