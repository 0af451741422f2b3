import { escapeArg } from "@yume-chan/adb";
import { PawlError } from "../../../domain/errors.ts";
import { act, look } from "./calls.ts";
import type { Shell } from "./shell.ts";

interface Bounds {
  readonly signal: AbortSignal;
  readonly withinMs: number;
}
const LAUNCHABLE = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER";

/**
 * Opens an app by its package, its component (PACKAGE/ACTIVITY), or the last word of its package. Throws SCREEN_REFUSED
 * where none, or several, are meant by it, with those that are there.
 */
export async function openApp(shell: Shell, app: string, bounds: Bounds): Promise<void> {
  if (/^[\w.]+\/[\w.$]+$/.test(app)) return start(shell, app, bounds);
  const components = await launchable(shell, bounds);
  if (components === null) return openOld(shell, app, bounds);
  return start(shell, only(app, components, shell), bounds);
}

async function start(shell: Shell, component: string, bounds: Bounds): Promise<void> {
  await act(shell, `am start -n ${escapeArg(component)}`, bounds);
}

/** Components with an icon in the launcher; null: a system that cannot be asked (before Android 7). */
async function launchable(shell: Shell, bounds: Bounds): Promise<readonly string[] | null> {
  const listed = await look(shell, `cmd package query-activities --brief ${LAUNCHABLE}`, bounds);
  const found =
    listed
      ?.split("\n")
      .map((line) => line.trim())
      .filter((line) => /^[\w.]+\/[\w.$]+$/.test(line)) ?? [];
  return found.length > 0 ? found : null;
}

async function openOld(shell: Shell, app: string, bounds: Bounds): Promise<void> {
  const listed = (await look(shell, "pm list packages", bounds)) ?? "";
  const name = only(
    app,
    [...listed.matchAll(/^package:(\S+)/gm)].map((line) => line[1]!),
    shell,
  );
  await act(shell, `monkey -p ${escapeArg(name)} -c android.intent.category.LAUNCHER 1`, bounds);
}

/** the one of these components, or packages, that is meant; of an app with several icons the first */
function only(app: string, all: readonly string[], shell: Shell): string {
  const byPackage = new Map<string, string>();
  for (const each of all) if (!byPackage.has(packageOf(each))) byPackage.set(packageOf(each), each);
  const wanted = app.trim().toLowerCase();
  const names = [...byPackage.keys()];
  const exact = names.filter((name) => name.toLowerCase() === wanted);
  const named = names.filter((name) => name.toLowerCase().split(".").at(-1) === wanted.replaceAll(" ", ""));
  const found = exact.length > 0 ? exact : named;
  if (found.length === 1) return byPackage.get(found[0]!)!;
  const list = (found.length > 1 ? found : names).slice(0, 20).join(", ");
  const what = found.length > 1 ? `several apps are called ${app}` : `${shell.serial} has no app ${app}`;
  throw new PawlError("SCREEN_REFUSED", `${what}: ${list}`, { next: "open it by its package, or by tapping its icon" });
}

const packageOf = (component: string): string => component.split("/")[0]!;
