import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { RunFolder } from "../../ports/run-folder.ts";

/** The files of a run below one folder, which is made where it is not there. */
export function runFolder(path: string): RunFolder {
  mkdirSync(path, { recursive: true });
  const made = new Set([path]);
  /** beside its file, under a name of this process: two of them never write into one */
  const temp = (name: string, text: string): string => {
    const folder = dirname(join(path, name));
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    const at = join(path, `${name}.${process.pid}.tmp`);
    writeFileSync(at, text);
    return at;
  };
  return {
    path,
    replace: (name, text) => renameSync(temp(name, text), join(path, name)),
    create(name, text) {
      const at = temp(name, text);
      try {
        linkSync(at, join(path, name));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
        throw error;
      } finally {
        rmSync(at, { force: true });
      }
    },
    read: (name) => orNull(() => readFileSync(join(path, name), "utf8")),
    list: (folder) => orNull(() => readdirSync(join(path, folder))) ?? [],
    append(name, line) {
      appendFileSync(join(path, name), `${line}\n`);
    },
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
