import type { Field, Widget } from "./app.ts";
import { BAR, type Phone } from "./phone.ts";

/**
 * What `uiautomator dump` writes: one line of XML, bounds in units of the screen, the root as high as the usable area
 * (attributes as in captures of Android 13: github.com/openatx/uiautomator2, docs/hierarchy).
 */
export function hierarchyOf(phone: Phone): string {
  const { width, height } = phone.screen;
  const root: Widget = {
    class: "android.widget.FrameLayout",
    colour: 0,
    bounds: { left: 0, top: 0, right: width, bottom: height - BAR },
    children: phone.widgets(),
  };
  const nodes = nodeOf(root, 0, phone.front.package, phone.focus);
  return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="${phone.rotation}">${nodes}</hierarchy>`;
}

function nodeOf(widget: Widget, index: number, app: string, focus: Field | null): string {
  const { left, top, right, bottom } = widget.bounds;
  const shown = widget.field?.isPassword ? "•".repeat(widget.field.text.length) : widget.field?.text;
  const attributes = {
    index,
    text: shown ?? widget.text ?? "",
    "resource-id": widget.id ? `${app}:id/${widget.id}` : "",
    class: widget.class,
    package: app,
    "content-desc": widget.label ?? "",
    checkable: false,
    checked: false,
    clickable: Boolean(widget.onTap ?? widget.field),
    enabled: true,
    focusable: Boolean(widget.onTap ?? widget.field),
    focused: widget.field !== undefined && widget.field === focus,
    scrollable: widget.isScrollable ?? false,
    "long-clickable": Boolean(widget.onLongPress),
    password: widget.field?.isPassword ?? false,
    selected: false,
    bounds: `[${left},${top}][${right},${bottom}]`,
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  const children = (widget.children ?? []).map((child, i) => nodeOf(child, i, app, focus)).join("");
  return `<node ${written.join(" ")}${children ? `>${children}</node>` : " />"}`;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"\n]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "&#10;");
