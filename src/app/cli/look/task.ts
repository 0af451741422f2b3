import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { Task } from "../../../domain/task.ts";
import { nearestFirst } from "../../config/nearest.ts";
import { brokenFiles } from "./broken-files.ts";
import type { Look } from "./scene.ts";
import { keyOf } from "./store-place.ts";

/** The task of that name. Throws TASK_UNKNOWN: with the file, where only a file of it is there, else with the names that are near. */
export async function taskNamed(id: string, { scene, repo }: Pick<Look, "scene" | "repo">): Promise<Task> {
  const found = scene.tasks.find((task) => task.id === id);
  if (found) return found;
  const file = repo === null ? null : await fileOf(id, repo);
  if (file !== null && (await brokenFiles(repo, scene)).includes(file))
    throw new PawlError("TASK_UNKNOWN", `${id} is in a file that no processor can use (${file})`, {
      next: "pawl validate says what is wrong with it.",
    });
  if (file !== null)
    throw new PawlError("TASK_UNKNOWN", `${id} is only a file so far (${file}): no processor has read it`, {
      next: scene.holder?.alive ? "wait a moment, or see what pawl validate says of it." : "pawl run",
    });
  const near = nearestFirst(
    id,
    scene.tasks.map((task) => task.id),
  ).slice(0, 3);
  throw new PawlError("TASK_UNKNOWN", `no task is called "${id}"`, {
    next: near.length === 0 ? 'pawl add "TITLE"' : `write one of these: ${near.join(", ")}; pawl status shows all.`,
  });
}

/** The task file of that id, from the repository's root; null: there is none. By its name, else by its line `id:`. */
export async function fileOf(id: string, repo: string): Promise<string | null> {
  const folder = (await keyOf(repo, "tasks")) ?? "tasks";
  let names: readonly string[];
  try {
    names = readdirSync(join(repo, folder)).filter((name) => name.endsWith(".md"));
  } catch {
    return null;
  }
  const name = names.find((one) => one === `${id}.md`) ?? names.find((one) => idIn(join(repo, folder, one)) === id);
  return name === undefined ? null : `${folder}/${name}`;
}

function idIn(path: string): string | null {
  try {
    return /^id:\s*["']?([^"'\s#]+)/m.exec(readFileSync(path, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}
