import type { Quirk } from "../../adapters/acp/quirk.ts";

/** An agent that speaks ACP, as its makers deliver it. Data: an agent that is not here is a command in pawl.yaml. */
export interface Preset {
  readonly command: readonly string[];
  /** how it is installed */
  readonly install: string;
  /** the oldest major of Node that it runs on; null: it brings what it needs */
  readonly node: number | null;
  /** the mode that it is put into; null: the one that it begins with */
  readonly mode: string | null;
  /** what it takes otherwise than the protocol has it */
  readonly quirks?: readonly Quirk[];
  /** variables that it gets beside those of all workers: where its keys and its folders are */
  readonly passes: readonly string[];
  /** one of these variables is a key, or one of these files (below the home) a login */
  readonly keys: readonly string[];
  readonly logins: readonly string[];
}

const ANTHROPIC = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];
const OPENAI = ["OPENAI_API_KEY"];
const GOOGLE = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];
const PLACES = ["XDG_DATA_HOME", "XDG_STATE_HOME", "NODE_EXTRA_CA_CERTS"];

/** What each of them needs was seen with the versions of docs/agents-tried.md. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  claude: {
    command: ["claude-agent-acp"],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    node: 22,
    mode: "default",
    passes: [
      ...[...ANTHROPIC, "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"],
      ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "IS_SANDBOX", ...PLACES],
    ],
    keys: [...ANTHROPIC, "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"],
    logins: [".claude/.credentials.json"],
  },
  codex: {
    command: ["codex-acp"],
    install: "npm install -g @zed-industries/codex-acp",
    node: null,
    mode: "auto",
    passes: [...OPENAI, "CODEX_API_KEY", "CODEX_HOME", "OPENAI_BASE_URL", ...PLACES],
    keys: [...OPENAI, "CODEX_API_KEY"],
    logins: [".codex/auth.json"],
  },
  gemini: {
    command: ["gemini", "--acp"],
    quirks: ["missing-as-empty"],
    install: "npm install -g @google/gemini-cli",
    node: 20,
    mode: "default",
    passes: [
      ...[...GOOGLE, "GOOGLE_GEMINI_BASE_URL", "GEMINI_MODEL", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_CLOUD_PROJECT"],
      ...["GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS", ...PLACES],
    ],
    keys: [...GOOGLE, "GOOGLE_APPLICATION_CREDENTIALS"],
    logins: [".gemini/oauth_creds.json"],
  },
  opencode: {
    command: ["opencode", "acp"],
    install: "npm install -g opencode-ai",
    node: null,
    mode: null,
    passes: [
      ...ANTHROPIC,
      ...OPENAI,
      ...GOOGLE,
      "OPENROUTER_API_KEY",
      "OPENCODE_CONFIG",
      "OPENCODE_API_KEY",
      ...PLACES,
    ],
    keys: [...ANTHROPIC, ...OPENAI, ...GOOGLE, "OPENROUTER_API_KEY", "OPENCODE_CONFIG", "OPENCODE_API_KEY"],
    logins: [".local/share/opencode/auth.json", ".config/opencode/opencode.json"],
  },
  qwen: {
    command: ["qwen", "--acp", "--auth-type", "openai"],
    install: "npm install -g @qwen-code/qwen-code",
    node: 22,
    mode: "default",
    passes: [...OPENAI, "OPENAI_BASE_URL", "OPENAI_MODEL", ...PLACES],
    keys: OPENAI,
    logins: [".qwen/settings.json"],
  },
  pi: {
    command: ["pi-acp"],
    install: "npm install -g pi-acp @earendil-works/pi-coding-agent",
    node: 22,
    mode: null,
    passes: [...ANTHROPIC, ...OPENAI, ...GOOGLE, "OPENROUTER_API_KEY", "PI_OFFLINE", ...PLACES],
    keys: [...ANTHROPIC, ...OPENAI, ...GOOGLE, "OPENROUTER_API_KEY"],
    logins: [".pi/agent/auth.json", ".pi/agent/models.json"],
  },
};

/** The name for an agent that is only its command. */
export const CUSTOM = "custom";
export const PRESET_NAMES: readonly string[] = Object.keys(PRESETS);

/** The preset whose program a command starts; null: none. */
export function presetOf(command: readonly string[]): string | null {
  const program = command[0]?.split("/").at(-1);
  return PRESET_NAMES.find((name) => PRESETS[name]!.command[0] === program) ?? null;
}

/** How a program is installed, as far as that is known. */
export function installOf(program: string): string {
  const preset = presetOf([program]);
  return preset === null ? `install ${program}` : PRESETS[preset]!.install;
}
