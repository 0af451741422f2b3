import type { Answer, Asked, DialectName, Reply, ReplyCall } from "../../support/model-server/script.ts";
import { askedIn } from "./who-is-asked.ts";

/** What a model says in each role, one after the other, and what goes wrong on the way to the worker. */
export interface Story {
  readonly planner: readonly Record<string, unknown>[];
  /** by task type; `plan` and `report` are task types too */
  readonly executor: Readonly<Record<string, readonly ReplyCall[]>>;
  /** objects that reviewers answer with: of plans, and of changes */
  readonly reviewers?: Readonly<Record<string, readonly object[]>>;
  /** by the number of the request: what it is answered instead, so that it has to be asked again */
  readonly faults: Readonly<Record<number, Reply | "cut">>;
}

/** A script that tells the story: a request that is asked again is answered by the same line of it. */
export function tell(story: Story): (asked: Asked) => Reply {
  const told = new Map<string, number>();
  return (asked) => {
    const who = askedIn(asked.system);
    const at = told.get(who) ?? 0;
    const line = lineOf(story, who, at);
    const fault = story.faults[asked.n];
    if (fault === "cut") return { ...line, cutAfter: 40 };
    if (fault) return fault;
    told.set(who, at + 1);
    return line;
  };
}

function lineOf({ planner, executor, reviewers }: Story, who: string, at: number): Answer {
  const judged = reviewers?.[who]?.[at];
  if (judged) return { text: JSON.stringify(judged) };
  const said = who === "planner" ? planner[at] : executor[who]?.[at];
  if (said === undefined) throw new Error(`the story has no line ${at + 1} for ${who}`);
  return who === "planner"
    ? { text: JSON.stringify({ _type: "PLANNER_DECISION", ...said }) }
    : { calls: [said as ReplyCall] };
}

/** Calls that a model gets wrong, each in its own way, about a file that it may change: none of them may change anything. */
export const mistakes = (path: string): readonly ReplyCall[] => [
  { name: "file_edit", rawArgs: `{"path": "${path}", "old": "` },
  { name: "open_browser", args: { url: "http://example.org" } },
  { name: "file_edit", args: { path, old: "this stands nowhere", new: "x" } },
  { name: "file_write", args: { path: "SECRETS.md", text: "outside of what may be changed\n" } },
];
/** What the model is told of each. */
export const TOLD = [
  "the arguments cannot be read: a text is not closed",
  'there is no tool \\"open_browser\\"',
  "NOT_FOUND",
  "OUT_OF_SCOPE SECRETS.md",
] as const;

/** How a provider is away for a moment. */
export const FAULTS: Story["faults"] = {
  2: { fail: 429, headers: { "retry-after": "0" } },
  4: "cut",
  6: { fail: 500, headers: { "retry-after": "0" } },
};

/** Where each wire format is spoken below the server's address. */
export const PROVIDERS: Readonly<Record<Exclude<DialectName, "google">, string>> = {
  chat: "provider: openai-compatible",
  responses: "provider: openai, api: responses",
  anthropic: "provider: anthropic",
};
