/**
 * Where a run on a screen keeps what it saw.
 *
 * Contract: `keep` begins to write a picture, once for each name, and resolves as soon as only a few are still being
 * written; none stays in memory after that. `save` resolves when every kept picture and the text are on disk; a reader finds
 * the text of before or the new one, never half of it, and each picture that it names. What could not be written is
 * thrown by `save`. Names are relative, with `/`.
 */
export interface TrajectoryFolder {
  /** for people: where to look */
  readonly path: string;
  keep(name: string, png: Uint8Array): Promise<void>;
  /** `trajectory`: a JSON object. `embed`: its pictures go into the text as base64, and their files away */
  save(trajectory: object, embed: boolean): Promise<void>;
}
