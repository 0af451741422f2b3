import { isTerminal, type Task } from "../../domain/task.ts";

/** A picked-up task that is still to be worked on: it is not at its end, has chores open, or is not synced yet. */
export const isBusy = (task: Task): boolean =>
  !isTerminal(task) || task.chores.length > 0 || (task.status === "completed" && !task.synced);
