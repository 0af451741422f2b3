import { mkdirSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder and those above it; throws what the system says. Node tries for ever below /proc: there it is EACCES at once. */
export function makeFolder(path: string): void {
  const above = isThere(path) ? null : nearestThere(dirname(path));
  if (above !== null && isOfKernel(above)) {
    const error = new Error(`${REFUSED}: the kernel makes no folder in ${above}, mkdir '${path}'`);
    throw Object.assign(error, { code: REFUSED, syscall: "mkdir", path });
  }
  mkdirSync(path, { recursive: true });
}

/** the system's own word */
const REFUSED = "EACCES";

const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
};

function nearestThere(path: string): string {
  return isThere(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}

/** /proc and /sys of Linux. */
const KERNELS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);
export function isOfKernel(path: string): boolean {
  try {
    return process.platform === "linux" && KERNELS.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
