import { readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Trajectory } from "../../device/trajectory.ts";

/** Gives the bytes of a picture as a trajectory names it; null: its file is not there, or not in the folder. */
export const picturesOf =
  (folder: string, { screenshots }: Pick<Trajectory, "screenshots">) =>
  (named: string): Buffer | null => {
    if (screenshots === "base64") return Buffer.from(named, "base64");
    const path = resolve(folder, named);
    if (!path.startsWith(join(folder, "screenshots") + sep)) return null;
    try {
      return readFileSync(path);
    } catch {
      return null;
    }
  };
