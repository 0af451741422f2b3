import { relative } from "node:path";
import type { Task } from "../domain/task.ts";
import { nearest } from "./config/nearest.ts";

/** What has to be known to say why a file in an inbox is no answer. */
export interface Around {
  readonly repo: string;
  readonly inbox: string;
  /** tasks that wait for a person */
  readonly asking: readonly string[];
  statusOf(id: string): Task["status"] | null;
}

const VERDICTS = ["approve", "reject"];

/** Why a file in the inbox is not read, and which name would be; null: it may be another signal's, or it is early. */
export function whyLeft(name: string, { repo, inbox, asking, statusOf }: Around): string | null {
  const [, task = "", verdict = ""] = /^(.*)\.(approve|reject)$/.exec(name) ?? [];
  const place = `${relative(repo, inbox) || inbox}/${name}`;
  if (verdict === "") return `${place} is not read: an answer is called ${meant(name, asking)}`;
  const status = statusOf(task);
  if (status === "in-progress" || status === "not-started")
    return asking.includes(task) ? null : `${place} lies there until ${task} waits for an answer`;
  if (status !== null) return `${place} is not read: ${task} is ${status}`;
  const near = nearest(task, asking);
  return `${place} is not read: no task is called ${task}${near === null ? "" : `; write ${near}.${verdict}`}`;
}

/** `task-1.aprove` is meant as `task-1.approve`; of anything else both names are said. */
function meant(name: string, asking: readonly string[]): string {
  const names = asking.flatMap((id) => VERDICTS.map((verdict) => `${id}.${verdict}`));
  const near = nearest(name.replace(/\.(txt|md)$/i, ""), names);
  if (near !== null) return near;
  const id = asking[0] ?? "TASK";
  return `${id}.approve or ${id}.reject`;
}
