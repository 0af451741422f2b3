import { setTimeout as pause } from "node:timers/promises";
import { PNG } from "pngjs";
import { hierarchyOf } from "./hierarchy.ts";
import type { Phone, Size } from "./phone.ts";
import type { Program } from "./shell.ts";

/** What shows the screen and tells of it. */
export const SCREEN_PROGRAMS: Readonly<Record<string, Program>> = {
  screencap: async (args, terminal) => {
    const { phone, out, err } = terminal;
    const fault = phone.faults.take("screencap");
    if (fault?.kind === "refused") {
      await err(`${fault.said}\n`);
      return fault.code;
    }
    if (fault?.kind === "slow") await pause(fault.ms, undefined, { signal: terminal.gone }).catch(() => {});
    const at = args.indexOf("-d");
    const display = at < 0 ? null : args[at + 1]!;
    if (display !== null && !phone.displays.includes(display)) {
      await err(`Failed to get display id: ${display}\n`);
      return 1;
    }
    if (fault?.kind === "banner") await out(fault.said);
    if (display === null && phone.displays.length > 1) await out(MANY_DISPLAYS);
    await out(await picture(phone, fault?.kind ?? null));
    if (fault?.kind === "silent") phone.faults.hush();
    if (fault?.kind === "cut") phone.cut?.(fault.ms);
    return 0;
  },
  uiautomator: async ([act, ...args], terminal) => {
    const { phone, out, err } = terminal;
    const fault = phone.faults.take("uiautomator");
    if (fault?.kind === "slow") await pause(fault.ms, undefined, { signal: terminal.gone }).catch(() => {});
    if (fault?.kind === "refused") {
      if (fault.said !== "") await err(`${fault.said}\n`);
      return fault.code;
    }
    if (act !== "dump" || terminal.gone.aborted) return 1;
    const path = args.find((arg) => !arg.startsWith("-")) ?? "/sdcard/window_dump.xml";
    const xml = phone.live ? await phone.live.hierarchy() : hierarchyOf(phone);
    if (path === "/dev/tty") await out(xml);
    else phone.files.write(path, Buffer.from(fault?.kind === "short" ? xml.slice(0, xml.length / 2) : xml));
    // the misspelling is Android's
    await out(`UI hierchary dumped to: ${path}\n`);
    return 0;
  },
  wm: async ([what, value], { phone, out, err }) => {
    if (what === "size" && value === undefined) await out(sizes(phone));
    else if (what === "size") phone.override = value === "reset" ? null : sizeOf(value!);
    else if (what === "density") await out(`Physical density: ${phone.density}\n`);
    else {
      await err("Error: unknown command\n");
      return 255;
    }
    return 0;
  },
};

/** as Android 14 writes it before the picture (LmeSzinc/AzurLaneAutoScript issue 4760 and others) */
const MANY_DISPLAYS =
  "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, however this default is not guaranteed to be consistent across captures. A display id should be specified.\n";

const sizes = ({ physical, override }: Phone): string =>
  `Physical size: ${physical.width}x${physical.height}\n${override ? `Override size: ${override.width}x${override.height}\n` : ""}`;

function sizeOf(text: string): Size {
  const [width = 0, height = 0] = text.split("x").map(Number);
  return { width, height };
}

async function picture(phone: Phone, fault: string | null): Promise<Buffer> {
  if (fault === "empty") return Buffer.alloc(0);
  if (fault === "black") return blackPicture(phone.picture);
  const png = phone.live ? await phone.live.png() : phone.png();
  return fault === "short" ? png.subarray(0, png.length / 2) : png;
}

function blackPicture({ width, height }: Size): Buffer {
  const png = new PNG({ width, height });
  png.data = Buffer.alloc(width * height * 4);
  for (let i = 3; i < png.data.length; i += 4) png.data[i] = 255;
  return PNG.sync.write(png, { deflateLevel: 1 });
}
