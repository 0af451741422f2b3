import { Parser } from "htmlparser2";
import type { Frame, ScreenNode } from "../../../ports/bridge.ts";
import type { TouchSize } from "./capture.ts";

interface Growing extends ScreenNode {
  readonly children: Growing[];
}
type Bounds = ScreenNode["bounds"];

/** Classes in which text can be written. */
const EDITABLE = /(EditText|AutoCompleteTextView|SearchAutoComplete)$/;

/**
 * The nodes of a dump under one root of the frame's size, their bounds in the frame's pixels. Null: no whole dump is in
 * this text. Nodes with bounds that cannot be read keep their children, and are left out themselves.
 */
export function readHierarchy(text: string, frame: Frame, touch: TouchSize): ScreenNode | null {
  const start = text.search(/<hierarchy\b/);
  const end = text.lastIndexOf("</hierarchy>");
  if (start < 0 || end < start) return null;
  const root: Growing = { ...NOBODY, role: "hierarchy", bounds: wholeOf(frame), children: [] };
  const open: Growing[] = [root];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (name !== "node") return;
        const parent = open.at(-1)!;
        const node = nodeOf(attributes, frame, touch);
        if (node) parent.children.push(node);
        open.push(node ?? parent);
      },
      onclosetag: (name) => {
        if (name === "node" && open.length > 1) open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text.slice(start, end + "</hierarchy>".length));
  return root.children.length > 0 ? root : null;
}

const NOBODY = { text: "", label: "", isClickable: false, isFocused: false, isEditable: false };
const wholeOf = ({ width, height }: Frame): Bounds => ({ left: 0, top: 0, right: width, bottom: height });

function nodeOf(attributes: Readonly<Record<string, string>>, frame: Frame, touch: TouchSize): Growing | null {
  const bounds = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(attributes.bounds ?? "");
  if (bounds === null) return null;
  const [left, top, right, bottom] = bounds.slice(1).map(Number) as [number, number, number, number];
  const x = (at: number): number => Math.round((at * frame.width) / touch.width);
  const y = (at: number): number => Math.round((at * frame.height) / touch.height);
  const role = attributes.class ?? "";
  return {
    bounds: { left: x(left), top: y(top), right: x(right), bottom: y(bottom) },
    role,
    text: attributes.text ?? "",
    label: attributes["content-desc"] ?? "",
    isClickable: attributes.clickable === "true",
    isFocused: attributes.focused === "true",
    isEditable: EDITABLE.test(role),
    children: [],
  };
}
