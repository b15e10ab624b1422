const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export const escapeInvisible = (text: string): string => text.replace(UNSEEN, escaped);

export function escapeInvisibleLine(text: string): string {
  return escapeInvisible(text.replace(/\s+/g, ' ').trim());
}

export function escapeInvisibleJson(json: string): string {
  // Keeps line breaks and tabs: JSON has them only between values, because strings contain them escaped.
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
