import { type App, type Field, paint, type Widget, widgetAt } from "./app.ts";
import { bank, launcher, settingsApp, shop } from "./apps.ts";
import { Canvas } from "./canvas.ts";
import { Faults } from "./faults.ts";
import { DeviceFiles } from "./files.ts";
import { Keyboards } from "./keyboards.ts";
import type { LiveScreen } from "./live-screen.ts";

/** What was done to the device, in the order in which it landed. Places are in units of the screen (`input`'s). */
export type Deed =
  | { readonly kind: "tap" | "hold"; readonly x: number; readonly y: number }
  | { readonly kind: "swipe"; readonly from: [number, number]; readonly to: [number, number]; readonly ms: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "open"; readonly app: string };

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** without it a window would fill the whole height: the bar with back, home and recent */
export const BAR = 40;

/** A phone: its screen, its apps, its state. Its programs (`input`, `screencap` …) work on it, and so do tests. */
export class Phone {
  files = new DeviceFiles();
  keyboards = new Keyboards();
  readonly faults = new Faults();
  readonly shop = shop();
  readonly settings = settingsApp();
  readonly bank = bank();
  readonly apps: readonly App[] = [this.shop, this.settings, this.bank];
  readonly deeds: Deed[] = [];
  /** every command line that came */
  readonly lines: string[] = [];
  /** the panel, upright */
  physical: Size;
  density = 160;
  /** what `wm size WxH` said instead; apps and `input` live in it */
  override: Size | null = null;
  /** whether `screencap` gives pictures of the override's size (new systems), or of the panel's (old ones) */
  capturesOverride = true;
  /** quarter turns to the left */
  rotation: 0 | 1 | 2 | 3 = 0;
  /** long ids of its panels; the second is off, or outside */
  displays: readonly string[] = [PANEL];
  /** services that `dumpsys` says nothing about, as on some vendors' systems */
  readonly hidden = new Set<string>();
  /** before Android 7: no shell v2, no exit codes */
  isOld: boolean;
  readonly props: Record<string, string> = {
    "ro.product.name": "sim",
    "ro.product.model": "Sim_Phone",
    "ro.product.device": "sim",
    "ro.build.version.sdk": "34",
  };
  front: App;
  focus: Field | null = null;
  showsRecent = false;
  /** shown instead of the apps, where it is set */
  live: LiveScreen | null = null;
  /** cuts its connections for so long; set by what it hangs on */
  cut: ((ms: number) => void) | null = null;
  readonly #launcher: App;
  #picture: { of: string; png: Buffer } | null = null;

  constructor({ size = { width: 360, height: 800 }, isOld = false }: { size?: Size; isOld?: boolean } = {}) {
    this.physical = size;
    this.isOld = isOld;
    this.#launcher = launcher(this.apps, (app) => this.open(app));
    this.front = this.#launcher;
  }

  /** as it was at first, on its first app's front page; what tests planned is forgotten */
  reset(): void {
    this.keyboards = new Keyboards();
    this.files = new DeviceFiles();
    this.faults.clear();
    this.shop.clear();
    this.override = null;
    this.capturesOverride = true;
    this.rotation = 0;
    this.displays = [PANEL];
    this.hidden.clear();
    this.#show(this.shop);
    this.deeds.length = 0;
    this.lines.length = 0;
  }

  /** in which `input` counts, turned as the screen is */
  get screen(): Size {
    return this.#turned(this.override ?? this.physical);
  }
  /** pixels of a screenshot */
  get picture(): Size {
    return this.#turned(this.capturesOverride ? (this.override ?? this.physical) : this.physical);
  }

  widgets(): readonly Widget[] {
    const { width, height } = this.screen;
    if (this.showsRecent) return [recents(width, height)];
    return this.front.window({ width, height: height - BAR });
  }

  png(): Buffer {
    const { front, focus, picture, screen } = this;
    const widgets = this.widgets();
    const of = JSON.stringify([front.package, widgets, picture, screen, holders(widgets, focus)]);
    if (this.#picture?.of === of) return this.#picture.png;
    const canvas = new Canvas(picture, screen);
    if (!front.isSecure || this.showsRecent) {
      canvas.fill({ left: 0, top: 0, right: screen.width, bottom: screen.height }, 0xffffff);
      canvas.fill({ left: 0, top: screen.height - BAR, right: screen.width, bottom: screen.height }, 0xbdc1c6);
      paint(widgets, focus, canvas);
    }
    this.#picture = { of, png: canvas.png() };
    return this.#picture.png;
  }

  tap(x: number, y: number): void {
    this.deeds.push({ kind: "tap", x, y });
    const widget = this.showsRecent ? null : widgetAt(this.widgets(), x, y);
    if (widget?.field) this.focus = widget.field;
    widget?.onTap?.();
  }

  swipe(from: [number, number], to: [number, number], ms: number): void {
    const still = from[0] === to[0] && from[1] === to[1];
    if (still) this.deeds.push({ kind: "hold", x: from[0], y: from[1] });
    else this.deeds.push({ kind: "swipe", from, to, ms });
    if (still) widgetAt(this.widgets(), ...from)?.[ms >= HOLD_MS ? "onLongPress" : "onTap"]?.();
    else this.front.scroll?.(to[1] - from[1], { x: from[0], y: from[1] });
  }

  text(text: string): void {
    this.deeds.push({ kind: "text", text });
    if (this.focus) this.focus.text += text;
  }

  key(key: string): void {
    this.deeds.push({ kind: "key", key });
    if (key === "KEYCODE_HOME") this.#show(this.#launcher);
    else if (key === "KEYCODE_APP_SWITCH") this.showsRecent = true;
    else if (key === "KEYCODE_BACK") this.#back();
    else if (key === "KEYCODE_ENTER") this.front.enter?.(this.focus);
    else if (key === "KEYCODE_DEL" && this.focus) this.focus.text = this.focus.text.slice(0, -1);
  }

  open(app: App): void {
    this.deeds.push({ kind: "open", app: app.package });
    this.#show(app);
    app.start?.();
  }

  #back(): void {
    if (this.showsRecent) this.showsRecent = false;
    else if (!this.front.back?.()) this.#show(this.#launcher);
    this.focus = null;
  }

  #show(app: App): void {
    this.showsRecent = false;
    this.front = app;
    this.focus = null;
  }

  #turned({ width, height }: Size): Size {
    return this.rotation % 2 ? { width: height, height: width } : { width, height };
  }
}
const HOLD_MS = 500;
const PANEL = "4619827259835644672";

const recents = (width: number, height: number): Widget => ({
  class: "android.widget.TextView",
  text: "recent apps",
  colour: 0x5f6368,
  ink: 0xffffff,
  bounds: { left: 20, top: 60, right: width - 20, bottom: height - 60 },
});

/** what the picture shows beyond the widgets' own data: the cursor */
const holders = (widgets: readonly Widget[], focus: Field | null): readonly boolean[] =>
  widgets.map((widget) => widget.field !== undefined && widget.field === focus);
