import { spawnSync } from "node:child_process";

/** Whether the real adb can be run here. */
export const adbHere = (): boolean => spawnSync("adb", ["version"], { stdio: "ignore", timeout: 10_000 }).status === 0;
