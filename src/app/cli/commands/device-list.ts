import { devicesHere } from "../../../adapters/bridges/adb/devices.ts";
import { adbServerPlace } from "../../../adapters/bridges/adb/server.ts";
import { findBrowser } from "../../../adapters/bridges/browser/find-browser.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { table } from "../printable.ts";

interface Screen {
  readonly target: string;
  readonly state: string;
  readonly text: string;
}

/**
 * `pawl device list`: the screens that are here, and what keeps one from being used. It only looks: no server of adb is
 * started. Exit code 1: none is ready.
 */
export async function run(ctx: Context): Promise<number> {
  const [phones, browser] = [await phonesHere(ctx), browserHere(ctx)];
  const screens = [...phones.screens, ...browser];
  const isReady = screens.some(({ state }) => state === "ready");
  if (ctx.flags.json) ctx.json({ ok: isReady, screens, ...(phones.note ? { note: phones.note } : {}) });
  else {
    if (screens.length > 0) ctx.out(table(screens.map(({ target, state, text }) => [target, state, text])).join("\n"));
    if (phones.note) ctx.say(phones.note);
    if (screens.length === 0) ctx.say("no screen: connect a phone with USB debugging on, or apt install chromium");
  }
  return isReady ? EXIT.done : EXIT.no;
}

async function phonesHere(
  ctx: Context,
): Promise<{ readonly screens: readonly Screen[]; readonly note: string | null }> {
  try {
    const signal = AbortSignal.timeout(LOOK_MS);
    const place = adbServerPlace(ctx.env as NodeJS.ProcessEnv);
    const devices = await devicesHere(place, { signal, withinMs: LOOK_MS });
    if (devices === null)
      return { screens: [], note: `no phones: no adb server runs at ${place.host}:${place.port}; ${START}` };
    const screens = devices.map(({ serial, state, model }) => ({
      target: `adb:${serial}`,
      state: state.kind,
      text: state.kind === "ready" ? (model ?? "") : state.advice,
    }));
    return { screens, note: null };
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return { screens: [], note: `no phones: ${error.message}; ${error.next ?? ""}` };
  }
}
const LOOK_MS = 10_000;
const START = "adb start-server (Debian: apt install adb), then look again";

function browserHere({ env }: Context): readonly Screen[] {
  try {
    return [{ target: "browser:URL", state: "ready", text: findBrowser(env) }];
  } catch {
    return [];
  }
}
