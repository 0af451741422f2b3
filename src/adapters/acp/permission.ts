import { objectOf } from "./update.ts";

/** What an agent wants to do, by ACP's kinds of tool calls. */
export const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** ask: a person is asked; where nobody answers the work ends as blocked */
export type Leave = "allow" | "reject" | "ask";
export type Permissions = Readonly<Partial<Record<ToolKind, Leave>>>;

/** What is allowed where nothing is said: the worktree is the worker's own, and what it may keep of it is looked at afterwards. */
export const USUAL_PERMISSIONS: Readonly<Record<ToolKind, Leave>> = {
  read: "allow",
  edit: "allow",
  delete: "allow",
  move: "allow",
  search: "allow",
  execute: "allow",
  think: "allow",
  fetch: "allow",
  switch_mode: "reject",
  other: "allow",
};

/** A request for permission, as far as it is understood. */
export interface Wish {
  readonly title: string;
  readonly kind: ToolKind;
  /** absolute paths, or as the agent names them */
  readonly paths: readonly string[];
  readonly options: readonly { readonly id: string; readonly kind: string }[];
}

export interface Answered {
  readonly leave: Leave;
  /** why, where it is no */
  readonly why: string | null;
  /** null: no option says that, so the request is cancelled */
  readonly option: string | null;
}

/** Reads session/request_permission; `known`: the kind of a tool call that was told before, by its id. */
export function readWish(params: unknown, known: (id: string) => string | null): Wish {
  const { toolCall, options } = objectOf(params);
  const { toolCallId, title, kind, locations, content } = objectOf(toolCall);
  const named = typeof kind === "string" ? kind : known(String(toolCallId));
  const places = [...list(locations), ...list(content)].map((one) => objectOf(one).path);
  return {
    title: typeof title === "string" ? title : "something",
    kind: TOOL_KINDS.find((one) => one === named) ?? "other",
    paths: places.filter((path) => typeof path === "string"),
    options: list(options)
      .map(objectOf)
      .filter(({ optionId, kind: of }) => typeof optionId === "string" && typeof of === "string")
      .map(({ optionId, kind: of }) => ({ id: optionId as string, kind: of as string })),
  };
}

/**
 * The answer to a request, by policy. An option is chosen by its kind, never by its id: ids are each agent's own.
 * `barred`: why a path may not be changed; null: it may.
 */
export function answerWish(
  wish: Wish,
  { permissions, barred }: { readonly permissions: Permissions; readonly barred: (path: string) => string | null },
): Answered {
  const outside = CHANGES.has(wish.kind) ? wish.paths.map(barred).find((why) => why !== null) : undefined;
  const leave = outside ? "reject" : (permissions[wish.kind] ?? USUAL_PERMISSIONS[wish.kind]);
  if (leave === "ask") return { leave, why: `${wish.kind} is for a person to allow`, option: null };
  const option = ORDER[leave].map((kind) => wish.options.find((one) => one.kind === kind)).find(Boolean);
  const why = leave === "allow" ? null : (outside ?? `${wish.kind} is not allowed`);
  return { leave, why, option: option?.id ?? null };
}

const CHANGES: ReadonlySet<ToolKind> = new Set(["edit", "delete", "move"]);
/** Once, where that can be had: what is allowed for ever is not asked about again, and cannot be looked at. */
const ORDER = { allow: ["allow_once", "allow_always"], reject: ["reject_once", "reject_always"] } as const;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
