/** A request as it came to the forge; `text`: its body, of git nothing. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly text: string;
}

/** A name for what is asked, the same in every run, with nothing in it that a shell would read. */
export function nameOfRequest(request: Request): string {
  const url = new URL(request.path, "http://forge");
  const place = url.pathname.replace(
    /^\/(repos\/acme\/shop|api\/v4\/projects\/acme%2Fshop|acme\/shop\.git)(?=\/|$)/,
    "",
  );
  const asked = [...url.searchParams].filter(([key]) => MEANING.has(key)).map(([, value]) => value);
  const words = [
    place === "" ? "/" : place,
    ...(place === "/graphql" ? [isThreads(request) ? "threads" : "ready"] : asked),
  ];
  // commits differ from run to run
  const said = words.join(".").replace(/[0-9a-f]{40}/g, "HEAD");
  return `${request.method.toLowerCase()}:${said.replace(/[^\w.:/-]+/g, "_")}`;
}
/** Parameters that tell one question from another. */
const MEANING = new Set(["head", "source_branch", "state", "service", "ref"]);

/** Whether it may change something at the forge. */
export const isWrite = (request: Request): boolean =>
  request.method !== "GET" && !isThreads(request) && !request.path.endsWith("/git-upload-pack");

const isThreads = ({ path, text }: Request): boolean => path === "/graphql" && !text.includes("mutation");
