/** Takes a token, and what git makes of it for a header, out of a text. */
export function redactor(token: string | undefined): (text: string) => string {
  const secret = token?.trim();
  if (!secret) return (text) => text;
  const forms = [secret, encodeURIComponent(secret), ...USERS.map((user) => basic(user, secret))];
  return (text) => forms.reduce((left, form) => left.replaceAll(form, "***"), text);
}

/** Whoever has a token is called so, by git. */
const USERS = ["x-access-token", "oauth2"];
export const basic = (user: string, token: string): string => Buffer.from(`${user}:${token}`).toString("base64");
