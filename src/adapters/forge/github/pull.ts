import type { Commit } from "../../../domain/names.ts";
import type { FarPull } from "../remote/api.ts";
import { listOf, shapeOf, text, textOr } from "../remote/json.ts";

/** A pull request as `GET pulls` and `GET pulls/N` give it. `head.repo` is null where a fork is gone: nothing reads it. */
export function pullOf(value: unknown): FarPull {
  const pull = shapeOf(value, "pull request");
  const head = shapeOf(pull.head, "head");
  const isMerged = typeof pull.merged_at === "string";
  return {
    number: Number(pull.number),
    url: text(pull.html_url, "html_url"),
    id: text(pull.node_id, "node_id"),
    state: isMerged ? "merged" : pull.state === "closed" ? "closed" : pull.draft === true ? "draft" : "open",
    branch: text(head.ref, "head.ref"),
    base: text(shapeOf(pull.base, "base").ref, "base.ref"),
    head: text(head.sha, "head.sha") as Commit,
    // of one that is open it is a merge that GitHub tries for itself
    merged: isMerged ? (textOr(pull.merge_commit_sha, null) as Commit | null) : null,
    body: textOr(pull.body, ""),
    labels: listOf(pull.labels).map((label) => textOr(shapeOf(label, "label").name, "")),
  };
}

/** From a branch of the repository itself, and not of a fork that has one of the same name. */
export function isOwn(value: unknown, owner: string): boolean {
  const { label } = shapeOf(shapeOf(value, "pull request").head, "head");
  return textOr(label, "").toLowerCase().startsWith(`${owner.toLowerCase()}:`);
}
