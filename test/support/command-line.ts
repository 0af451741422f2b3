import { runProgram } from "../../src/app/cli/program.ts";

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with nothing of its environment but PATH. */
export async function commandLine(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const [out, err] = [sink(), sink()];
  const code = await runProgram(args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    streams: { stdin: {}, stdout: out, stderr: err },
  });
  return { code, out: out.text(), err: err.text() };
}

function sink() {
  const chunks: Buffer[] = [];
  return {
    write: (text: string | Uint8Array) => void chunks.push(Buffer.from(text as string)),
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}
