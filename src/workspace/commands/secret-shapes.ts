/**
 * How secrets of a kind look: what may stand before one and stays, and the secret itself. `begins`: texts that it begins
 * with; output that ends in the middle of one is held back until it goes on. Bytes are looked at as latin1.
 */
export interface SecretShape {
  readonly name: string;
  readonly before: string;
  readonly secret: string;
  readonly begins: readonly string[];
}

/** A text as a pattern of just that text. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

const prefixed = (name: string, begins: readonly string[], rest: string): SecretShape => ({
  name,
  before: "",
  secret: `(?<![A-Za-z0-9])(?:${begins.map(literal).join("|")})${rest}`,
  begins,
});

const NAMES = "SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?";
/** What a private key holds in PEM, also with its line ends written as \n. */
const PEM = "[A-Za-z0-9+/=:,\\s\\\\-]{0,20000}?";

export const SHAPES: readonly SecretShape[] = [
  prefixed("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{30,255}"),
  prefixed("github-token", ["github_pat_"], "[A-Za-z0-9_]{40,255}"),
  prefixed("gitlab-token", ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-"], "[A-Za-z0-9_.-]{16,255}"),
  prefixed("anthropic-key", ["sk-ant-"], "[A-Za-z0-9_-]{20,255}"),
  prefixed("api-key", ["sk-", "rk_live_", "sk_live_", "rk_test_", "sk_test_"], "[A-Za-z0-9_-]{20,255}"),
  prefixed("aws-key-id", ["AKIA", "ASIA"], "[A-Z0-9]{16}(?![A-Za-z0-9])"),
  prefixed("google-key", ["AIza"], "[A-Za-z0-9_-]{35}"),
  prefixed("google-token", ["ya29."], "[A-Za-z0-9_-]{20,2000}"),
  prefixed("slack-token", ["xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xapp-"], "[A-Za-z0-9-]{10,255}"),
  prefixed("npm-token", ["npm_"], "[A-Za-z0-9]{36}"),
  prefixed("pypi-token", ["pypi-"], "[A-Za-z0-9_-]{50,400}"),
  prefixed("huggingface-token", ["hf_"], "[A-Za-z0-9]{30,100}"),
  prefixed("sendgrid-key", ["SG."], "[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}"),
  prefixed("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "[a-f0-9]{64}"),
  prefixed("shopify-token", ["shpat_", "shpss_", "shpca_", "shppa_"], "[a-fA-F0-9]{32}"),
  prefixed("jwt", ["eyJ"], "[A-Za-z0-9_-]{8,4000}\\.eyJ[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{8,1000}"),
  {
    name: "private-key",
    before: "",
    secret: `-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----${PEM}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`,
    begins: ["-----BEGIN "],
  },
  {
    name: "authorization",
    before: "\\b(?:[Bb]earer|[Bb]asic)[ \\t]{1,4}",
    secret: "[A-Za-z0-9._~+/=-]{16,8000}",
    begins: ["Bearer", "bearer", "Basic", "basic"],
  },
  {
    // the user stays: it is no secret, and says which account was meant
    name: "password-in-url",
    before: ":\\/\\/[^\\s/:@\"'<>]{0,100}:",
    secret: "[^\\s/@\"'<>]{3,500}(?=@)",
    begins: ["://"],
  },
  {
    name: "value",
    before: `(?<![a-z])(?:${NAMES})(?:_[A-Z0-9_]{1,40})?=["']?`,
    secret: "[^\\s\"'$`]{8,8000}",
    begins: NAMES.replace("API_?KEY", "APIKEY|API_KEY").replace("CREDENTIALS?", "CREDENTIAL").split("|"),
  },
];
