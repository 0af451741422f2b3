/** What the test agent does in a turn, step by step; it stands as JSON in the variable ACP_SCRIPT. */
export type Step =
  | { readonly do: "say" | "think"; readonly text: string; readonly times?: number; readonly size?: number }
  | { readonly do: "plan"; readonly entries: readonly (readonly [string, "pending" | "in_progress" | "completed"])[] }
  | {
      readonly do: "tool";
      /** so many calls, each with an id of its own */
      readonly times?: number;
      readonly size?: number;
      readonly id?: string;
      readonly title: string;
      readonly kind: string;
      readonly status?: string;
    }
  | { readonly do: "usage"; readonly costUsd: number; readonly used?: number; readonly size?: number }
  /** through the client */
  | { readonly do: "write"; readonly path: string; readonly text: string; readonly size?: number }
  | { readonly do: "read"; readonly path: string; readonly into?: string }
  | { readonly do: "run"; readonly command: string; readonly into?: string }
  /** by itself */
  | { readonly do: "disk"; readonly path: string; readonly text: string }
  | { readonly do: "shell"; readonly command: string }
  /** kinds of the options that it offers; its ids say something else. What was chosen is written to `into` */
  | {
      readonly do: "ask";
      readonly kind: string;
      readonly title: string;
      readonly options: readonly string[];
      readonly path?: string;
      readonly into?: string;
    }
  /** calls a tool of the MCP server that it was offered */
  | { readonly do: "mcp"; readonly tool: string; readonly input: unknown; readonly into?: string }
  /** bytes on its stdout, as they are */
  | { readonly do: "raw"; readonly text: string; readonly times?: number; readonly size?: number }
  | { readonly do: "update"; readonly params: unknown }
  /** a request that nobody knows; how it was answered goes to `into` */
  | { readonly do: "request"; readonly method: string; readonly params?: unknown; readonly into?: string }
  /** waits until a file is there */
  | { readonly do: "wait"; readonly file: string }
  | { readonly do: "hang" }
  | { readonly do: "die"; readonly code?: number; readonly signal?: NodeJS.Signals }
  | { readonly do: "error"; readonly code: number; readonly message: string; readonly data?: unknown }
  /** ends the turn here; default: end_turn at the end */
  | { readonly do: "stop"; readonly reason: string; readonly tokens?: number }
  /** said when the turn has been answered */
  | { readonly do: "late"; readonly text: string };

/** How it behaves beside its turns. */
export interface Script {
  /** the turn of the first prompt, of the second …; the last one again and again */
  readonly turns: readonly (readonly Step[])[];
  /** it keeps its sessions in this folder, and can load them */
  readonly sessions?: string;
  /** of every session/new */
  readonly newError?: { readonly code: number; readonly message: string };
  readonly modes?: readonly string[];
  readonly protocolVersion?: number;
  /** it takes no notice of session/cancel, and of SIGTERM */
  readonly isDeaf?: boolean;
}
