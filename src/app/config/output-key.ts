import { isMap } from "yaml";
import type { OutputFormat, OutputNumber, OutputPlace } from "../../protocol/output-format.ts";
import { type Decode, line, named, oneOf, record, someOf, yes } from "./decode.ts";
import { isWritten, missingKey } from "./missing-key.ts";
import { either, schemaOf, shaped, TEXT } from "./schema-of.ts";
import { child, nodeOf, noteFault, type Spot, textOf } from "./spot.ts";

/** A regular expression of JavaScript. */
const pattern: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const text = line(spot);
    if (text === undefined) return undefined;
    try {
      new RegExp(text);
      return text;
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : "";
      noteFault(spot, "TYPE_BAD", `${spot.path} is no regular expression: ${why}`, {
        next: "write it like 'tokens used: ([0-9,]+)': its first group is what is wanted.",
      });
      return undefined;
    }
  },
);

const value = shaped(
  () => TEXT,
  (spot: Spot) => textOf(spot) ?? undefined,
);
const PLACE = { when: named(value), at: someOf(line), match: pattern };
const PLACED = record(PLACE);
const NUMBERED = record({ ...PLACE, each: yes });

/** `result`, the path alone, or a mapping with when:, at: and match:. */
const placeOf = <P extends OutputPlace>(whole: Decode<Written>): Decode<P> =>
  shaped(
    () => either(TEXT, schemaOf(whole)),
    (spot: Spot) => {
      if (nodeOf(spot) === null) return undefined;
      if (!isMap(nodeOf(spot))) {
        const path = line(spot);
        return path === undefined ? undefined : ({ at: [path] } as OutputPlace as P);
      }
      const written = whole(spot);
      return written === undefined ? undefined : (withoutNothing(written) as P);
    },
  );
type Written = { readonly [K in keyof OutputNumber]: OutputNumber[K] | undefined };

const withoutNothing = (written: Written): OutputNumber =>
  Object.fromEntries(Object.entries(written).filter(([, one]) => one !== undefined));

const place = placeOf<OutputPlace>(PLACED as Decode<Written>);
const number = placeOf<OutputNumber>(NUMBERED as Decode<Written>);

const OUTPUT = record({
  format: oneOf(["text", "json-lines"]),
  message: place,
  tokens: number,
  cost_usd: number,
  error: place,
  verdict: record({ PASS: place, FAIL: place, BLOCKED: place, NO_CHANGE: place }),
});

/** How the output of a command-line agent is read. */
export const outputKey: Decode<OutputFormat> = shaped(
  () => schemaOf(OUTPUT),
  (spot: Spot) => {
    const entry = OUTPUT(spot);
    if (entry === undefined) return undefined;
    if (entry.format === undefined) return missingKey(spot, "format", `${spot.path} needs format: text, or json-lines`);
    if (entry.format === "text") onlyJson(spot, entry);
    const { format, cost_usd: costUsd, verdict, ...places } = entry;
    const read = {
      ...places,
      costUsd,
      verdict: verdict && (withoutNothing(verdict as Written) as OutputFormat["verdict"]),
    };
    return { format, ...(withoutNothing(read as Written) as Partial<OutputFormat>) };
  },
);

/** A line of text has no keys. */
function onlyJson(spot: Spot, { verdict = {}, ...places }: Readonly<Record<string, unknown>>): void {
  const all: readonly (readonly [Spot, unknown])[] = [
    ...Object.entries(places).map(([key, one]) => [child(spot, key), one] as const),
    ...Object.entries(verdict as object).map(([key, one]) => [child(child(spot, "verdict"), key), one] as const),
  ];
  for (const [at, one] of all)
    for (const key of ["when", "at"] as const)
      if (typeof one === "object" && one !== null && (one as Written)[key] !== undefined)
        noteFault(
          isMap(nodeOf(at)) ? child(at, key) : at,
          "KEY_UNKNOWN",
          `${at.path} is read from lines of text, which have no keys`,
          {
            key: isMap(nodeOf(at)),
            next: "write {match: 'a regular expression'}, or format: json-lines.",
          },
        );
}

/** Notes an `output:` that nobody reads, and a rule over the output that is named and not there. */
export function onlyForCommands(
  spot: Spot,
  entry: { readonly command: unknown; readonly output: OutputFormat | undefined; readonly verdict: string | undefined },
): void {
  const at = child(spot, "output");
  if (entry.output !== undefined && entry.command === undefined)
    noteFault(at, "KEY_UNKNOWN", `"output" of ${spot.path} is for an agent that is a command`, {
      key: true,
      next: 'take "output" out: what this agent says is understood without it.',
    });
  const hasRule = isWritten(at, "verdict");
  if (entry.verdict === "output" && !hasRule)
    noteFault(
      child(spot, "verdict"),
      "KEY_MISSING",
      `${spot.path} has verdict: output, and output.verdict is not there`,
      {
        next: "add output: {format: json-lines, verdict: {PASS: {when: {type: result}}}}.",
      },
    );
  if (entry.verdict !== undefined && entry.verdict !== "output" && hasRule)
    noteFault(
      child(at, "verdict"),
      "TYPE_BAD",
      `${spot.path} has verdict: ${entry.verdict}, so output.verdict says nothing`,
      {
        key: true,
        next: 'write verdict: output, or take "verdict" out of output.',
      },
    );
}
