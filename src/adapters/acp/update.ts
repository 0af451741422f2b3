/** What an agent says of its work, as far as it concerns us (ACP's session/update). */
export type Update =
  | { readonly kind: "message" | "thought" | "prompt"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly title: string | null;
      /** read, edit, delete, move, search, execute, think, fetch, switch_mode, other */
      readonly does: string | null;
      /** pending, in_progress, completed, failed */
      readonly status: string | null;
      readonly diffs: readonly { readonly path: string; readonly lines: number }[];
    }
  | { readonly kind: "plan"; readonly entries: readonly PlanEntry[] }
  /** tokens in the context now, and how many fit; costUsd: of the session so far */
  | { readonly kind: "usage"; readonly used: number; readonly size: number; readonly costUsd: number | null }
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "other"; readonly name: string };

export interface PlanEntry {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/**
 * Reads the params of a session/update; null: it is none. By hand and lenient: what a newer agent adds must not cost what
 * it says beside it, and this is done for each piece of each answer.
 */
export function readUpdate(params: unknown): { readonly session: string; readonly update: Update } | null {
  const { sessionId, update } = objectOf(params);
  if (typeof sessionId !== "string") return null;
  const of = objectOf(update);
  return typeof of.sessionUpdate === "string" ? { session: sessionId, update: read(of.sessionUpdate, of) } : null;
}

function read(name: string, of: Readonly<Record<string, unknown>>): Update {
  switch (name) {
    case "agent_message_chunk":
      return { kind: "message", text: textIn(of.content) };
    case "agent_thought_chunk":
      return { kind: "thought", text: textIn(of.content) };
    case "user_message_chunk":
      return { kind: "prompt", text: textIn(of.content) };
    case "tool_call":
    case "tool_call_update":
      return toolIn(of);
    case "plan":
      return { kind: "plan", entries: listOf(of.entries).map(entryIn) };
    case "usage_update":
      return usageIn(of);
    case "notice":
      return { kind: "notice", text: [wordOf(of.title), wordOf(of.description)].filter(Boolean).join(": ") };
    default:
      return { kind: "other", name };
  }
}

function toolIn({ toolCallId, title, kind, status, content }: Readonly<Record<string, unknown>>): Update {
  const diffs = listOf(content)
    .map(objectOf)
    .filter(({ type, path }) => type === "diff" && typeof path === "string")
    .map(({ path, newText }) => ({ path: String(path), lines: wordOf(newText)?.split("\n").length ?? 0 }));
  return {
    kind: "tool",
    id: String(toolCallId ?? ""),
    title: wordOf(title),
    does: wordOf(kind),
    status: wordOf(status),
    diffs,
  };
}

function entryIn(entry: unknown): PlanEntry {
  const { content, status } = objectOf(entry);
  const isKnown = status === "in_progress" || status === "completed";
  return { text: wordOf(content) ?? "", status: isKnown ? status : "pending" };
}

function usageIn({ used, size, cost }: Readonly<Record<string, unknown>>): Update {
  const { amount, currency } = objectOf(cost);
  const costUsd = typeof amount === "number" && amount >= 0 && currency === "USD" ? amount : null;
  return { kind: "usage", used: numberOf(used), size: numberOf(size), costUsd };
}

function textIn(content: unknown): string {
  const { type, text, uri } = objectOf(content);
  return wordOf(text) ?? (type === "text" ? "" : `[${wordOf(type) ?? "something"}${uri ? ` ${String(uri)}` : ""}]`);
}

export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const wordOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
