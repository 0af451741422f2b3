import type { Frame, ScreenNode } from "../../ports/bridge.ts";
import type { Coordinate } from "../../ports/device-action.ts";
import { nameOf } from "./marks.ts";

/** A model reads no more of a screen than this. */
const MOST_LINES = 120;

/**
 * The elements of a screen that say something or can be used, one a line, indented as they lie in one another, each with
 * its middle as `place` writes it. What is left out is said.
 */
export function treeText(tree: ScreenNode, frame: Frame, place: (at: Coordinate) => readonly number[]): string {
  const lines: string[] = [];
  const visit = (node: ScreenNode, depth: number): void => {
    const isSaid = isOfUse(node);
    if (isSaid) lines.push(`${"  ".repeat(Math.min(depth, 8))}${lineOf(node, frame, place)}`);
    for (const child of node.children) visit(child, isSaid ? depth + 1 : depth);
  };
  visit(tree, 0);
  const left = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(left > 0 ? [`(${left} more are left out)`] : [])].join("\n");
}

const isOfUse = (node: ScreenNode): boolean =>
  node.text.trim() !== "" || node.label.trim() !== "" || node.isClickable || node.isEditable;

function lineOf(node: ScreenNode, frame: Frame, place: (at: Coordinate) => readonly number[]): string {
  const { left, top, right, bottom } = node.bounds;
  const share = (from: number, to: number, size: number) => Math.max(0, Math.min(1, (from + to) / 2 / size));
  const at = place([share(left, right, frame.width), share(top, bottom, frame.height)]);
  const can = [node.isClickable && "clickable", node.isEditable && "editable", node.isFocused && "focused"];
  return [nameOf({ ...node, children: [] }), `[${at.join(", ")}]`, ...can.filter(Boolean)].join(" ");
}
