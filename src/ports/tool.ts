/** What came of a call, as the model is told and as it is kept. */
export interface ToolResult {
  readonly ok: boolean;
  /** for the model: bounded, without control characters and secrets */
  readonly text: string;
  /** for what decides: the tool's own shape, JSON */
  readonly data?: unknown;
  /** paths from the checkout's root that are different now */
  readonly changed?: readonly string[];
  /** the machine will not let anything more be done: disk full, worktree gone. Everything else is told to the model */
  readonly fatal?: { readonly code: string; readonly message: string };
}

export interface ToolCallContext {
  readonly signal: AbortSignal;
  /** parts of output, as they come */
  readonly onOutput?: (text: string) => void;
  /** absolute path of a file that the whole output may be kept in; null: not kept */
  readonly logFile: string | null;
}

/**
 * Something that a worker can do.
 *
 * Contract: arguments that do not fit `input` are never run, and the result says which and why. A refusal is a result.
 * `writes: false` changes nothing outside, so it may simply be done again; a call of a tool that writes is recorded
 * before it starts, and what a crash cut off is never repeated without a word.
 */
export interface Tool {
  /** the specification's name, like `file.edit`; a model sees it with `_` for the dot */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object */
  readonly input: Readonly<Record<string, unknown>>;
  readonly writes: boolean;
  run(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolResult>;
}
