import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Files } from "../../src/ports/files.ts";
import { scratch } from "../support/scratch.ts";

const MOST = 1_000;
const making = (text: string) => ({ bytes: Buffer.from(text), mode: null, isExecutable: false, owner: null });
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
  return "nothing";
};

/** What every port to files does, shown on a real folder. */
export function filesContract(label: string, files: Files): void {
  describe(`files: ${label}`, () => {
    it("reads a file with its bits and names, and says what else is there instead", () => {
      const folder = scratch();
      const path = (name: string) => join(folder, name);
      writeFileSync(path("a"), Buffer.from([0, 255, 10]));
      chmodSync(path("a"), 0o640);
      linkSync(path("a"), path("b"));
      symlinkSync("a", path("link"));
      symlinkSync("nowhere", path("dangling"));
      mkdirSync(path("folder"));
      writeFileSync(path("big"), "x".repeat(MOST + 1));
      const found = files.read(path("a"), MOST);
      expect(found).toMatchObject({ kind: "file", mode: 0o640, links: 2, uid: statSync(path("a")).uid });
      expect(found.kind === "file" && [...found.bytes]).toEqual([0, 255, 10]);
      const kinds = ["link", "dangling", "folder", "big", "none", "a/b"].map(
        (name) => files.read(path(name), MOST).kind,
      );
      expect(kinds).toEqual(["link", "link", "folder", "too-big", "none", "none"]);
      expect([...files.list(folder)].sort()).toEqual(["a", "b", "big", "dangling", "folder", "link"]);
      expect(files.list(path("none"))).toEqual([]);
    });

    it("says what is at a path without its bytes, and sets the bits of a file, through no link", () => {
      const folder = scratch();
      const path = (name: string) => join(folder, name);
      writeFileSync(path("a"), "text");
      symlinkSync("a", path("link"));
      mkdirSync(path("folder"));
      const before = files.stat(path("a")).changedMs;
      expect(Math.abs(before - Date.now())).toBeLessThan(60_000);
      files.chmod(path("a"), 0o604);
      expect(files.stat(path("a"))).toMatchObject({ kind: "file", mode: 0o604 });
      expect(files.stat(path("a")).changedMs).toBeGreaterThanOrEqual(before);
      expect(["link", "folder", "none", "a/b"].map((name) => files.stat(path(name)).kind)).toEqual([
        "link",
        "folder",
        "none",
        "none",
      ]);
      expect([codeOf(() => files.chmod(path("link"), 0o777)), files.stat(path("a")).mode]).toEqual(["ELOOP", 0o604]);
      expect(codeOf(() => files.chmod(path("none"), 0o777))).toBe("ENOENT");
    });

    it("says where a path leads, and what of it is not there", () => {
      const folder = scratch();
      mkdirSync(join(folder, "real"));
      writeFileSync(join(folder, "file"), "");
      symlinkSync("real", join(folder, "link"));
      symlinkSync("nowhere", join(folder, "dangling"));
      symlinkSync("circle", join(folder, "circle"));
      const at = (path: string) => files.resolve(join(folder, path));
      const real = join(folder, "real");
      expect(at("link")).toEqual({ real, missing: [], kind: "folder", isDangling: false });
      expect(at("link/x/y")).toEqual({ real, missing: ["x", "y"], kind: "folder", isDangling: false });
      expect(at("file/x")).toMatchObject({ real: join(folder, "file"), missing: ["x"], kind: "other" });
      expect(at("dangling/x")).toEqual({ real: folder, missing: ["dangling", "x"], kind: "folder", isDangling: true });
      expect(at("circle")).toMatchObject({ missing: ["circle"], isDangling: true });
    });

    it("makes a file where nothing is, with its bits, and follows no link", () => {
      const folder = scratch();
      symlinkSync("made-by-link", join(folder, "link"));
      files.make(join(folder, "a"), making("text"));
      files.make(join(folder, "b"), { ...making(""), mode: 0o471 });
      files.make(join(folder, "c"), { ...making(""), isExecutable: true });
      const modes = ["a", "b", "c"].map((name) => statSync(join(folder, name)).mode & 0o777);
      expect(modes).toEqual([0o644 & ~process.umask(), 0o471, 0o755 & ~process.umask()]);
      expect(readFileSync(join(folder, "a"), "utf8")).toBe("text");
      for (const name of ["a", "link"]) expect(codeOf(() => files.make(join(folder, name), making("")))).toBe("EEXIST");
      expect(codeOf(() => files.make(join(folder, "none/x"), making("")))).toBe("ENOENT");
      expect(readdirSync(folder).sort()).toEqual(["a", "b", "c", "link"]);
    });

    it("renames over a file, and takes away files and empty folders", async () => {
      const folder = scratch();
      const path = (name: string) => join(folder, name);
      for (const name of ["a", "b"]) files.make(path(name), making(name));
      files.rename(path("a"), path("b"));
      expect(readFileSync(path("b"), "utf8")).toBe("a");
      files.mkdir(path("d"));
      expect(codeOf(() => files.mkdir(path("d")))).toBe("EEXIST");
      files.make(path("d/x"), making(""));
      expect(codeOf(() => files.rmdir(path("d")))).toBe("ENOTEMPTY");
      await files.flush([path("d/x"), path("d"), folder]);
      files.unlink(path("d/x"));
      files.rmdir(path("d"));
      expect(readdirSync(folder)).toEqual(["b"]);
      expect(codeOf(() => files.unlink(path("d/x")))).toBe("ENOENT");
      await expect(files.flush([path("d")])).rejects.toThrow("ENOENT");
    });
  });
}
