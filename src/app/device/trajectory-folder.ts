import { mkdirSync, rmSync } from "node:fs";
import { open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { json, replaceFile } from "../../adapters/agents/files.ts";
import type { TrajectoryFolder } from "../../ports/trajectory-folder.ts";

/** The one file that tells of a run; its pictures lie in `screenshots/` beside it. */
export const TRAJECTORY = "trajectory.json";

/** So many pictures may be on their way to the disk at once. */
const ON_THE_WAY = 3;

/** A run's trajectory in a folder of files (DEV-6.2, 6.3). The folder is made. */
export function trajectoryFolder(path: string): TrajectoryFolder {
  mkdirSync(join(path, "screenshots"), { recursive: true });
  const kept = new Set<string>();
  const writing = new Set<Promise<void>>();
  let fault: unknown = null;
  return {
    path,
    async keep(name, png) {
      if (kept.has(name)) return;
      kept.add(name);
      const written: Promise<void> = writePicture(join(path, name), png)
        .catch((error) => {
          fault ??= error;
        })
        .finally(() => writing.delete(written));
      writing.add(written);
      if (writing.size > ON_THE_WAY) await Promise.race(writing);
    },
    async save(trajectory, embed) {
      await Promise.all(writing);
      if (fault !== null) throw fault;
      if (!embed) return replaceFile(join(path, TRAJECTORY), json(trajectory));
      await replaceEmbedded(path, trajectory as Embedded);
      rmSync(join(path, "screenshots"), { recursive: true, force: true });
    },
  };
}

/** A name that ends in .png is a whole picture, whatever happens meanwhile. */
async function writePicture(path: string, png: Uint8Array): Promise<void> {
  const temp = `${path}.tmp`;
  await writeFile(temp, png);
  await rename(temp, path);
}

interface Embedded {
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

/** The trajectory with its pictures in it, written step by step: all of them at once would not fit into memory. */
async function replaceEmbedded(folder: string, { steps, ...rest }: Embedded): Promise<void> {
  const temp = join(folder, `.${TRAJECTORY}.${process.pid}.tmp`);
  const file = await open(temp, "w");
  try {
    const head = JSON.stringify({ ...rest, screenshots: "base64" }, null, 2).replace(/\n\}$/, "");
    await file.write(`${head},\n  "steps": [`);
    for (const [at, step] of steps.entries())
      await file.write(`${at === 0 ? "" : ","}\n    ${JSON.stringify(await withPictures(folder, step))}`);
    await file.write("\n  ]\n}\n");
    await file.sync();
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(temp, join(folder, TRAJECTORY));
  const parent = await open(dirname(join(folder, TRAJECTORY)), "r");
  await parent.sync().finally(() => parent.close());
}

async function withPictures(
  folder: string,
  step: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const whole: Record<string, unknown> = { ...step };
  for (const key of ["screenshot", "screenshot_after"])
    if (typeof step[key] === "string") whole[key] = (await readFile(join(folder, step[key]))).toString("base64");
  return whole;
}
