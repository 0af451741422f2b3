import { PawlError } from "../../../domain/errors.ts";

/** The address that a person named for a run: also a file of this machine. Throws TARGET_BAD. */
export function addressOfTarget(target: string): string {
  const written = target.replace(/^browser:/, "");
  const address = webAddress(written) ?? (/^file:\/\/\//.test(written) ? written : null);
  if (address !== null) return address;
  throw new PawlError("TARGET_BAD", `"${written}" is no address that a browser can open`, {
    next: "write it like browser:https://example.org, or browser:file:///folder/page.html.",
  });
}

/** What an agent may open: the web alone, so that no page talks it into reading files. Throws SCREEN_REFUSED. */
export function addressOfApp(app: string): string {
  const address = webAddress(app.trim());
  if (address !== null) return address;
  throw new PawlError("SCREEN_REFUSED", `a browser opens addresses that start with http, and "${app}" is none`, {
    next: "write the whole address.",
  });
}

function webAddress(written: string): string | null {
  const whole =
    /^[a-z][a-z0-9+.-]*:/i.test(written) && !/^[^/]+:\d+(\/|$)/.test(written) ? written : `https://${written}`;
  if (!/^https?:\/\/[^\s/]+/i.test(whole) || (!written.includes(".") && !written.includes(":"))) return null;
  return URL.canParse(whole) ? whole : null;
}
