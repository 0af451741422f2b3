import { runProgram } from "../../src/app/cli/program.ts";

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with nothing of its environment but PATH. `told`: what it says on stderr, as it does. */
export async function commandLine(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  told: (text: string) => void = () => {},
): Promise<Said> {
  const [out, err] = [sink(), sink(told)];
  const code = await runProgram(args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    streams: { stdin: {}, stdout: out, stderr: err },
  });
  return { code, out: out.text(), err: err.text() };
}

function sink(told: (text: string) => void = () => {}) {
  const chunks: Buffer[] = [];
  return {
    write(text: string | Uint8Array) {
      chunks.push(Buffer.from(text as string));
      told(String(text));
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}
