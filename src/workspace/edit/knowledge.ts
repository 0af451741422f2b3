import { createHash } from "node:crypto";
import type { ByteText } from "./byte-text.ts";
import type { Entry, Now } from "./overlay.ts";
import { type EditCode, Refused } from "./refusal.ts";

/** What is known of the files besides their bytes. */
export interface Knowledge {
  /** sha256, in hex, of what a file held when it was read; undefined: nobody says */
  readAs(entry: Entry): string | undefined;
  /** it was seen to change while it was being edited */
  hasChanged(entry: Entry): boolean;
  /** a new file's text with the line ends that its folder asks for */
  withEndings(entry: Entry, text: ByteText): ByteText;
}

export const sha256 = (text: ByteText): string => createHash("sha256").update(text, "latin1").digest("hex");

/** The file as the edits so far leave it. Throws Refused where they, or nobody, leave one. */
export function present(entry: Entry, path: string, knowledge: Knowledge): Now {
  if (entry.now !== null) return entry.now;
  const wasThere = entry.before !== null;
  throw refuse(knowledge.readAs(entry) !== undefined && !wasThere ? "STALE" : "NOT_FOUND", path, {
    message: wasThere ? "an earlier edit took it away" : "there is no such file",
    hint: wasThere ? "edit it before that, or under its new name" : "create it, or correct the path",
  });
}

export const exists = (path: string): Refused =>
  refuse("EXISTS", path, {
    message: "there is a file already",
    hint: "edit that one, choose another path, or say overwrite if it is to be replaced",
  });

export const refuse = (code: EditCode, path: string, of: { message: string; hint: string }): Refused =>
  new Refused({ code, path, ...of });
