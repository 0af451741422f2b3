import type { Sandbox } from "../../ports/commands.ts";

/**
 * The command line that holds another one in bubblewrap: the machine read-only, `/tmp` its own, `writable` as it is,
 * no process of ours to be seen or signalled; everything in it ends with it.
 */
export function sandboxed(
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  of: { readonly sandbox: Sandbox; readonly cwd: string; readonly bwrap: string },
): { readonly file: string; readonly args: readonly string[] } {
  const { writable, readOnly, network } = of.sandbox;
  return {
    file: of.bwrap,
    args: [
      ...SANDBOX_ARGS,
      ...writable.flatMap((path) => ["--bind", path, path]),
      ...readOnly.flatMap((path) => ["--ro-bind-try", path, path]),
      ...(network ? [] : ["--unshare-net"]),
      ...["--setenv", "TMPDIR", "/tmp", "--chdir", of.cwd, "--"],
      file,
      ...args,
    ],
  };
}

/** What every sandbox has; with `true` behind it, whether this machine can make one. */
export const SANDBOX_ARGS: readonly string[] = [
  ...["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/dev/shm"],
];
