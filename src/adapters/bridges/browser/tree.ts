import type { CDPSession } from "playwright-core";
import type { Frame, ScreenNode } from "../../../ports/bridge.ts";
import { type Bounds, layoutOf, type Placed } from "./layout.ts";

interface AxValue {
  readonly value?: unknown;
}
interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: AxValue;
  readonly name?: AxValue;
  readonly value?: AxValue;
  readonly properties?: readonly { readonly name: string; readonly value: AxValue }[];
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
}

/** What the accessibility service says of the page, with bounds in pixels of the frame; null: nothing. */
export async function treeOf(cdp: CDPSession, frame: Frame): Promise<ScreenNode | null> {
  const [{ nodes }, layout] = await Promise.all([cdp.send("Accessibility.getFullAXTree"), layoutOf(cdp, frame)]);
  const all = new Map((nodes as readonly AxNode[]).map((node) => [node.nodeId, node]));
  const root = nodes[0] as AxNode | undefined;
  if (root === undefined) return null;
  const screen = { left: 0, top: 0, right: frame.width, bottom: frame.height };
  const [found] = screenNodes(root, { all, layout, focus: focusOf(all) });
  return found === undefined ? null : { ...found, bounds: screen };
}

interface Sources {
  readonly all: ReadonlyMap<string, AxNode>;
  readonly layout: ReadonlyMap<number, Placed>;
  /** the one node that has the focus: the page has it too, wherever else it is */
  readonly focus: string | null;
}

/** A node with what is below it; of one that says nothing, or that nobody can see, only what is below. */
function screenNodes(node: AxNode, sources: Sources): readonly ScreenNode[] {
  const children = (node.childIds ?? []).flatMap((id) => {
    const child = sources.all.get(id);
    return child === undefined ? [] : screenNodes(child, sources);
  });
  const role = textOf(node.role);
  const placed = node.backendDOMNodeId === undefined ? undefined : sources.layout.get(node.backendDOMNodeId);
  const isRoot = role === "RootWebArea";
  if (node.ignored || role === "InlineTextBox" || (placed === undefined && !isRoot)) return children;
  const isEditable = textOf(property(node, "editable")) !== "";
  const [name, value] = [textOf(node.name), textOf(node.value)];
  const one: ScreenNode = {
    bounds: placed?.bounds ?? NOWHERE,
    role,
    text: isEditable ? value : value || name,
    label: name,
    isClickable: CLICKABLE.has(role) || (placed?.hearsTaps ?? false),
    isFocused: node.nodeId === sources.focus,
    isEditable,
    children: children.filter((child) => !isSameText(child, name)),
  };
  return [one];
}

const NOWHERE: Bounds = { left: 0, top: 0, right: 0, bottom: 0 };

/** The text in a button is the button's name already. */
const isSameText = ({ role, label, children }: ScreenNode, name: string): boolean =>
  role === "StaticText" && label === name && children.length === 0;

function focusOf(all: ReadonlyMap<string, AxNode>): string | null {
  const focused = [...all.values()].filter((node) => property(node, "focused")?.value === true);
  return (focused.find((node) => textOf(node.role) !== "RootWebArea") ?? focused[0])?.nodeId ?? null;
}

const property = ({ properties = [] }: AxNode, name: string): AxValue | undefined =>
  properties.find((one) => one.name === name)?.value;
const textOf = (of: AxValue | undefined): string =>
  typeof of?.value === "string" ? of.value : typeof of?.value === "number" ? String(of.value) : "";

const CLICKABLE: ReadonlySet<string> = new Set([
  "button",
  "link",
  "textbox",
  "searchbox",
  "checkbox",
  "radio",
  "switch",
  "tab",
  "menuitem",
  "option",
  "combobox",
  "slider",
  "spinbutton",
]);
