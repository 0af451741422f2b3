/** Files of a trial's folder: every request that came to its forge, by name; and what became of all at the end. */
export const ASKED = "asked";
export const FAR_END = "far.json";
