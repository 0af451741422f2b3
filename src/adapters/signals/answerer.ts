import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

/** The name of a user of this machine, or "inbox" where nobody knows it. */
export function ownerName(uid: number): string {
  const self = userInfo();
  return self.uid === uid ? self.username : (listed().get(uid) ?? "inbox");
}

function listed(): ReadonlyMap<number, string> {
  try {
    const rows = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((row) => row.split(":"));
    return new Map(rows.flatMap(([name, , uid]) => (name && uid ? [[Number(uid), name] as const] : [])));
  } catch {
    return new Map();
  }
}

/** Who answers, and what: a first line `by: NAME` counts where NAME may answer (names are not proof anyway). */
export function splitBy(
  text: string,
  owner: string,
  from: readonly string[],
): { readonly by: string; readonly message: string | null } {
  const [, name, rest = ""] = /^by:[ \t]*([^\r\n]+)(?:\r?\n([\s\S]*))?$/i.exec(text) ?? [];
  if (name !== undefined && from.includes(name.trim())) return { by: name.trim(), message: rest.trim() || null };
  return { by: from.find((one) => isSame(one, owner)) ?? owner, message: text || null };
}

export const mayAnswer = (by: string, from: readonly string[]): boolean => from.length === 0 || from.includes(by);

/** `lead` of the machine is `lead@example.org` of the list. */
const isSame = (listedName: string, owner: string): boolean =>
  listedName === owner || listedName.split("@")[0] === owner;
