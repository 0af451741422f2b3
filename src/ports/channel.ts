import type { EffectResult } from "../domain/input.ts";
import type { NoticeEvent } from "../domain/intent.ts";
import type { EffectKey, TaskId } from "../domain/names.ts";
import type { Permit } from "./permit.ts";

export interface Notice {
  /** the same notice has the same key, for ever */
  readonly key: EffectKey;
  readonly task: TaskId;
  readonly event: NoticeEvent;
  readonly text: string;
}

/** Tells a person. Contract: at least once; repeated, with the same key, only when a crash fell between sending and recording. */
export interface Channel {
  notify(notice: Notice, permit: Permit): Promise<EffectResult>;
}
