import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "./redact.ts";
import { isSecretName, secretsOf } from "./secrets.ts";

// Made here, so that no scanner takes this file for a leak.
const token = (begin: string, length: number): string => begin + "aB3dE5gH7j".repeat(30).slice(0, length);
const PEM = [
  "-----BEGIN RSA PRIVATE",
  " KEY-----\nMIIEowIBAAKCAQEA\nq1w2e3r4==\n-----END RSA PRIVATE",
  " KEY-----",
].join("");

const inParts = (by: ReturnType<typeof redactor>, parts: readonly string[]): string => {
  const stream = by.stream();
  const bytes = parts.map((part) => Buffer.from(stream.push(Buffer.from(part, "latin1"))).toString("latin1"));
  return bytes.join("") + Buffer.from(stream.end()).toString("latin1");
};

describe("what has the shape of a token is taken out", () => {
  test.each([
    ["github-token", token("ghp_", 36)],
    ["github-token", token("github_pat_", 60)],
    ["gitlab-token", token("glpat-", 20)],
    ["anthropic-key", token("sk-ant-", 40)],
    ["api-key", token("sk-proj-", 40)],
    ["api-key", token("sk_live_", 24)],
    ["aws-key-id", "AKIA" + "ABCDEFGH12345678"],
    ["google-key", token("AIza", 35)],
    ["slack-token", "xoxb-" + "1234567890-abcdef"],
    ["npm-token", token("npm_", 36)],
    ["jwt", ["eyJhbGciOi", "eyJzdWIiOiIx", "c2lnbmF0dXJl"].map((part) => part + "abc").join(".")],
    ["private-key", PEM],
    ["private-key", PEM.replaceAll("\n", "\\n")],
  ])("%s", (name, secret) => {
    const by = redactor([]);
    expect(by.text(`before ${secret} after`)).toBe(`before [redacted ${name}] after`);
    expect(by.text(`"${secret}"`)).toBe(`"[redacted ${name}]"`);
  });

  test.each([
    [`Authorization: Bearer ${token("x", 30)}`, "Authorization: Bearer [redacted authorization]"],
    ["https://jo:hunter2@example.org/x", "https://jo:[redacted password-in-url]@example.org/x"],
    ["MY_API_KEY=0123456789", "MY_API_KEY=[redacted value]"],
    ['export DB_PASSWORD="hunter2hunter2"', 'export DB_PASSWORD="[redacted value]"'],
  ])("%s", (text, wanted) => {
    expect(redactor([]).text(text)).toBe(wanted);
  });

  test("and what only looks a little like one stays", () => {
    const text =
      'sk-learn task-force npm_config const TOKEN = read(); TOKEN=$1 if (x.includes("-----BEGIN PRIVATE KEY-----")) {} ' +
      "http://localhost:3000/a eyJ.eyJ ghp_short https://example.org:8080/x@y 12:30 risk-management-and-other-words";
    expect(redactor([]).text(text)).toBe(text);
  });
});

describe("values of variables with secret names", () => {
  test("names are told apart", () => {
    for (const name of [
      "GITHUB_TOKEN",
      "OPENAI_API_KEY",
      "DB_PASSWORD",
      "MY_SECRET",
      "npm_auth_token",
      "PGPASSWORD",
      "AWS_SECRET_ACCESS_KEY",
      "COOKIE",
    ])
      expect(isSecretName(name), name).toBe(true);
    for (const name of [
      "PATH",
      "PWD",
      "SSH_AUTH_SOCK",
      "PAWL_KEY",
      "HOME",
      "SSH_KEY_PATH",
      "AWS_ACCESS_KEY_ID",
      "KEYBOARD",
      "LC_MONETARY",
      "TOKENIZERS_PARALLELISM",
    ])
      expect(isSecretName(name), name).toBe(false);
  });

  test("each is found as it is, in a URL, in JSON and in base64, but nothing that is too short to mean it", () => {
    const value = 'p"w/ d+ä1';
    const by = redactor(secretsOf({ MY_TOKEN: value, SHORT_TOKEN: "abc", FLAG_TOKEN: "true", PWD: "/home/jo" }));
    const forms = [value, encodeURIComponent(value), JSON.stringify(value), Buffer.from(value).toString("base64")];
    expect(by.text(forms.join(" | "))).toBe(
      '[redacted MY_TOKEN] | [redacted MY_TOKEN] | "[redacted MY_TOKEN]" | [redacted MY_TOKEN]',
    );
    expect(by.text("abc true /home/jo")).toBe("abc true /home/jo");
  });

  test("a password in a URL is one, whatever the variable is called", () => {
    const by = redactor(secretsOf({ DATABASE_URL: "postgres://jo:tr0ub4dor@db/x" }));
    expect(by.text("using tr0ub4dor")).toBe("using [redacted DATABASE_URL]");
  });

  test("of two values the longer one goes first", () => {
    const by = redactor(secretsOf({ A_TOKEN: "abcdefgh", B_TOKEN: "abcdefghijkl" }));
    expect(by.text("abcdefghijkl")).toBe("[redacted B_TOKEN]");
  });
});

describe("a stream", () => {
  const SECRET = "s3cret value-sk";
  const by = redactor(secretsOf({ MY_TOKEN: SECRET, OTHER_TOKEN: "s3cret value" }));

  test("has no secret in it, wherever it is cut into parts", () => {
    const pieces = [
      SECRET,
      "s3cret value",
      PEM,
      token("ghp_", 36),
      `Bearer ${token("x", 20)}`,
      "MY_API_KEY=0123456789",
      "a://b:hunter2@c",
    ];
    const words = fc.constantFrom(
      ...pieces,
      "gh",
      "sk",
      "s3cret",
      "-----BEGIN ",
      "\n",
      " ",
      "é",
      "x",
      "TOKEN",
      "=",
      "://",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), fc.array(fc.nat(400), { maxLength: 8 }), (all, cuts) => {
        const text = Buffer.from(all.join(" ")).toString("latin1");
        const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const parts = at.slice(1).map((end, i) => text.slice(at[i], end));
        const whole = Buffer.from(by.text(Buffer.from(text, "latin1").toString("utf8"))).toString("latin1");
        expect(inParts(by, parts)).toBe(whole);
      }),
      { numRuns: 3_000, seed: 7 },
    );
  });

  test("says lines at once, and holds back only what may become a secret", () => {
    const stream = by.stream();
    const said = (text: string) => Buffer.from(stream.push(Buffer.from(text))).toString();
    expect(said("compiling 3 files\n")).toBe("compiling 3 files\n");
    expect(said("Continue? [y/n] ")).toBe("Continue? [y/n] ");
    expect(said("50%")).toBe("50%");
    expect(said(" of s3cr")).toBe(" of ");
    expect(said("et value")).toBe("");
    expect(said(" is\n")).toBe("[redacted OTHER_TOKEN] is\n");
  });

  test("of bytes that are no text comes out as it went in", () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7919) & 255));
    expect(
      inParts(
        by,
        [bytes.subarray(0, 33_333), bytes.subarray(33_333)].map((part) => part.toString("latin1")),
      ),
    ).toBe(bytes.toString("latin1"));
  });
});
