import { PawlError } from "../domain/errors.ts";
import type { BlobHash } from "../domain/names.ts";
import type { Task } from "../domain/task.ts";
import type { Reader } from "../ports/store.ts";
import type { TaskFile } from "../protocol/task-file.ts";

/** Texts that were used lately; the store has them all. */
const KEPT = 256;

/** Blobs and task files by hash, the newest in memory. */
export class Files {
  readonly #store: Pick<Reader, "blob">;
  readonly #bytes = new Map<BlobHash, Uint8Array>();
  readonly #parsed = new Map<BlobHash, TaskFile>();

  constructor(store: Pick<Reader, "blob">) {
    this.#store = store;
  }
  keep(hash: BlobHash, bytes: Uint8Array): void {
    this.#bytes.set(hash, bytes);
    trim(this.#bytes, KEPT);
  }
  async blob(hash: BlobHash): Promise<Uint8Array> {
    const bytes = this.#bytes.get(hash) ?? (await this.#store.blob(hash));
    if (bytes === null)
      throw new PawlError("STORE_CORRUPT", `the store has no text ${hash}, which a row names`, {
        next: "restore the store from a backup",
      });
    return bytes;
  }
  /** the task file that a row was made from */
  async of(task: Task, fresh: ReadonlyMap<BlobHash, Uint8Array>): Promise<TaskFile> {
    const known = this.#parsed.get(task.spec);
    if (known) return known;
    const file = JSON.parse(new TextDecoder().decode(fresh.get(task.spec) ?? (await this.blob(task.spec)))) as TaskFile;
    this.#parsed.set(task.spec, file);
    trim(this.#parsed, KEPT);
    return file;
  }
}

function trim<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
