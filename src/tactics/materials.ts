import type { Pattern } from "./pattern.ts";
import type { Recipe } from "./recipe.ts";

/** The data that a mind works with: none of it is code, and a user's own comes before what is shipped. */
export interface Materials {
  /** task types by name */
  readonly patterns: ReadonlyMap<string, Pattern>;
  /** by name: planner, task_executor, compaction */
  readonly recipes: ReadonlyMap<string, Recipe>;
  /** texts by path, like prompts/planner.md */
  readonly prompts: ReadonlyMap<string, string>;
}
