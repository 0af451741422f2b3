import { isAbsolute, join, relative, sep } from "node:path";
import type { Files } from "../../ports/files.ts";

/** A path from the top of a checkout, and where it is; refused where it leaves the checkout, also by a link. */
export function inside(
  { files, top }: { readonly files: Files; readonly top: string },
  path: string,
): { readonly path: string; readonly absolute: string } | { readonly refused: string } {
  if (path.includes("\0")) return { refused: "a path has no NUL in it" };
  const absolute = isAbsolute(path) ? path : join(top, path);
  const from = relative(top, absolute).split(sep).join("/");
  if (from === ".." || from.startsWith("../") || isAbsolute(from)) return { refused: `${path} is not in the checkout` };
  const { real, missing } = files.resolve(absolute);
  const home = files.resolve(top).real;
  const target = join(real, ...missing);
  if (target !== home && !target.startsWith(home + sep)) return { refused: `${path} leads out of the checkout` };
  if (from.split("/").includes(".git")) return { refused: `${path} belongs to git` };
  return { path: from, absolute };
}
