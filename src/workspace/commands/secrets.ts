/** A secret that is known by its value: where it comes from, and the text. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

const SECRET_WORD =
  /(?:^|[_-])(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PW|CREDENTIALS?|CREDS|COOKIE|DSN|AUTH|PAT|PRIVATE|[A-Z]*KEYS?)(?:$|[_-])|SECRET|PASSWORD|APIKEY|TOKEN$/i;
/** names that look like it, and hold a path, a socket or a setting */
const NO_SECRET =
  /^(?:PWD|OLDPWD|XAUTHORITY|SSH_AUTH_SOCK|PAWL_.*)$|(?:_PATH|_FILE|_DIR|_SOCK|_HOME|_ID|_NAME|_TYPE|_METHOD|_USER|_VERSION|_LAYOUT|_LIMIT|_LENGTH|_TTL)$/i;
/** Below it a value would be found in many words that have nothing to do with it. */
const SHORTEST = 6;

/** The secrets in an environment: values whose names say so, and passwords in URLs of any name. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly Secret[] {
  return Object.entries(env).flatMap(([name, value = ""]) => [
    ...(isSecretName(name) && isLong(value) ? [{ name, value: value.trim() }] : []),
    ...passwordsIn(value).map((password) => ({ name, value: password })),
  ]);
}

/** Whether a variable of that name is taken to hold a secret. */
export const isSecretName = (name: string): boolean => SECRET_WORD.test(name) && !NO_SECRET.test(name);

const isLong = (value: string): boolean =>
  value.trim().length >= SHORTEST && !/^(?:[\d.]+|true|false|none|null|undefined|default)$/i.test(value.trim());

function passwordsIn(value: string): readonly string[] {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i.exec(value)?.[1];
  return found === undefined || !isLong(found) ? [] : [found];
}

/** The ways in which a program may write a value: as it is, in a URL, in JSON, in base64. */
export const writtenForms = (value: string): readonly string[] => {
  const bytes = Buffer.from(value, "utf8");
  const forms = [value, encode(value), JSON.stringify(value).slice(1, -1), bytes.toString("base64")];
  return [...new Set(forms.map((form) => Buffer.from(form, "utf8").toString("latin1")))];
};

function encode(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // half of a surrogate pair
  }
}
