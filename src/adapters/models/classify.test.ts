import { expect, test } from "vitest";
import { classify } from "./classify.ts";

const openai = (code: string, message: string) =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code } });
const anthropic = (type: string, message: string) => JSON.stringify({ type: "error", error: { type, message } });

test.each<readonly [string, number, string, string]>([
  [
    "Anthropic's credit is used up",
    400,
    anthropic("invalid_request_error", "Your credit balance is too low"),
    "MODEL_KEY_REFUSED",
  ],
  [
    "OpenAI's quota is used up",
    429,
    openai("insufficient_quota", "You exceeded your current quota"),
    "MODEL_KEY_REFUSED",
  ],
  [
    "Google's key is wrong",
    400,
    '{"error":{"status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}',
    "MODEL_KEY_REFUSED",
  ],
  ["no payment", 402, "{}", "MODEL_KEY_REFUSED"],
  ["OpenAI's model is not for this project", 403, openai("model_not_found", "no access"), "MODEL_UNKNOWN"],
  [
    "Ollama has not pulled it",
    404,
    '{"error":{"message":"model \\"x\\" not found, try pulling it first"}}',
    "MODEL_UNKNOWN",
  ],
  ["an address without an API", 404, "404 page not found", "MODEL_UNKNOWN"],
  ["OpenAI: too long", 400, openai("context_length_exceeded", "too long"), "MODEL_TOO_LONG"],
  ["vLLM: too long", 400, '{"message":"This model\'s maximum context length is 8192 tokens."}', "MODEL_TOO_LONG"],
  [
    "llama.cpp: too long",
    400,
    '{"error":{"type":"exceed_context_size_error","message":"the request exceeds the available context size"}}',
    "MODEL_TOO_LONG",
  ],
  [
    "Google: too long",
    400,
    '{"error":{"message":"The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."}}',
    "MODEL_TOO_LONG",
  ],
  ["a body too big for a proxy", 413, "", "MODEL_TOO_LONG"],
  ["a bad schema", 400, openai("invalid_function_parameters", "Invalid schema"), "MODEL_REFUSED"],
  ["what nobody knows", 422, '{"detail":"?"}', "MODEL_REFUSED"],
  ["a limit", 429, "{}", "limit"],
  ["a limit inside a stream", 0, anthropic("rate_limit_error", "x"), "limit"],
  ["an ill server inside a stream", 0, anthropic("overloaded_error", "Overloaded"), "passes"],
  ["a wrong request inside a stream", 0, anthropic("invalid_request_error", "x"), "MODEL_REFUSED"],
  ["an ill server that calls itself what it likes", 500, openai("x", "y"), "passes"],
  ["a page of a proxy that refuses", 403, "<html><head><title>Access denied</title></head></html>", "passes"],
])("%s: %d", (_, status, body, expected) => {
  const { failure } = classify({ status, headers: {}, body, now: 0 });
  expect(failure.kind === "stays" ? failure.code : failure.limit ? "limit" : "passes").toBe(expected);
});

test("the message that a person reads is the provider's own, in one line and not too long", () => {
  expect(classify({ status: 400, headers: {}, body: openai("x", "first\n  second"), now: 0 }).message).toBe(
    "it answers 400 (first second)",
  );
  expect(classify({ status: 500, headers: {}, body: "x".repeat(5_000), now: 0 }).message.length).toBeLessThan(350);
  const page = "<!doctype html><html><title>Sign in to the network</title></html>";
  expect(classify({ status: 200, headers: {}, body: page, now: 0 }).message).toBe(
    "it answers 200 (Sign in to the network)",
  );
});
