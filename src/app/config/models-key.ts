import { isMap } from "yaml";
import { SPACES, USUAL_SPACE } from "../../device/parse/space.ts";
import {
  type AnswerDialect,
  type Eyes,
  type ModelSpec,
  PROVIDERS,
  type Price,
  providerAndModel,
} from "../../ports/model-spec.ts";
import { amount, type Decode, type Decoded, line, named, oneOf, positive, record, yes } from "./decode.ts";
import { isWritten, missingKey } from "./missing-key.ts";
import { nearest } from "./nearest.ts";
import { either, schemaOf, shaped, TEXT } from "./schema-of.ts";
import { child, nodeOf, noteFault, type Spot } from "./spot.ts";

/** `models:` by their names, each PROVIDER/MODEL or a mapping. `variable` reads the name of an environment variable. */
export const modelsKey = (variable: Decode<string>): Decode<Readonly<Record<string, ModelSpec>>> => {
  const whole = record(keysWith(variable));
  const model = (spot: Spot, name: string) => {
    if (!isMap(nodeOf(spot))) return short(spot, name);
    const entry = whole(spot);
    return entry === undefined ? undefined : fromMapping(spot, { name, entry });
  };
  return named(shaped(() => either(TEXT, schemaOf(whole)), model));
};

const PRICE = record({ input: amount, cached: amount, written: amount, output: amount });
const price = shaped(
  () => schemaOf(PRICE),
  (spot: Spot): Price | undefined => {
    const entry = PRICE(spot);
    if (entry === undefined) return undefined;
    const { input, output } = entry;
    if (input === undefined || output === undefined)
      return missing(spot, lacking({ input, output }), "US dollars per million tokens");
    return { input, output, cached: entry.cached ?? input, written: entry.written ?? input };
  },
);

/** An address for everybody to read: it starts with http, and holds no password and no query. */
const address: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const url = line(spot);
    if (url === undefined) return undefined;
    if (/^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
    noteFault(spot, "TYPE_BAD", `${spot.path} has to be an address without a key in it, and without ? or #`, {
      next: 'write it like "http://127.0.0.1:8000/v1", and name the variable with the key as key_env.',
    });
    return undefined;
  },
);

const temperature: Decode<number> = shaped(
  () => ({ type: "number", minimum: 0, maximum: 2 }),
  (spot: Spot) => {
    const value = amount(spot);
    if (value === undefined || value <= 2) return value;
    noteFault(spot, "TYPE_BAD", `${spot.path} has to be a number from 0 to 2, and is ${value}`);
    return undefined;
  },
);

const keysWith = (variable: Decode<string>) => ({
  provider: oneOf(PROVIDERS),
  model: line,
  base_url: address,
  key_env: variable,
  context: positive,
  max_output_tokens: positive,
  temperature,
  price,
  api: oneOf(["responses", "chat"]),
  tools: yes,
  stream: yes,
  dialect: oneOf(Object.keys(USUAL_SPACE) as AnswerDialect[]),
  coordinates: oneOf(SPACES),
});
type Entry = Decoded<ReturnType<typeof keysWith>>;

/** `anthropic/claude-sonnet-4-5`; a model's own name may hold further slashes. */
function short(spot: Spot, name: string): ModelSpec | undefined {
  const written = line(spot);
  if (written === undefined) return undefined;
  const said = providerAndModel(written);
  if (said === null) return unreadable(spot, { written, provider: written.split("/")[0]! });
  if (said.provider === "openai-compatible") return missing(spot, ["base_url"], "the address of its API");
  return { ...NOTHING_SAID, name, ...said };
}

function unreadable(spot: Spot, { written, provider }: { written: string; provider: string }): undefined {
  const meant = nearest(provider, PROVIDERS);
  noteFault(spot, "TYPE_BAD", `"${written}" is not PROVIDER/MODEL`, {
    note: `providers: ${PROVIDERS.join(", ")}`,
    next: meant === null ? 'write it like "anthropic/claude-sonnet-4-5".' : `write it like "${meant}/MODEL".`,
  });
  return undefined;
}

const NOTHING_SAID = {
  baseUrl: null,
  keyEnv: null,
  context: null,
  maxOutput: null,
  temperature: null,
  price: null,
  api: null,
  tools: true,
  stream: true,
} as const;

function fromMapping(spot: Spot, { name, entry }: { name: string; entry: Entry }): ModelSpec | undefined {
  const { provider, model, api } = entry;
  if (provider === undefined || model === undefined) return missing(spot, lacking({ provider, model }));
  if (provider === "openai-compatible" && entry.base_url === undefined)
    return missing(spot, ["base_url"], "the address of its API");
  if (api !== undefined && provider !== "openai")
    noteFault(child(spot, "api"), "TYPE_BAD", `${spot.path}.api is for openai alone; ${provider} has one API`, {
      key: true,
      next: 'take "api" out.',
    });
  const { context, max_output_tokens: most } = entry;
  if (context !== undefined && most !== undefined && most >= context)
    noteFault(
      child(spot, "max_output_tokens"),
      "TYPE_BAD",
      `${spot.path} could be told nothing: its answer may fill all`,
      {
        next: `write less than ${context}, which is its context, or take one of them out.`,
      },
    );
  return {
    name,
    provider,
    model,
    baseUrl: entry.base_url ?? null,
    keyEnv: entry.key_env ?? null,
    context: entry.context ?? null,
    maxOutput: entry.max_output_tokens ?? null,
    temperature: entry.temperature ?? null,
    price: entry.price ?? null,
    api: api ?? null,
    tools: entry.tools ?? true,
    stream: entry.stream ?? true,
    ...eyesOf(spot, entry),
  };
}

/** How it says what it wants on a screen. Models of some dialects differ in what they count: there it has to be said. */
function eyesOf(spot: Spot, { dialect, coordinates }: Entry): { readonly eyes?: Eyes } {
  if (dialect === undefined && coordinates === undefined) return {};
  const usual = dialect === undefined ? "0-1" : USUAL_SPACE[dialect];
  if (coordinates === undefined && usual === null)
    missing(spot, ["coordinates"], `${SPACES.join(", ")}; models of the dialect ${dialect} do not all count the same`);
  return { eyes: { dialect: dialect ?? null, coordinates: coordinates ?? usual ?? "0-1000" } };
}

const lacking = (keys: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(keys).filter((key) => keys[key] === undefined);

/** Notes those of the keys that are really not there. */
function missing(spot: Spot, keys: readonly string[], why?: string): undefined {
  const away = keys.filter((key) => !isWritten(spot, key));
  const words = why === undefined ? "" : `: ${why}`;
  if (away.length > 0) missingKey(spot, away, `${spot.path} needs ${away.join(" and ")}${words}`);
  return undefined;
}
