import type { Task } from "../../../domain/task.ts";
import type { Posted } from "../../../ports/inbox.ts";
import { oneLine } from "../printable.ts";
import type { Scene } from "./scene.ts";

/** A decision that nobody has answered yet: what was decided, and by whom. */
export interface Noted {
  readonly do: Posted["command"]["do"];
  readonly by: string;
}

/** Decisions about a task (null: about no single one) that no tick has taken yet, oldest first. */
export const notedOf = (id: Task["id"] | null, { requests = [] }: Pick<Scene, "requests">): readonly Noted[] =>
  requests.filter(({ task }) => task === id).map(({ command, by }) => ({ do: command.do, by: oneLine(by) }));

/** `approve by lead@example.org; the next pawl run takes it` */
export function notedText(noted: readonly Noted[], { holder }: Pick<Scene, "holder">): string {
  const said = noted.map((one) => `${one.do} by ${one.by}`).join(", ");
  return `${said}; ${holder?.alive ? `pid ${holder.pid} takes it at its next tick` : "the next pawl run takes it"}`;
}
