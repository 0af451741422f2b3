import { execFileSync, spawn } from "node:child_process";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { join } from "node:path";

const BACKEND = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");

/** Git over HTTP for a bare repository, by git's own CGI program. `path`: what follows the repository in the URL. */
export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  { gitDir, path, user }: { gitDir: string; path: string; user: string },
): Promise<void> {
  const [file = "", query = ""] = path.split("?");
  // what version 2 says first names no branch and does not change: the program is asked for it once
  const first = query === "service=git-upload-pack" && request.headers["git-protocol"] === "version=2";
  const known = first ? greetings.get(gitDir) : undefined;
  if (known) return void response.writeHead(200, known.headers).end(known.body);
  const child = spawn(BACKEND, [], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: gitDir,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      PATH_INFO: file,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      REMOTE_USER: user,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  for await (const part of child.stdout) parts.push(part as Buffer);
  const whole = Buffer.concat(parts);
  const end = whole.indexOf("\r\n\r\n");
  const head = whole.toString("latin1", 0, end).split("\r\n");
  let status = 200;
  for (const line of head) {
    const [name = "", ...value] = line.split(": ");
    if (name === "Status") status = Number.parseInt(value.join(": "), 10);
    else response.setHeader(name, value.join(": "));
  }
  const body = whole.subarray(end + 4);
  if (first && status === 200) greetings.set(gitDir, { headers: response.getHeaders(), body });
  response.writeHead(status).end(body);
}
const greetings = new Map<string, { readonly headers: OutgoingHttpHeaders; readonly body: Buffer }>();
