import { PawlError } from "../../domain/errors.ts";
import type { Instant } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ModelAnswer, ModelNews } from "../../ports/model.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { type Bounds, pauseAfter } from "./bounds.ts";
import { HOMES } from "./dialect.ts";
import { type Failure, type FinalCode, failureIn } from "./failure.ts";
import type { Redactor } from "./secret.ts";

interface Again {
  readonly spec: ModelSpec;
  readonly bounds: Bounds;
  readonly clock: Clock;
  readonly hide: Redactor;
  readonly signal: AbortSignal;
  readonly news?: (news: ModelNews) => void;
  readonly chance: () => number;
}

/** Asks until there is an answer, or until it is no use: see the port's contract. */
export async function askAgain(
  once: (news: (news: ModelNews) => void) => Promise<ModelAnswer>,
  again: Again,
): Promise<ModelAnswer> {
  const { bounds, clock, signal } = again;
  const news = (one: ModelNews) => signal.aborted || again.news?.(one);
  let waited = 0;
  for (let n = 1; ; n++) {
    const end = await abortable(
      tried(() => once(news)),
      signal,
    );
    if ("answer" in end) return end.answer;
    const { failure } = end;
    if (failure.kind === "stays") throw final(failure, again);
    const now = clock.read().wall;
    const until = (failure.until ?? now + pauseAfter(n, bounds, again.chance())) as Instant;
    waited += Math.max(0, until - now);
    if (n >= bounds.attempts || waited > bounds.patienceMs) throw givenUp(failure, { ...again, tries: n, until });
    news({ kind: "waiting", until, why: again.hide.text(failure.why) });
    await waitFor(until, again);
    signal.throwIfAborted();
  }
}

type End = { readonly answer: ModelAnswer } | { readonly failure: Failure };

async function tried(once: () => Promise<ModelAnswer>): Promise<End> {
  try {
    return { answer: await once() };
  } catch (error) {
    if (error instanceof PawlError) throw error;
    return { failure: failureIn(error) ?? unreadable(error) };
  }
}

/** A package could not make an answer of what came: that is what a broken server does, and it may pass. */
const unreadable = (error: unknown): Failure => ({
  kind: "passes",
  why: `its answer cannot be read (${(error instanceof Error ? error.message : String(error)).split("\n")[0]!.slice(0, 200)})`,
  limit: false,
  until: null,
});

/** What a promise comes to; the signal's reason, at once, where it aborts first. What is abandoned then ends by itself. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** A clock that was set back does not make it longer than it was meant to be; a sleeping machine does not either. */
async function waitFor(until: Instant, { clock, signal }: Again): Promise<void> {
  const start = clock.read();
  const enough = start.mono + (until - start.wall);
  for (let at = start; at.wall < until && at.mono < enough && !signal.aborted; at = clock.read())
    await clock.sleep(Math.min(until - at.wall, enough - at.mono), signal);
}

const final = (failure: Extract<Failure, { kind: "stays" }>, { spec, hide }: Again): PawlError => {
  const { code, why, next } = failure;
  return new PawlError(code, hide.text(`${subject(spec)}: ${why}`), {
    next: hide.text(next ?? NEXT[code](spec)),
    data: { model: spec.name },
  });
};

const subject = ({ name, provider, model }: ModelSpec): string => `model "${name}" (${provider}/${model})`;

const NEXT: Readonly<Record<FinalCode, (spec: ModelSpec) => string>> = {
  MODEL_KEY_REFUSED: ({ name, keyEnv, provider }) => {
    const variables = keyEnv === null ? HOMES[provider].keyEnvs : [keyEnv];
    return variables.length === 0
      ? `add key_env: NAME to models.${name} in pawl.yaml, the variable with its key; none is sent now.`
      : `look at the key in ${variables.join(" or ")}, and at the account at ${provider}.`;
  },
  MODEL_UNKNOWN: ({ name, provider, model }) =>
    provider === "ollama"
      ? `ollama pull ${model}`
      : `mend models.${name} in pawl.yaml; "${model}" is not there for this key.`,
  MODEL_REFUSED: ({ name }) => `look at models.${name} in pawl.yaml; the provider does not take the request as it is.`,
  MODEL_TOO_LONG: ({ name }) =>
    `set models.${name}.context to what the model takes, so that turns are compacted in time.`,
};

function givenUp(
  failure: Extract<Failure, { kind: "passes" }>,
  { spec, hide, clock, tries, until }: Again & { tries: number; until: Instant },
): PawlError {
  const { limit, why, next } = failure;
  const times = tries === 1 ? "asked once" : `asked ${tries} times`;
  const message = hide.text(`${subject(spec)}: ${why}; ${times}`);
  const usual = limit
    ? `wait ${minutesTo(until, clock.read().wall)}, or use another model.`
    : "look whether the provider has an outage, or use another model.";
  return new PawlError(limit ? "MODEL_RATE_LIMITED" : "MODEL_DOWN", message, {
    next: hide.text(next ?? usual),
    data: { model: spec.name, until, tries },
    retryable: true,
  });
}

/** For people, who are in no time zone that is known here; the time itself is in the error's data. */
function minutesTo(until: Instant, now: number): string {
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000));
  return minutes === 1 ? "a minute" : minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
