import type { Ms } from "../../../domain/names.ts";
import { createHttp, type Http } from "../remote/http.ts";

export interface GitLabOptions {
  /** `group/name`, with every group above it */
  readonly repo: string;
  /** `https://HOST/api/v4` */
  readonly baseUrl: string;
  readonly token: { readonly variable: string; read(): string | undefined };
  /** ms since 1970 */
  readonly now: () => number;
  /** how often it is asked what is new */
  readonly everyMs?: Ms;
}

/** GitLab's REST API v4, as a client of this room; signals read by it too. Any token may come as `Bearer`. */
export const gitLabHttp = ({ baseUrl, token, now }: GitLabOptions): Http =>
  createHttp({
    name: "GitLab",
    baseUrl,
    token,
    now,
    headers: (value) => ({ accept: "application/json", authorization: `Bearer ${value}` }),
  });

/** Where a project is in that API: its whole path is one part of the address. */
export const projectPath = (repo: string): string => `/projects/${encodeURIComponent(repo)}`;
