/**
 * What `forge:` of pawl.yaml would be for a remote: its host says which forge it is, where a host of that name usually is
 * one. Null: nobody can tell. It is offered, never taken: publishing has to be asked for.
 */
export function forgeAt(remote: string): string | null {
  const [, byUrl, byColon, path = ""] = ADDRESS.exec(remote) ?? [];
  const host = byUrl ?? byColon ?? "";
  const repo = path.replace(/^\/+|\/+$|\.git\/?$/g, "");
  if (/(^|\.)github\.com$/i.test(host) && /^[\w.-]+\/[\w.-]+$/.test(repo))
    return `forge: {kind: github, repo: ${repo}}`;
  if (!/(^|\.)gitlab\./i.test(host) || !/^[\w.-]+(\/[\w.-]+)+$/.test(repo)) return null;
  const own = host.toLowerCase() === "gitlab.com" ? "" : `, base_url: "https://${host}/api/v4"`;
  return `forge: {kind: gitlab, repo: ${repo}${own}}`;
}

/** `https://me@host:443/path`, `ssh://git@host/path` or `git@host:path` */
const ADDRESS = /^(?:(?:https?|ssh|git):\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/|(?:[\w.-]+@)?([\w.-]+):(?!\/\/))(.+)$/;
