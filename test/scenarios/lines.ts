/**
 * What each scenario must show, line by line, in our own words (the specification's THEN and AND lines, in their order;
 * the ids are the specification's). A test that asserts a line says so: shows("PRO-4.5", 2).
 */
export const LINES: Readonly<Record<string, readonly string[]>> = {
  "PRO-1.1": [
    "a prompt for the role is composed",
    "a worker is spawned on the task's branch",
    "the task stays at the phase until that worker is done",
  ],
  "PRO-1.2": ["the step's action is carried out for that task", "the task moves by its outcome in the same cycle"],
  "PRO-1.3": ["the signal is asked for that task, by its name", "the task moves by what the signal says"],
  "PRO-2.1": ["verdict PASS moves the task to on_pass"],
  "PRO-2.2": ["verdict FAIL moves the task to on_fail", "the round is one more", "the detail is kept as a finding"],
  "PRO-2.3": ["pending leaves the task where it is", "no round is counted", "it is asked again in a later cycle"],
  "PRO-2.4": ["on_wait that names another phase leads there without a round", "without on_wait the task stays"],
  "PRO-3.1": ["ADVANCE: the phase is on_pass, the round is still 0"],
  "PRO-3.2": ["RETRY: the phase is on_fail, the round is 1"],
  "PRO-3.3": [
    "ADVANCE to done completes the task",
    "its phase is none",
    "done is a reserved word: no phase may be called so",
  ],
  "PRO-4.1": ["a prompt is composed and a worker spawned through the Runtime", "the worker's handle is recorded"],
  "PRO-4.2": ["a worker that still runs changes nothing", "it is looked at again in a later cycle"],
  "PRO-4.3": [
    "the end of a worker is reaped through the Runtime",
    "its verdict is taken: PASS goes forward, FAIL goes back",
  ],
  "PRO-4.4": ["the detail of a FAIL is a finding in the store", "the next attempt's prompt holds it"],
  "PRO-4.5": [
    "no verdict counts as FAIL: worker completed without writing verdict",
    "the probe records worker_crash_detected with task_id, role and branch",
    "a person is told through the channel",
  ],
  "PRO-5.1": ["approved is ADVANCE", "the words that came with it are kept as context"],
  "PRO-5.2": ["rejected is RETRY", "its words are kept as a finding", "the next worker's prompt holds that finding"],
  "PRO-5.3": ["pending is WAIT", "the task stays at its phase"],
  "PRO-6.1": ["a dependency that is completed and synced lets the task start"],
  "PRO-6.2": ["with a dependency in progress the task stays not-started", "no worker is spawned for it"],
  "PRO-6.3": ["with a failed dependency the task cannot start", "the deadlock is reported"],
  "PRO-7.1": ["with all slots taken nothing more is spawned", "the others are spawned as workers end"],
  "PRO-7.2": ["the lowest ids are started first", "the same choice every time"],
  "PRO-8.1": ["at the limit of rounds the task fails", 'the reason says "exceeded max rounds"'],
  "PRO-9.1": [
    "with a GitHub forge: a GitHub squash merge",
    "with a GitLab forge: a GitLab merge",
    "the phase map is the same for every forge",
  ],
  "PRO-10.1": [
    "a draft pull request is made for the task's branch when a step first needs one",
    "the task knows its URL",
  ],
  "PRO-10.2": ["mark-ready makes the draft ready for review", "only that step does it"],
  "PRO-11.1": ["a picked up task is in progress", "its phase is the first of its map"],
  "WRK-5.1": [
    "globs choose the files",
    "a pattern is a regular expression",
    "lines of context",
    "file types choose the files",
  ],
  "WRK-7.1": [
    "a command, a folder, variables and a time limit go in",
    "success, exit code, both streams and the duration come out",
    "no orphan is left",
  ],
  "WRK-7.2": [
    "output is streamed as it comes",
    "all of it is in a log file",
    "lists of what is allowed and denied are kept to",
    "secrets are redacted",
  ],
  "WRK-6.1": [
    "hunks in many files are applied as one",
    "what would change is shown before, and nothing is written",
    "one that does not fit keeps all of it from being written",
    "killed in the middle, the next start finds all of it or none",
  ],
  "WRK-6.2": ["a file is created", "a file is moved", "a file is deleted", "a header or boilerplate is inserted"],
  "WRK-6.3": [
    "a file that changed since it was read is noticed",
    "its hunks are tried again with less context",
    "what does not fit says why, and what to do",
  ],
};
