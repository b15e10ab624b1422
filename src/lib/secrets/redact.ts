const MASK = '[redacted]';

/** Values after these names are secret wherever they stand: JSON members, headers, query strings. */
const NAMES =
  'authorization|cookie|set-cookie|password|passwd|secret|token|access_token|refresh_token|api[-_]?key|' +
  'x-api-key|autoplatformapikey|openai_api_key|database_url|client_secret';

/** A member whose name ends so, up to the quote that begins its text; JSON within JSON has backslashes before it. */
const MEMBER = new RegExp(`(?:${NAMES})(\\\\{0,15})"\\s{0,20}:\\s{0,20}(\\\\{0,15})"`, 'gi');
/** Found by its sign: to try the names at each letter takes 400 times as long. */
const PARAMETER = new RegExp(`=(?<=[?&][a-z0-9_-]{0,60}(?:${NAMES}|key|sig|signature)=)[^&#\\s"\\\\]+`, 'gi');
const CREDENTIAL = /\b(Bearer|Basic)(\s{1,20})([A-Za-z0-9._~+/=-]+)/g;
const KEY = /\bmagpie_[A-Za-z0-9_-]{8,}/g;
/** From the two strokes of an address to the last `@` before the next one: a password may have one itself. */
const LOGIN = /:\/\/[^\s/"\\]+@/g;

/**
 * `line` with everything masked that resembles a secret; other text is left as it is. Takes time in proportion to
 * the length: names and answers of strangers pass here.
 */
export function redactSecrets(line: string): string {
  return redactMembers(line)
    .replace(PARAMETER, `=${MASK}`)
    .replace(CREDENTIAL, (whole, scheme: string, space: string, value: string) =>
      isWord(value) ? whole : `${scheme}${space}${MASK}`,
    )
    .replace(KEY, (whole) => (/[A-Z\d]/.test(whole) ? MASK : whole))
    .replace(LOGIN, `://${MASK}@`);
}

/** What follows a scheme's name in a sentence: "a Bearer token", "Basic authentication." */
function isWord(value: string): boolean {
  return /^(?:auth|authentication|authorization|credentials?|header|keys?|scheme|tokens?)\.?$/i.test(value);
}

/** Masks the texts of JSON members that are secret by their name, at whatever depth of JSON within JSON. */
function redactMembers(line: string): string {
  let out = '';
  let from = 0;
  MEMBER.lastIndex = 0;
  for (let found = MEMBER.exec(line); found; found = MEMBER.exec(line)) {
    const [whole, ofName = '', ofText = ''] = found;
    if (ofName.length !== ofText.length) {
      // The quote that ended this match may begin another.
      MEMBER.lastIndex = found.index + whole.length - 1;
      continue;
    }
    const start = found.index + whole.length;
    const end = endOfText(line, start, ofText.length);
    out += line.slice(from, start) + MASK;
    from = end;
    MEMBER.lastIndex = end;
  }
  return out + line.slice(from);
}

/** Where a JSON text ends whose quotes have so many backslashes before them: before them, or at the end of the line. */
function endOfText(line: string, start: number, depth: number): number {
  for (let quote = line.indexOf('"', start); quote >= 0; quote = line.indexOf('"', quote + 1)) {
    let strokes = 0;
    while (line[quote - strokes - 1] === '\\') strokes++;
    // Each backslash of the text itself stands for twice as many as the quote has, and the quote's own ones.
    if (strokes % (2 * (depth + 1)) === depth) return quote - depth;
  }
  return line.length;
}
