const MASK = '[redacted]';

/** Values after these names are secret wherever they stand: JSON members, headers, query strings. */
const NAMES =
  'authorization|cookie|set-cookie|password|passwd|secret|token|access_token|refresh_token|api[-_]?key|' +
  'x-api-key|autoplatformapikey|openai_api_key|database_url|client_secret';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`("(?:[a-z0-9_-]*(?:${NAMES}))"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'gi'), `$1${MASK}`],
  [new RegExp(`([?&](?:[a-z0-9_-]*(?:${NAMES}|key|sig|signature))=)[^&#\\s"\\\\]+`, 'gi'), `$1${MASK}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/g, `$1 ${MASK}`],
  [/\bmagpie_[A-Za-z0-9_-]{8,}/g, MASK],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"\\]+@/gi, `$1${MASK}@`],
];

/** `line` with everything masked that resembles a secret; other text is left as it is. */
export function redactSecrets(line: string): string {
  let out = line;
  for (const [pattern, replacement] of PATTERNS) out = out.replace(pattern, replacement);
  return out;
}

/** A shorter secret is a word, or a digit, that may well stand anywhere. */
const MIN_SECRET_CHARACTERS = 4;

/** `text` without these secrets, also as they stand in an address. For secrets whose value is known. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let out = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_CHARACTERS) continue;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), inAddress(secret)]) {
      out = out.replaceAll(form, MASK);
    }
  }
  return out;
}

function inAddress(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const WORD_MASK = '[…]';
/** Letters by which a word is known again; one that is cut off in a message is still the same. */
const BEGINNING_CHARACTERS = 4;
const WORDS = /(?:%[0-9a-f]{2})+|[\p{L}\p{N}]+/giu;

/**
 * Takes the words of what a caller sent out of a text about it, for the log: a message names the address that
 * failed or the value that was wrong. Words that begin as one of the caller's go too, and short ones stay.
 */
export function createContentMask(sent: unknown): (text: string) => string {
  const beginnings = new Set<string>();
  for (const text of textsIn(sent)) {
    for (const [word] of text.matchAll(WORDS)) {
      if (word.length >= BEGINNING_CHARACTERS) beginnings.add(beginningOf(word));
    }
  }
  const masked = (word: string) => {
    // Escaped bytes are not Latin text and could be anything.
    if (word.startsWith('%')) return /%[89a-f]/i.test(word) ? WORD_MASK : word;
    return word.length >= BEGINNING_CHARACTERS && beginnings.has(beginningOf(word)) ? WORD_MASK : word;
  };
  return (text) => text.replace(WORDS, masked);
}

function beginningOf(word: string): string {
  return word.slice(0, BEGINNING_CHARACTERS).toLowerCase();
}

/** All texts within a value as JSON has it, names of members included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
