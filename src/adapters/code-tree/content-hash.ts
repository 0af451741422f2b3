import { createHash } from "node:crypto";

/** The name that git gives to content; `like`: another name of the repository, which says which hash it uses. */
export function contentHash(bytes: Uint8Array, like: string): string {
  return createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}
