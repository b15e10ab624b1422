import type { TextSpan } from '../../lib/secrets/known-secrets.ts';

export const MAX_EXCERPT_CHARACTERS = 300;
/** At most this many first characters of a secret stay visible, and at most a quarter of the secret. */
const MAX_SHOWN_CHARACTERS = 4;
const SHOWN_PART = 4;

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

export function maskAll(text: string, secrets: readonly string[]): string {
  const whole = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  let masked = text;
  // The replacement is a function, because `replaceAll` would expand `$&` in a replacement string.
  for (const secret of whole) masked = masked.replaceAll(secret, () => mask(secret));
  return masked;
}

export function maskLiterals(line: string): string {
  const literals = literalsIn(line);
  if (literals.length === 0) {
    const at = findAssignedValueStart(line);
    return at < 0 ? line : `${line.slice(0, at)}…`;
  }
  let masked = '';
  let from = 0;
  for (const { start, end } of literals) {
    masked += `${line.slice(from, start)}${line[start]}…${line[start]}`;
    from = end;
  }
  return masked + line.slice(from);
}

export function literalsIn(line: string): TextSpan[] {
  const places: TextSpan[] = [];
  const quotes = /["'`]/g;
  for (let found = quotes.exec(line); found; found = quotes.exec(line)) {
    const closing = closingQuote(line, found.index);
    const end = closing < 0 ? line.length : closing + 1;
    places.push({ start: found.index, end });
    quotes.lastIndex = end;
  }
  return places;
}

function closingQuote(line: string, open: number): number {
  for (let at = open + 1; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === line[open]) return at;
  }
  return -1;
}

export function findAssignedValueStart(line: string): number {
  const sign = line.search(/[=:]/);
  const value = sign < 0 ? -1 : line.slice(sign + 1).search(/\S/);
  return value < 0 ? -1 : sign + 1 + value;
}

function mask(secret: string): string {
  return `${secret.slice(0, Math.min(MAX_SHOWN_CHARACTERS, Math.floor(secret.length / SHOWN_PART)))}…`;
}
