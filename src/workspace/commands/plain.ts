const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const withoutOrders = (text: string): string => text.replace(ANSI, "").replace(/\r\n?/g, "\n");

/** Text of a program as it may be shown: no terminal commands, no control characters. */
export const plain = (text: string): string => withoutOrders(text).replace(CONTROL, "");

/** The same where nothing may get lost unseen: control characters are written out, `\x00`. */
export const escaped = (text: string): string =>
  withoutOrders(text).replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
