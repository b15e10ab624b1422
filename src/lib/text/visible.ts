const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * `text` with invisible characters written out: line breaks as `\n`, tabs as `\t`, other control characters, zero-width and
 * direction-changing ones by their code as `\u202e`. For outside names and code, which could forge a line of our output,
 * steer a terminal, or read differently from what they are.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** Prose or code as one line: white space as single spaces, and the rest as above. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}

/** JSON with the same characters as escapes, so that it stays the same value. */
export function visibleJson(json: string): string {
  // Outside of strings JSON has line breaks and tabs as white space, and inside none.
  return json.replace(UNSEEN, (sign) => (/[\n\r\t]/.test(sign) ? sign : units(sign)));
}

function escaped(sign: string): string {
  if (sign === '\n') return '\\n';
  if (sign === '\r') return '\\r';
  return sign === '\t' ? '\\t' : units(sign);
}

function units(sign: string): string {
  return sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
