import { setTimeout as pause } from "node:timers/promises";
import type { Phone } from "./phone.ts";
import type { Program, Terminal } from "./shell.ts";

/** `input`, `ime`, and the broadcasts that a keyboard hears. What is said on errors is from public captures, named there. */
export const INPUT_PROGRAMS: Readonly<Record<string, Program>> = {
  input: async (args, terminal) => {
    const { faults } = terminal.phone;
    const fault = faults.take("input");
    if (fault?.kind === "refused") return say(terminal, fault.said, fault.code);
    if (fault?.kind === "slow") await pause(fault.ms, undefined, { signal: terminal.gone }).catch(() => {});
    if (terminal.gone.aborted) return 1;
    const words = args[0] === "-d" ? args.slice(2) : args[0] === "touchscreen" ? args.slice(1) : args;
    const code = await act(words, terminal, fault?.kind === "loses" ? fault.every : null);
    if (fault?.kind === "silent") faults.hush();
    if (fault?.kind === "cut") terminal.phone.cut?.(fault.ms);
    return code;
  },
  ime: async ([act = "", ...args], terminal) => {
    const { keyboards, faults } = terminal.phone;
    const fault = faults.take("ime");
    if (fault?.kind === "refused") return say(terminal, fault.said, fault.code);
    if (act === "list") return list(args, terminal);
    const [id = ""] = args;
    const done = { enable: "enabled", set: "selected", disable: "disabled" }[act] ?? "handled";
    if (!keyboards.knows(id)) return say(terminal, `Unknown input method ${id} cannot be ${done} for user #0`, 255);
    if (act === "set" && !keyboards.enabled.includes(id))
      return say(terminal, `Unknown input method ${id} cannot be selected for user #0`, 255);
    if (act === "enable") keyboards.enable(id);
    if (act === "set") keyboards.choose(id);
    if (act === "disable") keyboards.disable(id);
    await terminal.out(`Input method ${id}: now ${done} for user #0\n`);
    return 0;
  },
};

async function list(args: readonly string[], terminal: Terminal): Promise<number> {
  const { keyboards } = terminal.phone;
  // github.com/zai-org/Open-AutoGLM issue 228: a vendor's system
  if (keyboards.isListForbidden)
    return say(terminal, "Exception occurred while executing 'list':\njava.lang.SecurityException: not allowed", 255);
  const ids = args.includes("-a") ? keyboards.installed : keyboards.enabled;
  await terminal.out(ids.map((id) => `${id}\n`).join(""));
  return 0;
}

async function act([kind, ...args]: readonly string[], terminal: Terminal, loses: number | null): Promise<number> {
  const { phone } = terminal;
  const numbers = args.map(Number);
  if (kind === "tap" && numbers.length === 2) {
    const at = numbers as [number, number];
    phone.tap(...at);
    await phone.live?.touch(at, at, 0, terminal.gone);
    return 0;
  }
  if (kind === "swipe" && numbers.length >= 4) return swipe(phone, numbers, terminal.gone);
  if (kind === "keyevent" && args.length > 0) {
    for (const key of args) {
      phone.key(KEYS[key] ?? key);
      await phone.live?.key(KEYS[key] ?? key);
    }
    return 0;
  }
  if (kind === "text" && args.length > 0) return text(args[0]!, terminal, loses);
  return say(terminal, `Error: Invalid arguments for command: ${kind}`, 255);
}
const KEYS: Readonly<Record<string, string>> = {
  "3": "KEYCODE_HOME",
  "4": "KEYCODE_BACK",
  "66": "KEYCODE_ENTER",
  "187": "KEYCODE_APP_SWITCH",
};

async function swipe(phone: Phone, [x1, y1, x2, y2, ms = 300]: readonly number[], gone: AbortSignal): Promise<number> {
  if (phone.live) await phone.live.touch([x1!, y1!], [x2!, y2!], ms, gone);
  else await pause(ms, undefined, { signal: gone }).catch(() => {});
  if (gone.aborted) return 1;
  phone.swipe([x1!, y1!], [x2!, y2!], ms);
  return 0;
}

/** `%s` is a space; what no key of the keyboard types is a NullPointerException (mobile-next/mobile-mcp issue 78). */
async function text(given: string, terminal: Terminal, loses: number | null): Promise<number> {
  if (/[^\x20-\x7e]/.test(given))
    return say(
      terminal,
      "Exception occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length of null array",
      255,
    );
  const keys = given.replaceAll("%s", " ");
  const typed = loses === null || keys.length <= loses ? keys : [...keys].filter((_, i) => (i + 1) % loses).join("");
  terminal.phone.text(typed);
  await terminal.phone.live?.text(typed);
  return 0;
}

async function say(terminal: Terminal, said: string, code: number): Promise<number> {
  await terminal.err(`${said}\n`);
  return code;
}
