import { PawlError } from "../../../domain/errors.ts";
import type { Bridge, BridgeState, Frame, Point } from "../../../ports/bridge.ts";
import { act } from "./calls.ts";
import { type Captured, capture, mainDisplay, type TouchSize } from "./capture.ts";
import { chooseSerial, goneState, isNetworked, listAdbDevices } from "./devices.ts";
import { type KeyboardBefore, leftBehind } from "./keyboard.ts";
import { openApp } from "./open-app.ts";
import { awaitDevice, awaitShell } from "./reconnect.ts";
import { type AdbServerPlace, adbServerPlace } from "./server.ts";
import { openShell, type Shell } from "./shell.ts";
import { touchPoint } from "./touch.ts";
import { treeOf } from "./tree.ts";
import { Typist } from "./typing.ts";

export interface AdbBridgeOptions {
  /** adb:SERIAL; adb alone: ANDROID_SERIAL, or the only device that is ready */
  readonly target: string;
  readonly signal: AbortSignal;
  /** where the server is looked for, and what it is started with; process.env */
  readonly env?: NodeJS.ProcessEnv;
  /** ms that a command of the device may take beyond what it was asked to take; 10000 */
  readonly commandMs?: number;
  /** ms that a tree may take, with all tries; 3000 */
  readonly treeMs?: number;
  /** takes the phone before anything is done there, or throws; what it gives is called when the bridge is closed */
  readonly claim?: (phone: AdbServerPlace & { readonly serial: string }) => Promise<() => void>;
}

/**
 * A bridge to an Android device through the adb server of this machine, which is started where none runs. Commands are
 * calls to the server, not processes. Nothing is changed on the device but, when text needs it, its keyboard, until
 * `close`, which also gives back what a killed process left chosen. Throws SCREEN_UNCHOSEN (none named, and not just one there), SCREEN_GONE (not there, or not ready; says what to
 * do), ADB_MISSING, CANCELLED, and what `claim` throws. Source: device-executor.md; architecture 11.
 */
export async function openAdbBridge(options: AdbBridgeOptions): Promise<Bridge> {
  const { target, signal, env = process.env, commandMs = 10_000, treeMs = 3_000 } = options;
  const place = adbServerPlace(env);
  const devices = await listAdbDevices(place, { signal, withinMs: commandMs }, env);
  const serial = chooseSerial(target, devices, env);
  const known = devices.find((device) => device.serial === serial)?.state;
  // one in the network is called by its name; one that just comes is not ready at once
  const comes = known?.kind !== "ready" && (known !== undefined || isNetworked(serial));
  const state = comes
    ? await awaitDevice(place, serial, { signal, withinMs: MOMENT_MS, env })
    : (known ?? goneState(serial));
  if (state.kind !== "ready")
    throw new PawlError("SCREEN_GONE", `${serial} is ${state.kind}`, { next: state.advice, retryable: true });
  const free = (await options.claim?.({ ...place, serial })) ?? (() => {});
  try {
    const bounds = { signal, withinMs: commandMs };
    const shell = await openShell(place, serial, bounds);
    const left = await leftBehind(shell, bounds).catch(orCancelled);
    return new AdbBridge({ shell, env, place, commandMs, treeMs, free, left });
  } catch (error) {
    free();
    throw error;
  }
}

const MOMENT_MS = 2_000;

/** What cannot be looked up now shows itself at the first picture. */
function orCancelled(error: unknown): null {
  if (error instanceof PawlError && error.code === "CANCELLED") throw error;
  return null;
}

interface Parts {
  readonly shell: Shell;
  readonly env: NodeJS.ProcessEnv;
  readonly place: AdbServerPlace;
  readonly commandMs: number;
  readonly treeMs: number;
  readonly free: () => void;
  readonly left: KeyboardBefore | null;
}

class AdbBridge implements Bridge {
  readonly target: string;
  readonly abilities = { tree: true, recent: true, reconnects: true };
  readonly #parts: Parts;
  readonly #typist: Typist;
  /** what `input` counted in when each frame was taken; frames of somebody else are taken for the newest */
  readonly #touch = new WeakMap<Frame, TouchSize>();
  #newest: Captured | null = null;
  #shell: Shell;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#shell = parts.shell;
    this.#typist = new Typist(parts.left);
    this.target = `adb:${parts.shell.serial}`;
  }

  async capture(signal: AbortSignal): Promise<Frame> {
    let taken = await capture(this.#shell, await this.#display(signal), this.#within(signal));
    if (taken.hasDisplays && !this.#newest?.hasDisplays) {
      const display = await mainDisplay(this.#shell, this.#within(signal));
      if (display !== null)
        taken = { ...(await capture(this.#shell, display, this.#within(signal))), hasDisplays: true };
    }
    this.#newest = { ...taken, hasDisplays: taken.hasDisplays || this.#newest?.hasDisplays === true };
    this.#touch.set(taken.frame, taken.touch);
    return taken.frame;
  }

  tree(frame: Frame, signal: AbortSignal) {
    return treeOf(this.#shell, { frame, touch: this.#touchOf(frame) }, { signal, withinMs: this.#parts.treeMs });
  }

  async tap(at: Point, frame: Frame, signal: AbortSignal): Promise<void> {
    await this.#do(`input tap ${this.#place(at, frame)}`, signal);
  }

  async doubleTap(at: Point, frame: Frame, signal: AbortSignal): Promise<void> {
    const tap = `input tap ${this.#place(at, frame)}`;
    await this.#do(`${tap} && ${tap}`, signal);
  }

  longPress(at: Point, ms: number, frame: Frame, signal: AbortSignal): Promise<void> {
    return this.swipe(at, at, ms, frame, signal);
  }

  async swipe(from: Point, to: Point, ms: number, frame: Frame, signal: AbortSignal): Promise<void> {
    const line = `input swipe ${this.#place(from, frame)} ${this.#place(to, frame)} ${Math.round(ms)}`;
    await act(this.#shell, line, { signal, withinMs: this.#parts.commandMs + ms });
  }

  type(text: string, signal: AbortSignal): Promise<void> {
    return this.#typist.type(this.#shell, text, this.#within(signal));
  }

  back = (signal: AbortSignal): Promise<void> => this.#do("input keyevent KEYCODE_BACK", signal);
  home = (signal: AbortSignal): Promise<void> => this.#do("input keyevent KEYCODE_HOME", signal);
  recent = (signal: AbortSignal): Promise<void> => this.#do("input keyevent KEYCODE_APP_SWITCH", signal);
  enter = (signal: AbortSignal): Promise<void> => this.#do("input keyevent KEYCODE_ENTER", signal);

  open(app: string, signal: AbortSignal): Promise<void> {
    return openApp(this.#shell, app, this.#within(signal));
  }

  async state(signal: AbortSignal): Promise<BridgeState> {
    const { place, commandMs, env } = this.#parts;
    const devices = await listAdbDevices(place, { signal, withinMs: commandMs }, env);
    return devices.find(({ serial }) => serial === this.#shell.serial)?.state ?? goneState(this.#shell.serial);
  }

  /** A device that comes back may have another system: what it can do is asked anew. */
  async reconnect(withinMs: number, signal: AbortSignal): Promise<BridgeState> {
    const { place, env } = this.#parts;
    const { state, shell } = await awaitShell(place, this.#shell.serial, { signal, withinMs, env });
    if (shell !== null) this.#shell = shell;
    return state;
  }

  async close(): Promise<void> {
    try {
      await this.#typist.restore(this.#shell, this.#within(new AbortController().signal));
    } finally {
      this.#parts.free();
    }
  }

  /** With several panels: which of them is in use is asked before each picture, as phones are folded. */
  async #display(signal: AbortSignal): Promise<string | null> {
    return this.#newest?.hasDisplays ? mainDisplay(this.#shell, this.#within(signal)) : null;
  }

  #place(at: Point, frame: Frame): string {
    return touchPoint(at, frame, this.#touchOf(frame));
  }

  #touchOf(frame: Frame): TouchSize {
    const newest = this.#newest;
    const isLikeNewest = newest?.frame.width === frame.width && newest.frame.height === frame.height;
    return this.#touch.get(frame) ?? (isLikeNewest ? newest.touch : frame);
  }

  async #do(line: string, signal: AbortSignal): Promise<void> {
    await act(this.#shell, line, this.#within(signal));
  }

  #within(signal: AbortSignal): { signal: AbortSignal; withinMs: number } {
    return { signal, withinMs: this.#parts.commandMs };
  }
}
