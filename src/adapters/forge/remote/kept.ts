import type { Reply } from "./http.ts";

export interface Kept {
  readonly etag: string;
  readonly reply: Reply;
}

const MOST = 500;

/** The last answer to each question that has an ETag, the newest 500 of them. */
export function createKept() {
  const answers = new Map<string, Kept>();
  return {
    find: (path: string): Kept | undefined => answers.get(path),
    keep(path: string, reply: Reply): void {
      answers.delete(path);
      const etag = reply.headers.get("etag");
      if (etag === null) return;
      answers.set(path, { etag, reply });
      for (const oldest of answers.keys()) {
        if (answers.size <= MOST) break;
        answers.delete(oldest);
      }
    },
  };
}
