import { setTimeout as pause } from "node:timers/promises";
import { APP_PROGRAMS } from "./programs-apps.ts";
import { INPUT_PROGRAMS } from "./programs-input.ts";
import { SCREEN_PROGRAMS } from "./programs-screen.ts";
import type { Program } from "./shell.ts";

/** Programs for files and for scripts. */
const PLAIN: Readonly<Record<string, Program>> = {
  true: () => 0,
  false: () => 1,
  exit: ([code = "0"]) => Number(code),
  echo: async (args, { out }) => {
    await out(`${args.join(" ")}\n`);
    return 0;
  },
  sleep: async ([seconds = "0"], { gone }) => {
    await pause(Number(seconds) * 1000, undefined, { signal: gone }).catch(() => {});
    return 0;
  },
  cat: async (paths, { phone, out, err }) => {
    for (const path of paths) {
      const data = phone.files.read(path);
      if (data === null) {
        await err(`cat: ${path}: No such file or directory\n`);
        return 1;
      }
      await out(data);
    }
    return 0;
  },
  rm: async (args, { phone, err }) => {
    const missing = args.filter((path) => !path.startsWith("-") && !phone.files.remove(path));
    if (missing.length === 0 || args.includes("-f")) return 0;
    await err(`rm: ${missing[0]}: No such file or directory\n`);
    return 1;
  },
  ls: async ([folder = "/"], { phone, out }) => {
    for (const name of phone.files.list(folder)) await out(`${name}\n`);
    return 0;
  },
  getprop: async ([name], { phone, out }) => {
    const all = Object.entries(phone.props).map(([key, value]) => `[${key}]: [${value}]`);
    await out(name === undefined ? `${all.join("\n")}\n` : `${phone.props[name] ?? ""}\n`);
    return 0;
  },
};

/** What the device can run, by name; each waits for its latency first. */
export const PROGRAMS: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries({ ...PLAIN, ...INPUT_PROGRAMS, ...SCREEN_PROGRAMS, ...APP_PROGRAMS }).map(([name, program]) => [
    name,
    async (args: readonly string[], terminal: Parameters<Program>[1]) => {
      const { latencyMs } = terminal.phone.faults;
      if (latencyMs > 0) await pause(latencyMs, undefined, { signal: terminal.gone }).catch(() => {});
      return program(args, terminal);
    },
  ]),
);
