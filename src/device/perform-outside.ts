import type { Clock } from "../ports/clock.ts";
import type { Deed } from "./next.ts";
import type { Doing } from "./perform.ts";

/** Asks a person, for so long and no longer (DEV-4.1, 4.3). */
export async function performAsk(
  { question, timeoutMs }: Extract<Deed, { do: "ask" }>,
  { desk, parts, signal }: Doing,
): Promise<void> {
  desk.note({ kind: "question-asked", question, timeoutMs });
  const { ask, clock } = parts;
  if (ask === null) return desk.note({ kind: "question-answered", answer: null, timedOut: false });
  const asked = await within(timeoutMs, { clock, signal }, (bounded) => ask(question, timeoutMs, bounded));
  signal.throwIfAborted();
  const answer = asked.how === "done" ? asked.value : null;
  desk.note({ kind: "question-answered", answer, timedOut: asked.how === "timed-out" });
}

/** Calls a tool that is there, for so long and no longer; whatever comes of it is told to the agent (DEV-4.2 to 4.4). */
export async function performCall(
  { tool, args, timeoutMs }: Extract<Deed, { do: "call" }>,
  { desk, parts, signal }: Doing,
): Promise<void> {
  const { tools, clock } = parts;
  desk.note({ kind: "tool-called", tool });
  if (!tools.names.includes(tool)) {
    const known = tools.names.length === 0 ? "there are none" : `there are ${tools.names.join(", ")}`;
    return desk.note({
      kind: "tool-answered",
      ok: false,
      text: `there is no tool ${tool}; ${known}`,
      code: "TOOL_MISSING",
    });
  }
  const called = await within(timeoutMs, { clock, signal }, (bounded) => tools.call(tool, args, bounded));
  signal.throwIfAborted();
  if (called.how === "done") return desk.note({ kind: "tool-answered", ...called.value });
  const text =
    called.how === "failed" ? called.message : `${tool} did not answer within ${timeoutMs / 1000} s, and was given up`;
  const code = called.how === "failed" ? "TOOL_FAILED" : "TIMEOUT";
  desk.note({ kind: "tool-answered", ok: false, text, code });
}

type Bounded<T> =
  | { readonly how: "done"; readonly value: T }
  | { readonly how: "failed"; readonly message: string }
  | { readonly how: "timed-out" };

/** Whichever comes first: its end, the time, the signal. What was given up is told so by its own signal, and not waited for. */
async function within<T>(
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  start: (signal: AbortSignal) => Promise<T>,
): Promise<Bounded<T>> {
  const given = new AbortController();
  const bounded = AbortSignal.any([signal, given.signal]);
  const time = clock.sleep(ms, bounded).then((): Bounded<T> => ({ how: "timed-out" }));
  const work = start(bounded).then(
    (value): Bounded<T> => ({ how: "done", value }),
    (error): Bounded<T> => ({ how: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
  try {
    return await Promise.race([work, time]);
  } finally {
    given.abort();
  }
}
