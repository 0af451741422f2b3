import type { CopyFile } from "../../ports/copy-file.ts";
import type { Files } from "../../ports/files.ts";
import { type Checkout, mustGit, runGit } from "./checkout.ts";

/** Everything is what it is: no text, no filter, no keyword. The file with the last word. */
const ATTRIBUTES = "* -text -filter -ident -working-tree-encoding !eol\n";

/** Makes the folder, or takes the one that is there; gives the folder of the repository's objects, which it shares. */
export async function makeShadow(on: Checkout, dir: string, copy: CopyFile): Promise<string> {
  const ask = (path: string) => mustGit(on, ["rev-parse", "--path-format=absolute", "--git-path", path]);
  const [objects, exclude, attributes, index] = await Promise.all(
    ["objects", "info/exclude", "info/attributes", "index"].map(ask),
  );
  const isNew = on.files.read(`${dir}/HEAD`, 0).kind === "none";
  const format = await mustGit(on, ["rev-parse", "--show-object-format"]);
  if (isNew) await mustGit(on, ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, dir]);
  if (on.files.read(`${dir}/info`, 0).kind === "none") on.files.mkdir(`${dir}/info`);
  put(on.files, `${dir}/info/attributes`, Buffer.from(ATTRIBUTES));
  put(on.files, `${dir}/info/exclude`, bytesOf(on.files, exclude!));
  put(on.files, `${dir}/repository-config`, bytesOf(on.files, `${on.commonDir}/config`));
  put(on.files, `${dir}/config`, Buffer.from(configOf(dir, format)));
  const isLocked = on.files.read(`${dir}/index.lock`, 0).kind !== "none";
  if (isLocked) on.files.unlink(`${dir}/index.lock`);
  if (isNew && (await isPlain(on, attributes!))) copy(index!, `${dir}/index`);
  return objects!;
}

/** The repository's own configuration, as it is now, says what is ignored, and whether modes and links mean something; the rest is ours. */
function configOf(dir: string, format: string): string {
  const sha256 = format === "sha1" ? "" : `[extensions]\n\tobjectFormat = ${format}\n`;
  const ours =
    "bare = false\n\tautocrlf = false\n\tsafecrlf = false\n\tsparseCheckout = false\n\tsplitIndex = false\n\thooksPath = /dev/null\n";
  return `[include]\n\tpath = ${JSON.stringify(`${dir}/repository-config`)}\n[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\t${ours}${sha256}`;
}

/**
 * Whether what git holds of an unchanged file is what lies there, so that the index of the checkout can be begun with.
 * Where line ends or filters may stand between them, the first look reads all files, once.
 */
async function isPlain(on: Checkout, attributes: string): Promise<boolean> {
  const autocrlf = await runGit(on, ["config", "--get", "core.autocrlf"]);
  if (!["", "false"].includes(autocrlf.stdout.trim())) return false;
  const global = await runGit(on, ["config", "--get", "core.attributesFile"]);
  if (global.code === 0 || bytesOf(on.files, attributes).length > 0) return false;
  const known = await on.git.must(["ls-files", "-z", "--", ":(glob)**/.gitattributes"], { cwd: on.top });
  return known === "";
}

/** What git finds in its environment to work on these files through that folder. */
export const shadowEnv = (on: Checkout, dir: string, objects: string): Record<string, string> => ({
  GIT_DIR: dir,
  GIT_WORK_TREE: on.top,
  GIT_OBJECT_DIRECTORY: objects,
});

const MOST_BYTES = 2 ** 20;
function bytesOf(files: Files, path: string): Uint8Array {
  const found = files.read(path, MOST_BYTES);
  return found.kind === "file" ? found.bytes : new Uint8Array();
}

function put(files: Files, path: string, bytes: Uint8Array): void {
  if (files.read(path, 0).kind !== "none") files.unlink(path);
  files.make(path, { bytes, mode: null, isExecutable: false, owner: null });
}
