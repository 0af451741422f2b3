import { PawlError } from "../../domain/errors.ts";
import type { CopyFile } from "../../ports/copy-file.ts";
import type { FileLock, Files, TakeLock } from "../../ports/files.ts";
import { type Checkout, mustGit, runGit, split } from "./checkout.ts";

/** A git folder of our own beside that of a checkout, and nobody else's as long as it is held. */
export interface Shadowed {
  readonly on: Checkout;
  readonly dir: string;
  /** what git finds in its environment to work on the files through it */
  readonly env: Record<string, string>;
  /** made just now: its index is a copy, or not there yet */
  readonly isNew: boolean;
  readonly release: () => void;
}

/** Takes the first folder that no other process has. Throws GIT_FAILED, SHADOWS_TAKEN. */
export async function claimShadow(on: Checkout, of: { copy: CopyFile; lock: TakeLock }): Promise<Shadowed> {
  const { dir, lock } = await free(on, of.lock);
  try {
    const { objects, isNew } = await makeShadow(on, dir, of.copy);
    return { on, dir, env: shadowEnv(on, dir, objects), isNew, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** As many as may look at one checkout at once; each costs an index. */
const MOST = 32;

async function free({ gitDir, top }: Checkout, take: TakeLock): Promise<{ dir: string; lock: FileLock }> {
  for (let n = 1; n <= MOST; n++) {
    const dir = `${gitDir}/pawl-shadow${n === 1 ? "" : `-${n}`}`;
    const lock = await take(`${dir}.lock`);
    if (lock !== null) return { dir, lock };
  }
  throw new PawlError("SHADOWS_TAKEN", `${MOST} processes look at ${top} already`, { next: "end some of them" });
}

/** Everything is what it is: no text, no filter, no keyword. The file with the last word. */
const ATTRIBUTES = "* -text -filter -ident -working-tree-encoding !eol\n";

/** Makes the folder, or takes the one that is there; gives the folder of the repository's objects, which it shares. */
async function makeShadow(on: Checkout, dir: string, copy: CopyFile): Promise<{ objects: string; isNew: boolean }> {
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
  // whoever made it is dead: the folder is ours
  if (on.files.stat(`${dir}/index.lock`).kind !== "none") on.files.unlink(`${dir}/index.lock`);
  if (isNew && (await isPlain(on, attributes!))) copy(index!, `${dir}/index`);
  return { objects: objects!, isNew };
}

/** The repository's own configuration, as it is now, says what is ignored, and whether modes and links mean something; the rest is ours. */
function configOf(dir: string, format: string): string {
  const sha256 = format === "sha1" ? [] : ["[extensions]", `objectFormat = ${format}`];
  const lines = [
    ...["[include]", `path = ${JSON.stringify(`${dir}/repository-config`)}`],
    ...["[core]", `repositoryformatversion = ${sha256.length === 0 ? 0 : 1}`, ...CORE],
    // the sum that an index ends with tells one from another
    ...["[index]", "skipHash = false", "sparse = false", ...sha256],
  ];
  return `${lines.join("\n")}\n`;
}
const CORE = [
  "bare = false",
  "autocrlf = false",
  "safecrlf = false",
  "sparseCheckout = false",
  "splitIndex = false",
  "trustctime = true",
  "checkStat = default",
  "untrackedCache = false",
  "hooksPath = /dev/null",
];

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
  // H is a file that git looks at: not one that it was told to leave alone, or that is not to be there
  return known === "" && split(await mustGit(on, ["ls-files", "-v", "-z"])).every((row) => row.startsWith("H "));
}

const shadowEnv = (on: Checkout, dir: string, objects: string): Record<string, string> => ({
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
