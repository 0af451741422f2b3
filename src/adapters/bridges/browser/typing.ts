import { PawlError } from "../../../domain/errors.ts";
import type { Tab } from "./tabs.ts";

/** Puts a text into what has the focus, as a phone's keyboard does. Refused where nothing that takes text has it. */
export async function insertText({ page, cdp }: Tab, text: string): Promise<void> {
  if (!(await page.evaluate(TAKES_TEXT)))
    throw new PawlError("SCREEN_REFUSED", "nothing that takes text has the focus", { next: "tap a field first." });
  await cdp.send("Input.insertText", { text });
}

/** A frame within the page may hold the field: there nobody looks. */
const TAKES_TEXT = `(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at) return false;
  if (at.isContentEditable || at.tagName === "IFRAME" || at.tagName === "TEXTAREA") return !at.readOnly && !at.disabled;
  const none = ["button", "submit", "checkbox", "radio", "file", "image", "reset", "range", "color"];
  return at.tagName === "INPUT" && !none.includes(at.type) && !at.readOnly && !at.disabled;
})()`;
