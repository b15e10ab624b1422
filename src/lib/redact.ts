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

/** `line` with everything that looks like a secret masked; other text is left as it is. */
export function redactSecrets(line: string): string {
  let out = line;
  for (const [pattern, replacement] of PATTERNS) out = out.replace(pattern, replacement);
  return out;
}
