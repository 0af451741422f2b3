import { event, type Filled, inSteps, type ServerDialect, type WireRequest } from "./dialect.ts";
import { pictureOf, userTurn } from "./picture.ts";
import type { Asked, AskedCall, AskedPicture, AskedTurn } from "./script.ts";
import { checkSignature, signatureOf } from "./signature.ts";
import { type Json, list, named, numberOrNull, object, only, refuseUnless, schema, text, visible } from "./valid.ts";

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const PATH = /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Google's generateContent. A signature is demanded where a Gemini 3 model called a function. */
export const google: ServerDialect = {
  name: "google",
  owns: (path) => PATH.test(path),
  key: ({ headers, query }) => headers["x-goog-api-key"] ?? query.get("key"),
  read,
  events,
  whole: (asked, answer) => chunk(asked, { answer, parts: parts(answer), isLast: true }),
  error: (status, { type, message }) => ({
    error: { code: status, message, status: type ?? STATUS[status] ?? "INTERNAL" },
  }),
};
const STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function read({ path, body }: WireRequest): ReturnType<ServerDialect["read"]> {
  const [, model = "", method] = PATH.exec(path)!;
  only(
    body,
    [
      "contents",
      "systemInstruction",
      "tools",
      "toolConfig",
      "generationConfig",
      "safetySettings",
      "cachedContent",
      "labels",
    ],
    "",
  );
  const declared = (body.tools === undefined ? [] : list(body.tools, "tools")).flatMap((tool) =>
    list(object(tool, "tools").functionDeclarations, "functionDeclarations"),
  );
  const config = body.generationConfig === undefined ? {} : object(body.generationConfig, "generationConfig");
  const mode = (body.toolConfig as { functionCallingConfig?: { mode?: string } } | undefined)?.functionCallingConfig
    ?.mode;
  return {
    model,
    stream: method === "streamGenerateContent",
    system:
      body.systemInstruction === undefined
        ? ""
        : partsText(object(body.systemInstruction, "systemInstruction").parts, "systemInstruction"),
    turns: turnsOf(list(body.contents, "contents"), model),
    tools: declared.map(toolOf),
    choice: mode === "ANY" ? "any" : "auto",
    maxOutput: numberOrNull(config.maxOutputTokens),
    temperature: numberOrNull(config.temperature),
  };
}

function toolOf(tool: unknown, i: number): Asked["tools"][number] {
  const { name, description, parameters } = object(tool, `function_declarations[${i}]`);
  return {
    name: named(name, NAME, `function_declarations[${i}].name`),
    description: text(description, `function_declarations[${i}].description`),
    input: parameters === undefined ? { type: "object" } : schema(parameters, `function_declarations[${i}].parameters`),
  };
}

const partsText = (value: unknown, where: string): string =>
  list(value, where)
    .map((part) => visible(object(part, where).text, where))
    .join("\n");

function turnsOf(contents: readonly unknown[], model: string): readonly AskedTurn[] {
  refuseUnless(contents.length > 0, "GenerateContentRequest.contents: contents is not specified");
  const turns: AskedTurn[] = [];
  let pending: readonly AskedCall[] = [];
  let last = "model";
  contents.forEach((content, i) => {
    const where = `contents[${i}]`;
    const { role, parts } = object(content, where);
    refuseUnless(
      (role === "user" || role !== last) && (role === "user" || role === "model"),
      "Please ensure that multiturn requests alternate between user and model.",
    );
    last = role as string;
    const read = list(parts, `${where}.parts`).map((part, j) => object(part, `${where}.parts[${j}]`));
    refuseUnless(read.length > 0, `${where}.parts: must not be empty`);
    if (role === "model") {
      const turn = modelOf(read, { where, n: i, model });
      pending = turn.calls;
      turns.push(turn);
      return;
    }
    const results = read.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [object(functionResponse, where)],
    );
    refuseUnless(
      results.length === pending.length,
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    );
    if (results.length > 0)
      turns.push({ role: "results", results: results.map((one, j) => resultOf(one, pending[j]!)) });
    turns.push(...said(read, where));
    pending = [];
  });
  refuseUnless(
    pending.length === 0,
    "Please ensure that function call turn comes immediately before a function response turn.",
  );
  return turns;
}

/** A text each is a turn; pictures go with the text before them. */
function said(parts: readonly Json[], where: string): readonly AskedTurn[] {
  const turns: { text: string; pictures: AskedPicture[] }[] = [];
  for (const part of parts) {
    if (part.text !== undefined) turns.push({ text: visible(part.text, where), pictures: [] });
    if (part.inlineData === undefined) continue;
    const { mimeType, data } = object(part.inlineData, `${where}.inline_data`);
    if (turns.length === 0) turns.push({ text: "", pictures: [] });
    turns.at(-1)!.pictures.push(pictureOf(data, mimeType, `${where}.inline_data`));
  }
  return turns.map(({ text, pictures }) => userTurn([text], pictures));
}

function modelOf(
  parts: readonly Json[],
  { where, n, model }: { where: string; n: number; model: string },
): Extract<AskedTurn, { role: "assistant" }> {
  const turn = { role: "assistant" as const, text: "", thoughts: [] as string[], calls: [] as AskedCall[] };
  parts.forEach((part, j) => {
    if (part.functionCall !== undefined) {
      const { name, args } = object(part.functionCall, where);
      if (
        turn.calls.length === 0 &&
        part.thoughtSignature !== "skip_thought_signature_validator" &&
        model.startsWith("gemini-3")
      )
        checkSignature(
          name as string,
          part.thoughtSignature,
          `Function call \`${name}\` in the ${n}. content block is missing a thought_signature`,
        );
      turn.calls.push({ id: `google_${n}_${j}`, name: named(name, NAME, where), args: object(args ?? {}, where) });
    } else if (part.thought === true) turn.thoughts.push(text(part.text, where));
    else turn.text += text(part.text, where);
  });
  return turn;
}

function resultOf({ name, response }: Json, call: AskedCall): { id: string; text: string; failed: boolean } {
  refuseUnless(name === call.name, `function response ${name} does not fit the function call ${call.name}`);
  const { content, error } = object(response, "functionResponse.response");
  return { id: call.id, text: String(content ?? error), failed: error !== undefined };
}

const finish = ({ stop }: Filled): string =>
  stop === "length" ? "MAX_TOKENS" : stop === "refused" ? "SAFETY" : "STOP";
const parts = ({ thought, text, calls, step }: Filled): readonly Json[] => [
  ...(thought ? [{ text: thought, thought: true }] : []),
  ...inSteps(text, step).map((part) => ({ text: part })),
  ...calls.map(({ name, input }, i) => ({
    functionCall: { name, args: parsedOr(input) },
    ...(i === 0 ? { thoughtSignature: signatureOf(name) } : {}),
  })),
];
const parsedOr = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return { invalid: input };
  }
};

const chunk = (
  { n, model }: Asked,
  { answer, parts, isLast }: { answer: Filled; parts: readonly Json[]; isLast: boolean },
): Json => ({
  candidates: [{ content: { parts, role: "model" }, ...(isLast ? { finishReason: finish(answer) } : {}), index: 0 }],
  usageMetadata: {
    promptTokenCount: answer.usage.input,
    candidatesTokenCount: answer.usage.output,
    totalTokenCount: answer.usage.input + answer.usage.output,
    cachedContentTokenCount: answer.usage.cached,
  },
  modelVersion: model,
  responseId: `r${n}`,
});

function events(asked: Asked, answer: Filled): readonly string[] {
  const all = parts(answer);
  const sent = all.length > 0 ? all.map((part) => [part]) : [[]];
  if (answer.failInside) {
    const error =
      answer.failInside === "limit"
        ? { code: 429, message: "It failed.", status: "RESOURCE_EXHAUSTED" }
        : { code: 503, message: "It failed.", status: "UNAVAILABLE" };
    return [event(chunk(asked, { answer, parts: sent[0]!, isLast: false })), event({ error })];
  }
  return sent.map((parts, i) => event(chunk(asked, { answer, parts, isLast: i === sent.length - 1 })));
}
