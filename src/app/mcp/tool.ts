import type { z } from "zod";
import { PawlError } from "../../domain/errors.ts";
import type { Hands } from "../../workspace/hands/hands.ts";

/** What came of a call: a text for a model, and the document that the command line has with --json. */
export interface Answer {
  readonly text: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** it was not done: a model sees that without reading */
  readonly isError: boolean;
}

/** What may go wrong for good, or not at all, where this tool is called: a client asks its user accordingly. */
export interface Behaviour {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Something that an agent can call; `On`: what it works with. */
export interface HandTool<Input = unknown, On = Hands> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly behaviour: Behaviour;
  /** `signal`: the caller does not want it any more. Throws PawlErrors. */
  readonly run: (on: On, input: Input, signal: AbortSignal) => Promise<Answer>;
}

/** It reads, in this repository. */
export const READS: Behaviour = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Answers a call: input that does not fit, and whatever is thrown, is an answer too, with its code. */
export async function answered<Input, On>(
  tool: HandTool<Input, On>,
  of: { readonly on: () => Promise<On>; readonly input: unknown; readonly signal: AbortSignal },
): Promise<Answer> {
  try {
    const parsed = tool.input.safeParse(of.input ?? {});
    if (!parsed.success) throw unfit(tool.name, parsed.error);
    return await tool.run(await of.on(), parsed.data, of.signal);
  } catch (error) {
    return refusal(error);
  }
}

function unfit(name: string, { issues }: z.ZodError): PawlError {
  const said = issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
  return new PawlError("REQUEST_BAD", `${name} was asked for what it does not know: ${said}`, {
    next: "call it with what its schema says",
  });
}

function refusal(error: unknown): Answer {
  const { code, message, next } =
    error instanceof PawlError
      ? error
      : { code: "FAULT", message: error instanceof Error ? error.message : String(error), next: null };
  const text = `error[${code}] ${message}${next === null ? "" : `\nnext: ${next}`}`;
  return { text, document: { ok: false, errors: [{ code, message, next }] }, isError: true };
}
