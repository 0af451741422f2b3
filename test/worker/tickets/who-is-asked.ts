const isPlannerText = (system: string): boolean => system.includes("You are the planner");
const typeIn = (system: string): string => /\n\n([a-z_]+): /.exec(system)?.[1] ?? "";

/** Who a request is for: the planner, a reviewer, or the executor of a task type. */
export function askedIn(system: string): string {
  if (isPlannerText(system)) return "planner";
  if (system.startsWith("You read a plan")) return "plan-reviewer";
  return system.startsWith("You read a change") ? "reviewer" : typeIn(system);
}
