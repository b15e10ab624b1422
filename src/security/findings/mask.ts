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
  const literals = literalsIn(line);
  if (literals.length === 0) {
    const at = assignedAt(line);
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

/** A literal with its quotes: UTF-16 offsets, end excluded. One without a second quote goes to the end of the line. */
interface LiteralPlace {
  readonly start: number;
  readonly end: number;
}

/** Literals of a line of code in any language. Takes time in proportion to its length. */
export function literalsIn(line: string): LiteralPlace[] {
  const places: LiteralPlace[] = [];
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

/** Where the value begins after the first sign of an assignment; -1 without one. */
export function assignedAt(line: string): number {
  const sign = line.search(/[=:]/);
  const value = sign < 0 ? -1 : line.slice(sign + 1).search(/\S/);
  return value < 0 ? -1 : sign + 1 + value;
}

function mask(secret: string): string {
  return `${secret.slice(0, Math.min(MAX_SHOWN_CHARACTERS, Math.floor(secret.length / SHOWN_PART)))}…`;
}
