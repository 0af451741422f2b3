import type { Canvas, Rect } from "./canvas.ts";

/** An element of an app's window, in units of the screen. */
export interface Widget {
  readonly class: string;
  readonly bounds: Rect;
  readonly text?: string;
  readonly label?: string;
  /** resource-id without its package */
  readonly id?: string;
  readonly colour: number;
  readonly ink?: number;
  readonly isScrollable?: boolean;
  readonly children?: readonly Widget[];
  /** holds text, and gets the focus when it is tapped */
  readonly field?: Field;
  readonly onTap?: () => void;
  readonly onLongPress?: () => void;
}

/** What a text field holds. */
export interface Field {
  readonly isPassword?: boolean;
  text: string;
}

/** An app of the device, drawn in code: what its window shows now, and what it does about touches and keys. */
export interface App {
  readonly package: string;
  readonly activity: string;
  readonly label: string;
  /** pictures of its window are black */
  readonly isSecure?: boolean;
  /** what lies in its window; `width` and `height` are without the bar at the bottom */
  window(size: { width: number; height: number }): readonly Widget[];
  /** a finger drew over it; `dy` below 0: upwards */
  scroll?(dy: number, from: { x: number; y: number }): void;
  /** false: nothing to go back to, the launcher shows */
  back?(): boolean;
  enter?(field: Field | null): void;
  /** opened again: starts where it starts */
  start?(): void;
}

export function paint(widgets: readonly Widget[], focus: Field | null, canvas: Canvas): void {
  for (const widget of widgets) {
    const { left, top, right, bottom } = widget.bounds;
    canvas.fill(widget.bounds, widget.colour);
    if (widget.field && widget.field === focus) canvas.fill({ left, top: bottom - 3, right, bottom }, 0x1a73e8);
    const shown = widget.field ? widget.field.text : widget.text;
    if (shown) canvas.write(shown.slice(0, 48), { x: left + 8, y: (top + bottom) / 2 - 5 }, widget.ink ?? 0x202124);
    paint(widget.children ?? [], focus, canvas);
    if (right <= left) throw new Error(`${widget.class} is ${left}..${right} wide`);
  }
}

/** the innermost, last drawn widget at a place that does something there */
export function widgetAt(widgets: readonly Widget[], x: number, y: number): Widget | null {
  for (const widget of [...widgets].reverse()) {
    const { left, top, right, bottom } = widget.bounds;
    if (x < left || x >= right || y < top || y >= bottom) continue;
    const inside = widgetAt(widget.children ?? [], x, y);
    if (inside) return inside;
    if (widget.onTap || widget.onLongPress || widget.field) return widget;
  }
  return null;
}
