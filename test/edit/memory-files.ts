import type { Files } from "../../src/ports/files.ts";
import type { Root } from "../../src/workspace/edit/locate.ts";

/** A root whose files lie in memory, enough to plan with: nothing can be written. */
export function memoryRoot(files: ReadonlyMap<string, Uint8Array>): Root {
  const nothing = (): never => {
    throw new Error("this is only planned with");
  };
  const port: Files = {
    read: (path) => {
      const bytes = files.get(path.slice("/root/".length));
      return bytes ? { kind: "file", bytes, mode: 0o644, links: 1, uid: 0, gid: 0 } : { kind: "none" };
    },
    stat: nothing,
    resolve: (path) => ({ real: path, missing: [], kind: "folder", isDangling: false }),
    list: () => [],
    make: nothing,
    rename: nothing,
    unlink: nothing,
    chmod: nothing,
    mkdir: nothing,
    rmdir: nothing,
    flush: nothing,
  };
  return { files: port, path: "/root", scope: () => null, journalDir: "/journals" };
}
