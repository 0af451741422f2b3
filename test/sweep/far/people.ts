import { setInterval } from "node:timers";
import type { FarForge, Shown } from "./forge.ts";

/** What a map waits for besides a review. */
export const LABEL = "ship";
const EVERY_MS = 50;

/**
 * Somebody who looks at the pull requests every now and then, and judges each head once: by what is in it alone. Says
 * `say more` to task-3 until it does, and puts a label where the map of task-4 wants one.
 */
export const startPeople = (forge: FarForge): NodeJS.Timeout => {
  const seen = new Set<string>();
  return setInterval(() => {
    for (const pull of forge.pulls()) {
      const name = `${pull.number} ${pull.head}`;
      if (pull.state === "merged" || pull.state === "closed" || seen.has(name)) continue;
      seen.add(name);
      judge(forge, pull);
    }
  }, EVERY_MS);
};

function judge(forge: FarForge, { number, branch, head }: Shown): void {
  if (branch === "pawl/task-4") forge.label(number, LABEL);
  else if (branch === "pawl/task-3" && !forge.file(head, "task-3.txt").includes("more"))
    forge.reject(number, "say more");
  else forge.approve(number);
}
