import type { Fact } from "../domain/fact.ts";
import type { Input } from "../domain/input.ts";
import type { BlobHash, Instant, TaskId } from "../domain/names.ts";
import type { Channel } from "../ports/channel.ts";
import type { Clock } from "../ports/clock.ts";
import type { Forge } from "../ports/forge.ts";
import type { Gates } from "../ports/gates.ts";
import type { Inbox } from "../ports/inbox.ts";
import type { Probe } from "../ports/probe.ts";
import type { Runtime } from "../ports/runtime.ts";
import type { Signals } from "../ports/signals.ts";
import type { BacklogSource } from "../ports/source.ts";
import type { Store } from "../ports/store.ts";
import type { Board } from "./board.ts";
import type { Rest } from "./end.ts";
import type { Looker } from "./look.ts";

/** What a processor is made of. */
export interface Parts {
  readonly store: Store;
  readonly inbox: Inbox;
  readonly runtime: Runtime;
  readonly forge: Forge;
  /** by signal name */
  readonly signals: ReadonlyMap<string, Signals>;
  /** the owner `rules`; without it nobody answers for them */
  readonly gates?: Gates;
  /** what else is asked again and again, and may write files of the source, like the issues of a tracker */
  readonly beside?: readonly Looker[];
  readonly channels: readonly Channel[];
  readonly probe: Probe;
  readonly clock: Clock;
  readonly source: BacklogSource;
  readonly hash: (bytes: Uint8Array) => BlobHash;
  readonly build: string;
  readonly who: { readonly pid: number; readonly host: string };
  /** tasks that may be picked up; null: all */
  readonly only?: ReadonlySet<TaskId> | null;
}

/** What a listener is told of each turn. */
export interface Ticked {
  readonly seq: number;
  readonly now: Instant;
  readonly inputs: readonly Input[];
  readonly facts: readonly Fact[];
  readonly board: Board;
}
/** Sees a turn when it is decided, with the board as that left it; what it gives back is called once it is durable. */
export type Listener = (ticked: Ticked) => () => void;

/** Open until: every task is terminal or stranded; or all that is left waits for people; or until somebody stops it. */
export type Until = "terminal" | "idle" | "stopped";
export type Ending =
  | { readonly kind: "ended"; readonly rest: Rest }
  | { readonly kind: "interrupted" }
  | { readonly kind: "stopped"; readonly by: string; readonly workers: boolean };
