import { WORKER_ENV } from "../../protocol/run-folder.ts";

/** What compilers and package managers are found by, beside what every program needs. Nothing here holds a secret. */
export const TOOL_ENV: readonly string[] = [
  "JAVA_HOME",
  "GOPATH",
  "GOROOT",
  "GOFLAGS",
  "GOPROXY",
  "CARGO_HOME",
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "PYENV_ROOT",
  "PYENV_VERSION",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "NVM_DIR",
  "VOLTA_HOME",
  "PNPM_HOME",
  "ANDROID_HOME",
  "DOTNET_ROOT",
  "CC",
  "CXX",
  "LD_LIBRARY_PATH",
  "PKG_CONFIG_PATH",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "NODE_EXTRA_CA_CERTS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
];

/** What keeps git and ssh from asking: without a terminal a question is a process that never ends. */
export const QUIET_GIT: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "/bin/false",
  SSH_ASKPASS: "/bin/false",
  SSH_ASKPASS_REQUIRE: "force",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  GCM_INTERACTIVE: "never",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
};

/** The same for other programs: no questions, no pager, no editor, no colours, no progress that is drawn. */
const QUIET: Readonly<Record<string, string>> = {
  ...QUIET_GIT,
  CI: "1",
  DEBIAN_FRONTEND: "noninteractive",
  npm_config_yes: "true",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  PIP_NO_INPUT: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  SUDO_ASKPASS: "/bin/false",
  HOMEBREW_NO_AUTO_UPDATE: "1",
  PAGER: "cat",
  MANPAGER: "cat",
  LESS: "-FRX",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  EDITOR: ":",
  VISUAL: ":",
  TERM: "dumb",
  NO_COLOR: "1",
};

/** A mark in the environment of a command, by which its processes are known wherever they went. Its name tells runs apart, so that one within another carries both. */
export const MARK_PREFIX = "PAWL_EXEC_";
const OWN = new Set<string>(Object.values(WORKER_ENV));

type Env = Readonly<Record<string, string | undefined>>;

/**
 * All that a command finds in its environment: what is allowed by name, what keeps it from asking, and what was given with
 * the order. An allowlist, because a list of what is secret always misses the next name. Git's variables of ours never
 * get in: inside a hook GIT_DIR or GIT_INDEX_FILE would lead it to another repository.
 */
export function commandEnvironment(of: {
  readonly ours: Env;
  /** names that are passed on */
  readonly names: readonly string[];
  readonly given: Readonly<Record<string, string>>;
}): Record<string, string> {
  const names = new Set(of.names);
  const passed = Object.entries(of.ours).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined &&
      !pair[0].startsWith("GIT_") &&
      (names.has(pair[0]) || OWN.has(pair[0]) || pair[0].startsWith(MARK_PREFIX)),
  );
  return { PATH: DEFAULT_PATH, ...Object.fromEntries(passed), ...QUIET, ...of.given };
}
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
