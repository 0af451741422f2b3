import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A real agent, as it is installed and pointed at a model on loopback. */
export interface RealAgent {
  /** the preset */
  readonly name: string;
  /** npm packages, each with its version; the first one is the agent */
  readonly packages: readonly string[];
  /** what is written below its home, and what it finds in its environment */
  readonly files: (url: string) => Readonly<Record<string, string>>;
  readonly env: (url: string) => Readonly<Record<string, string>>;
}

const KEY = "dummy-key";

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    name: "codex",
    packages: ["@zed-industries/codex-acp@0.16.0"],
    files: (url) => ({
      ".codex/config.toml": `model = "gpt-5"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
supports_websockets = false
`,
    }),
    env: () => ({ OPENAI_API_KEY: KEY }),
  },
  {
    name: "gemini",
    packages: ["@google/gemini-cli@0.61.0"],
    files: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    // a model by its name: else it asks another one first which it should be
    env: (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url, GEMINI_MODEL: "gemini-2.5-pro" }),
  },
  {
    name: "claude",
    packages: ["@agentclientprotocol/claude-agent-acp@0.101.0", "node@22"],
    files: () => ({}),
    env: (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url, IS_SANDBOX: "1" }),
  },
  {
    name: "opencode",
    packages: ["opencode-ai@1.18"],
    files: (url) => ({
      ".config/opencode/opencode.json": JSON.stringify({
        model: "scripted/model",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: KEY },
            models: { model: { name: "model" } },
          },
        },
      }),
    }),
    env: () => ({}),
  },
  {
    name: "qwen",
    packages: ["@qwen-code/qwen-code@0.24", "node@22"],
    files: () => ({
      ".qwen/settings.json": JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    env: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "model" }),
  },
  {
    name: "pi",
    packages: ["pi-acp@0.0.34", "@earendil-works/pi-coding-agent@1.6", "node@22"],
    files: (url) => ({
      ".pi/agent/settings.json": JSON.stringify({ defaultProvider: "scripted", defaultModel: "model" }),
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: KEY,
            models: [{ id: "model", contextWindow: 200_000, maxTokens: 8_000 }],
          },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: "1" }),
  },
];

/** A home of its own, with what the agent needs to find its model. */
export function makeHome(home: string, agent: RealAgent, url: string): void {
  for (const [name, text] of Object.entries(agent.files(url))) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}
