import type { Turn } from "../../ports/model.ts";

export interface WireNames {
  readonly id: (id: string) => string;
  readonly name: (name: string) => string;
}

/**
 * Ids and names of calls as every provider takes them. A model may have called a tool that never was, by a name that no
 * provider accepts in a history; and turns may come from another provider, whose ids look otherwise.
 */
export function wireNames(turns: readonly Turn[]): WireNames {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const turn of turns) {
    if (turn.role !== "assistant") continue;
    for (const { id } of turn.calls) if (!ids.has(id)) ids.set(id, fresh(id, taken));
  }
  return { id: (id) => ids.get(id) ?? clean(id), name: (name) => clean(name) };
}

function fresh(id: string, taken: Set<string>): string {
  const plain = clean(id);
  let one = plain;
  for (let n = 2; taken.has(one); n++) one = `${plain.slice(0, 60)}_${n}`;
  taken.add(one);
  return one;
}

const clean = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unnamed";
