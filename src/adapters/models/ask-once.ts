import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import type { ModelAnswer, ModelNews, ModelRequest } from "../../ports/model.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { answerOf } from "./answer.ts";
import type { Bounds } from "./bounds.ts";
import { costOf } from "./cost.ts";
import { openDialect } from "./dialect.ts";
import { type Ear, fold, wholeOf } from "./fold.ts";
import { asked, idOf } from "./prompt.ts";
import type { Redactor } from "./secret.ts";
import { sizeOf } from "./size.ts";
import { type Fetch, guarded } from "./wire.ts";

/** All that one try needs. */
export interface To {
  readonly spec: ModelSpec;
  readonly key: string | null;
  readonly hide: Redactor;
  readonly bounds: Bounds;
  readonly maxOutput: number | null;
  readonly clock: Clock;
  readonly fetch: Fetch;
}

export interface Heard {
  readonly signal: AbortSignal;
  readonly news: (news: ModelNews) => void;
}

/** Asks once, and gives the answer without any key in it. Throws AskFailed, or the reason of the signal. */
export async function askOnce(to: To, request: ModelRequest, on: Heard): Promise<ModelAnswer> {
  const { spec, bounds, clock, hide } = to;
  const text = hide.stream();
  const tell = (part: string) => part !== "" && on.news({ kind: "text", text: part });
  let isWriting = false;
  const ear: Ear = {
    text: (part) => tell(text.push(part)),
    writing: () => {
      isWriting = true;
    },
    now: () => clock.read().wall,
  };
  const fetch = guarded({ clock, fetch: to.fetch, boundMs: () => (isWriting ? bounds.quietMs : bounds.thinkingMs) });
  const dialect = await openDialect(spec, { key: to.key, fetch, newId: idsFor(request) });
  const options = { ...asked(spec, request, to), abortSignal: on.signal };
  const given = spec.stream
    ? await fold((await dialect.doStream(options)).stream, ear)
    : wholeOf(await dialect.doGenerate(options));
  tell(text.end());
  const cost = (usage: ModelAnswer["usage"]) => costOf(spec, usage);
  return hide.value(answerOf(given, { of: idOf(spec), asked: sizeOf(request), cost }));
}

/** Ids that no other request of a conversation gives, and the same for the same request: a cassette plays them again. */
function idsFor({ turns }: ModelRequest): () => string {
  let n = 0;
  let of = "";
  return () => {
    of ||= createHash("sha256").update(JSON.stringify(turns)).digest("hex").slice(0, 12);
    return `call_${of}_${++n}`;
  };
}
