import type { TaskId } from "../domain/names.ts";

/** A task file as it was read, front matter and body; stored whole as a blob (canonical JSON), given to prompts. */
export interface TaskFile {
  readonly id: TaskId;
  /** path from the repository's root, with / */
  readonly path: string;
  readonly title: string;
  readonly body: string;
  readonly type: string | null;
  readonly specification: string | null;
  readonly acceptanceCriteria: readonly { readonly id: string; readonly text: string }[];
  readonly testDelta: {
    readonly add: readonly string[];
    readonly update: readonly string[];
    readonly regression: readonly { readonly name: string; readonly command: string }[];
  };
  readonly authorizedFiles: readonly string[];
  readonly timeoutMinutes: number;
  /** role -> agent name, where this task wants another than pawl.yaml says */
  readonly agents: Readonly<Record<string, string>>;
  readonly environment: string | null;
  readonly labels: readonly string[];
  readonly source: string | null;
  /** wire names of the fields that the file left out and the loader filled */
  readonly filled: readonly string[];
  /** front matter that nobody here knows: kept, and named once */
  readonly extra: Readonly<Record<string, unknown>>;
}
