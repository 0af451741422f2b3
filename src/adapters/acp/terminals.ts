import { RequestError } from "@agentclientprotocol/sdk";
import type { CommandResult, Commands } from "../../ports/commands.ts";

/** What an agent wants to be run. */
export interface TerminalOrder {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly outputByteLimit?: number | null;
}

/** How a terminal's command ended; both null: somebody ended it. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Commands that an agent runs through us: bounded, without secrets in their output, and nothing of them lives on. */
export interface Terminals {
  create(order: TerminalOrder): string;
  /** Throws RequestError where there is no such terminal; so do the others */
  output(id: string): {
    readonly output: string;
    readonly truncated: boolean;
    readonly exitStatus: TerminalExit | null;
  };
  waitForExit(id: string): Promise<TerminalExit>;
  kill(id: string): Promise<void>;
  release(id: string): Promise<void>;
  /** ends all that runs; when it resolves nothing of it lives */
  close(): Promise<void>;
}

interface Terminal {
  readonly kept: () => { readonly output: string; readonly truncated: boolean };
  readonly ended: Promise<TerminalExit>;
  readonly exit: () => TerminalExit | null;
  readonly stop: () => void;
}

const MOST_KEPT = 1024 * 1024;
/** Beyond that an agent has lost count of them. */
const MOST_TERMINALS = 64;

/** `top`: where they run unless they say otherwise. */
export function terminals(top: string, commands: Commands): Terminals {
  const all = new Map<string, Terminal>();
  let count = 0;
  const find = (id: string): Terminal => {
    const terminal = all.get(id);
    if (terminal === undefined) throw RequestError.resourceNotFound(`terminal ${id}`);
    return terminal;
  };
  return {
    create(order) {
      if (all.size >= MOST_TERMINALS)
        throw RequestError.invalidParams(undefined, `${MOST_TERMINALS} terminals are open: release some`);
      const id = `t${++count}`;
      all.set(id, start(order, { top, commands }));
      return id;
    },
    output(id) {
      const { kept, exit } = find(id);
      return { ...kept(), exitStatus: exit() };
    },
    waitForExit: (id) => find(id).ended,
    async kill(id) {
      const terminal = find(id);
      terminal.stop();
      await terminal.ended;
    },
    async release(id) {
      const terminal = find(id);
      all.delete(id);
      terminal.stop();
      await terminal.ended;
    },
    async close() {
      for (const { stop } of all.values()) stop();
      await Promise.all([...all.values()].map(({ ended }) => ended));
    },
  };
}

function start(order: TerminalOrder, { top, commands }: { top: string; commands: Commands }): Terminal {
  const stop = new AbortController();
  const kept = keepEnd(Math.min(MOST_KEPT, order.outputByteLimit ?? MOST_KEPT));
  let exit: TerminalExit | null = null;
  // a program with arguments is run as it is; a text alone is what a person would type
  const cmd = order.args && order.args.length > 0 ? [order.command, ...order.args] : order.command;
  const ended = commands
    .run({
      cmd,
      cwd: order.cwd ?? top,
      env: Object.fromEntries((order.env ?? []).map(({ name, value }) => [name, value])),
      onOutput: ({ bytes }) => kept.push(bytes),
      signal: stop.signal,
    })
    .then(exitOf, (error: unknown) => {
      kept.push(Buffer.from(`${error instanceof Error ? error.message : String(error)}\n`));
      return { exitCode: 127, signal: null };
    })
    .then((end) => {
      exit = end;
      return end;
    });
  return { kept: kept.read, ended, exit: () => exit, stop: () => stop.abort() };
}

const exitOf = ({ ending, exit_code }: CommandResult): TerminalExit =>
  ending === "exit"
    ? { exitCode: exit_code, signal: null }
    : ending === "spawn-failed"
      ? { exitCode: 127, signal: null }
      : { exitCode: null, signal: "SIGTERM" };

/** The end of what came, as ACP wants it: cut at the beginning, and not within a character. */
function keepEnd(most: number): {
  readonly push: (bytes: Uint8Array) => void;
  readonly read: () => { readonly output: string; readonly truncated: boolean };
} {
  let parts: Uint8Array[] = [];
  let size = 0;
  let seen = 0;
  const shrink = () => {
    const whole = Buffer.concat(parts);
    let from = Math.max(0, whole.length - most);
    while (from < whole.length && (whole[from]! & 0xc0) === 0x80) from += 1;
    parts = [whole.subarray(from)];
    size = parts[0]!.length;
  };
  return {
    push(bytes) {
      parts.push(Uint8Array.from(bytes));
      size += bytes.length;
      seen += bytes.length;
      if (size > most * 2 + 65_536) shrink();
    },
    read() {
      shrink();
      return { output: Buffer.concat(parts).toString("utf8"), truncated: seen > size };
    },
  };
}
