import type { Http } from "../remote/http.ts";
import { shapeOf } from "../remote/json.ts";

/** Developers and above, also by a group: on a public project anybody may be asked for a review. */
export async function mayApprove(http: Http, path: string, signal: AbortSignal): Promise<boolean> {
  const found = await http.get(path, signal);
  return found !== null && Number(shapeOf(found, "member").access_level) >= DEVELOPER;
}
const DEVELOPER = 30;
