import type { AnthropicProvider } from "@ai-sdk/anthropic";
import type { ModelSpec, Provider } from "../../ports/model-spec.ts";
import type { Fetch } from "./wire.ts";

/** A provider's wire format, spoken by its package: what is asked and answered has one shape for all of them. */
export type Dialect = ReturnType<AnthropicProvider["languageModel"]>;
export type Asked = Parameters<Dialect["doStream"]>[0];
export type Message = Asked["prompt"][number];
export type Streamed =
  Awaited<ReturnType<Dialect["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
export type Whole = Awaited<ReturnType<Dialect["doGenerate"]>>;
/** What a provider wants to be told, or told us, beside the shape that all have; by the package's name. */
export type Extra = NonNullable<Asked["providerOptions"]>;

export interface Access {
  /** null: it is asked without one */
  readonly key: string | null;
  readonly fetch: Fetch;
  /** an id for a call to which the provider gives none */
  readonly newId: () => string;
}

/** Where a provider is found, and what it is called where a package keeps its own words. */
interface Home {
  readonly url: string | null;
  /** the variables that usually hold the key; the first is the one to set */
  readonly keyEnvs: readonly string[];
  /** it has to have one */
  readonly needsKey: boolean;
}

export const HOMES: Readonly<Record<Provider, Home>> = {
  anthropic: { url: "https://api.anthropic.com/v1", keyEnvs: ["ANTHROPIC_API_KEY"], needsKey: true },
  openai: { url: "https://api.openai.com/v1", keyEnvs: ["OPENAI_API_KEY"], needsKey: true },
  google: {
    url: "https://generativelanguage.googleapis.com/v1beta",
    keyEnvs: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    needsKey: true,
  },
  "openai-compatible": { url: null, keyEnvs: [], needsKey: false },
  ollama: { url: "http://127.0.0.1:11434/v1", keyEnvs: [], needsKey: false },
};

/** Begins to load the package of a provider. Where that fails, asking fails with the reason. */
export function preload(provider: ModelSpec["provider"]): void {
  const loading = {
    anthropic: () => import("@ai-sdk/anthropic"),
    openai: () => import("@ai-sdk/openai"),
    google: () => import("@ai-sdk/google"),
    "openai-compatible": () => import("@ai-sdk/openai-compatible"),
    ollama: () => import("@ai-sdk/openai-compatible"),
  } as const;
  loading[provider]().catch(() => {});
}

/** Loads the one package that is needed, which takes some 60 ms of CPU, and no other. */
export async function openDialect(spec: ModelSpec, access: Access): Promise<Dialect> {
  const baseURL = spec.baseUrl ?? HOMES[spec.provider].url ?? "";
  // A key is never read from the environment by a package: what is not set here is empty, not unset.
  const common = { baseURL, apiKey: access.key ?? "", fetch: access.fetch };
  switch (spec.provider) {
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).createAnthropic(common).languageModel(spec.model);
    case "openai": {
      const openai = (await import("@ai-sdk/openai")).createOpenAI(common);
      return spec.api === "chat" ? openai.chat(spec.model) : openai.responses(spec.model);
    }
    case "google":
      return (await import("@ai-sdk/google"))
        .createGoogleGenerativeAI({ ...common, generateId: access.newId })
        .languageModel(spec.model);
    case "openai-compatible":
    case "ollama":
      return compatible(spec, { ...access, baseURL });
  }
}

async function compatible(spec: ModelSpec, { key, fetch, baseURL }: Access & { baseURL: string }): Promise<Dialect> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const apiKey = key === null ? {} : { apiKey: key };
  return createOpenAICompatible({ name: "compatible", baseURL, fetch, includeUsage: true, ...apiKey }).chatModel(
    spec.model,
  );
}
