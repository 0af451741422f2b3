/** A program that starts the one that it is given. */
export interface Wrapper {
  /** options that take the next word */
  readonly values: readonly string[];
  /** options that take none; of any other nobody knows */
  readonly flags: RegExp;
  /** words of its own before the program */
  readonly positionals: number;
  /** NAME=VALUE may stand before the program */
  readonly takesSettings: boolean;
  /** options whose next word is a script */
  readonly scripts: readonly string[];
  /** options with which it starts nothing */
  readonly ends: readonly string[];
  /** the words are one text for a shell */
  readonly joins: boolean;
  /** it adds words of its own */
  readonly addsUnknown: boolean;
  /** who may run the program may run it through this one too */
  readonly isTransparent: boolean;
}

const wrapper = (of: Partial<Wrapper> = {}): Wrapper => ({
  values: [],
  flags: /^-(?:\d+|-?[a-z].*)$/i,
  positionals: 0,
  takesSettings: false,
  scripts: [],
  ends: [],
  joins: false,
  addsUnknown: false,
  isTransparent: true,
  ...of,
});
/** What lifts a limit is named in a list of what is allowed for itself. */
const lifting = (of: Partial<Wrapper> = {}): Wrapper =>
  wrapper({ isTransparent: false, flags: /^--[a-z-]+=|^-[nEHSikKbAP]+$/, ...of });

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: wrapper({
    values: ["-u", "--unset", "-C", "--chdir", "-P"],
    scripts: ["-S", "--split-string"],
    takesSettings: true,
  }),
  command: wrapper({ ends: ["-v", "-V"] }),
  builtin: wrapper(),
  exec: wrapper({ values: ["-a"] }),
  nohup: wrapper(),
  setsid: wrapper(),
  nice: wrapper({ values: ["-n", "--adjustment"] }),
  ionice: wrapper({ values: ["-c", "-n", "-p", "-P", "-u"] }),
  chrt: wrapper({ values: ["-T", "-P", "-D"], positionals: 1 }),
  taskset: wrapper({ positionals: 1 }),
  time: wrapper({ values: ["-f", "-o", "--format", "--output"] }),
  timeout: wrapper({ values: ["-k", "-s", "--kill-after", "--signal"], positionals: 1 }),
  stdbuf: wrapper({ values: ["-i", "-o", "-e", "--input", "--output", "--error"] }),
  unbuffer: wrapper(),
  chronic: wrapper(),
  flock: wrapper({
    values: ["-w", "-E", "--timeout", "--conflict-exit-code"],
    scripts: ["-c", "--command"],
    positionals: 1,
  }),
  xargs: wrapper({
    values: [
      "-I",
      "-n",
      "-P",
      "-L",
      "-s",
      "-d",
      "-a",
      "-E",
      "--max-args",
      "--max-procs",
      "--delimiter",
      "--arg-file",
      "--replace",
    ],
    addsUnknown: true,
  }),
  parallel: lifting({ values: ["-j", "-a", "--jobs", "--arg-file"], addsUnknown: true, joins: true }),
  watch: wrapper({ values: ["-n", "--interval"], joins: true }),
  entr: lifting({ addsUnknown: true }),
  busybox: wrapper({ ends: ["--list", "--help"] }),
  toybox: wrapper(),
  strace: wrapper({
    values: ["-e", "-f", "-o", "-p", "-s", "-u", "-E", "-a", "-O", "-S", "-P", "-I", "-b", "-X"],
    takesSettings: false,
  }),
  script: lifting({ scripts: ["-c", "--command"], positionals: 99 }),
  sudo: lifting({ values: ["-u", "-g", "-h", "-p", "-C", "-T", "-D", "-R", "-U", "-r", "-t"], takesSettings: true }),
  doas: lifting({ values: ["-u", "-C"] }),
  su: lifting({ scripts: ["-c", "--command"], positionals: 99 }),
  runuser: lifting({ scripts: ["-c", "--command"], values: ["-u", "-g", "-G"] }),
  chroot: lifting({ positionals: 1 }),
  unshare: lifting(),
  nsenter: lifting({ values: ["-t", "--target"] }),
  bwrap: lifting(),
};

export const isShell = (name: string): boolean => /^(?:sh|ash|bash|dash|zsh|ksh\d*|mksh|yash|rbash|fish)$/.test(name);
