import { create, remove } from "./create-delete.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Operation } from "./operation.ts";
import type { Overlay } from "./overlay.ts";
import { type EditError, errorOf } from "./refusal.ts";
import { update } from "./update.ts";

/** Does one operation after the other to the overlay; what one leaves, the next finds. Gives every fault. */
export function foldOperations(
  operations: readonly Operation[],
  overlay: Overlay,
  knowledge: Knowledge,
): readonly EditError[] {
  const errors: EditError[] = [];
  const failed = new Set<string>();
  for (const operation of operations) {
    // What comes after a fault in the same file would only be told wrongly.
    if (failed.has(operation.path)) continue;
    const faults = attempt(operation.path, () => perform(operation, overlay, knowledge));
    if (faults.length > 0) failed.add(operation.path);
    errors.push(...faults);
  }
  return errors;
}

function attempt(path: string, work: () => readonly EditError[]): readonly EditError[] {
  try {
    return work();
  } catch (error) {
    return [errorOf(error, path)];
  }
}

function perform(operation: Operation, overlay: Overlay, knowledge: Knowledge): readonly EditError[] {
  switch (operation.op) {
    case "update":
      return update(operation, overlay, knowledge);
    case "create":
      create(operation, overlay, knowledge);
      return [];
    case "delete":
      remove(operation, overlay, knowledge);
      return [];
  }
}
