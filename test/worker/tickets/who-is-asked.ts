/** Who a request is for, by what its system text says. */
export const isPlannerText = (system: string): boolean => system.includes("You are the planner");
export const typeIn = (system: string): string => /\n\n([a-z_]+): /.exec(system)?.[1] ?? "";
