import { PawlError } from "../../domain/errors.ts";

/** Exit codes that are not the error's: see `pawl --help`. */
export const EXIT = {
  done: 0,
  no: 1,
  usage: 2,
  store: 3,
  credential: 4,
  waits: 5,
  noSuchTask: 6,
  fault: 70,
  timeout: 124,
  interrupted: 130,
} as const;

/** What each exit code says, as `pawl --help` has it. */
export const EXIT_WORDS: Readonly<Record<number, string>> = {
  0: "done",
  1: "it ran and the answer is no: a task or a check failed, a decision was refused",
  2: "wrong usage, configuration, map or task file; nothing was started",
  3: "the store cannot be used: held, missing, broken, newer",
  4: "a credential is missing or refused",
  5: "nothing failed, somebody has to answer",
  6: "no such task or run",
  70: "a fault in Pawl, with a report",
  124: "a time limit ran out",
  126: "the command cannot be started",
  127: "there is no such program",
  130: "stopped from outside: Ctrl+C, SIGTERM, a closed terminal",
};

const BY_CODE: Readonly<Record<string, number>> = {
  TASK_UNKNOWN: EXIT.noSuchTask,
  RUN_UNKNOWN: EXIT.noSuchTask,
  FAULT: EXIT.fault,
  CREDENTIAL_MISSING: EXIT.credential,
  CREDENTIAL_REFUSED: EXIT.credential,
  MODEL_KEY_MISSING: EXIT.credential,
  MODEL_KEY_REFUSED: EXIT.credential,
  MODEL_RATE_LIMITED: EXIT.no,
  MODEL_DOWN: EXIT.no,
  MODEL_UNKNOWN: EXIT.no,
  MODEL_REFUSED: EXIT.no,
  MODEL_TOO_LONG: EXIT.no,
  MODEL_MISREAD: EXIT.no,
  ACTION_INVALID: EXIT.no,
  SCREEN_REFUSED: EXIT.no,
  SCREEN_UNSURE: EXIT.no,
  SCREEN_UNABLE: EXIT.no,
  SCREEN_GONE: EXIT.no,
  SCREEN_TAKEN: EXIT.no,
  SCREEN_LOCK: EXIT.no,
  CAPTURE_FAILED: EXIT.no,
  BROWSER_MISSING: EXIT.no,
  BROWSER_FAILED: EXIT.no,
  TRAJECTORY_BAD: EXIT.no,
  MCP_SERVER_FAILED: EXIT.no,
  CASSETTE_MISMATCH: EXIT.no,
  CASSETTE_BROKEN: EXIT.no,
  LEASE_LOST: EXIT.store,
  DEMO: EXIT.no,
  FORGE_UNREACHABLE: EXIT.no,
  FORGE_LIMITED: EXIT.no,
  FORGE_IN_DOUBT: EXIT.no,
  FORGE_DENIED: EXIT.credential,
  WEBHOOK_LISTEN: EXIT.no,
  WEBHOOK_SECRET: EXIT.credential,
  GIT_ENDED: EXIT.no,
  EFFECT_IN_DOUBT: EXIT.no,
  // Git refused to do what worked a moment ago, and the like: nothing that another command line would change.
  GIT_FAILED: EXIT.no,
  JOURNAL_HELD: EXIT.no,
  // A decision that does not fit: with what would, in its message.
  REFUSED: EXIT.no,
  CANCELLED: EXIT.interrupted,
  COMMAND_DENIED: EXIT.no,
  COMMAND_UNCLEAR: EXIT.no,
  HEAD_MOVED: EXIT.no,
  FILE_UNUSABLE: EXIT.no,
};

/** What the program ends with after an error: 2 usage, configuration or task file; 3 store; 4 credential; 6 no such task; 70 a fault of Pawl's own. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof PawlError)) return EXIT.fault;
  return BY_CODE[error.code] ?? (error.code.startsWith("STORE_") ? EXIT.store : EXIT.usage);
}
