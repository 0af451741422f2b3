/** What git parted with NUL, read as latin1, as UTF-8; an entry that is no UTF-8 is left out. */
export function nulParted(listing: string): readonly string[] {
  const entries = listing.split("\0").filter((entry) => entry !== "");
  return entries.map(utf8).filter((entry) => !entry.includes("\ufffd"));
}

const utf8 = (latin1: string): string =>
  /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, "latin1").toString("utf8") : latin1;
