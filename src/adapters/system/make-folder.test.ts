import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { makeFolder } from "./make-folder.ts";

test("folders are made with those above them, and made again for nothing", () => {
  const folder = join(scratch(), "a/b");
  makeFolder(folder);
  makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

// were it asked for without that, this process would never come back
test.skipIf(process.platform !== "linux")("where the kernel makes none, that is said at once", () => {
  for (const path of ["/proc/pawl/a", "/proc/self/fd/pawl/a", "/sys/pawl/a"])
    expect(() => makeFolder(path)).toThrow(expect.objectContaining({ code: "EACCES", path, syscall: "mkdir" }));
});
