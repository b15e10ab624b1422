/** Most characters of an excerpt. */
export const MAX_EXCERPT_CHARACTERS = 300;
/** Characters of a secret that are shown so that its owner knows it again: a quarter, at most these. */
const MAX_SHOWN_CHARACTERS = 4;
const SHOWN_PART = 4;

/** A line, at most 300 characters, in which none of the secrets can be read; what is cut away lies farthest from them. */
export function maskSecret(line: string, ...secrets: readonly string[]): string {
  const masked = maskAll(line, secrets);
  if (masked.length <= MAX_EXCERPT_CHARACTERS) return masked.trim();
  const at = masked.indexOf('…');
  const start = Math.max(
    0,
    Math.min(at - MAX_EXCERPT_CHARACTERS / 2, masked.length - MAX_EXCERPT_CHARACTERS),
  );
  return masked.slice(start, start + MAX_EXCERPT_CHARACTERS).trim();
}

/** A text of any length in which none of the secrets can be read. */
export function maskAll(text: string, secrets: readonly string[]): string {
  const whole = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  let masked = text;
  // By a function, since `$&` of a password in the text would stand for the whole of it.
  for (const secret of whole) masked = masked.replaceAll(secret, () => mask(secret));
  return masked;
}

/** A line of code in which no literal can be read, where it is not known which part of it is the secret. */
export function maskLiterals(line: string): string {
  const masked = line.replace(/(["'`])(?:\\.|(?!\1).)*(?:\1|$)/g, '$1…$1');
  return masked === line ? line.replace(/([=:]\s*)\S.*$/, '$1…') : masked;
}

function mask(secret: string): string {
  return `${secret.slice(0, Math.min(MAX_SHOWN_CHARACTERS, Math.floor(secret.length / SHOWN_PART)))}…`;
}
