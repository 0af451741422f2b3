/** The files of a device, by absolute path. Folders are there when something lies in them. */
export class DeviceFiles {
  readonly #files = new Map<string, { data: Buffer; mode: number; mtime: number }>();

  write(path: string, data: Buffer, mode = 0o644, mtime = Math.floor(Date.now() / 1000)): void {
    this.#files.set(path, { data, mode, mtime });
  }
  read(path: string): Buffer | null {
    return this.#files.get(path)?.data ?? null;
  }
  remove(path: string): boolean {
    return this.#files.delete(path);
  }
  /** of a folder: mode 040755; null: nothing there */
  stat(path: string): { mode: number; size: number; mtime: number } | null {
    const file = this.#files.get(path);
    if (file) return { mode: 0o100000 | file.mode, size: file.data.length, mtime: file.mtime };
    const folder = path.replace(/\/+$/, "");
    const isFolder = ALWAYS.includes(folder) || [...this.#files.keys()].some((each) => each.startsWith(`${folder}/`));
    return isFolder ? { mode: 0o040755, size: 4096, mtime: 0 } : null;
  }
  list(folder: string): readonly string[] {
    const under = `${folder.replace(/\/+$/, "")}/`;
    const inside = [...this.#files.keys()].filter((path) => path.startsWith(under));
    return [...new Set(inside.map((path) => path.slice(under.length).split("/")[0]!))].sort();
  }
}
const ALWAYS = ["", "/sdcard", "/data/local/tmp"];
