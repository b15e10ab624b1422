import { orderRevised, splitRevision } from './compare-each.ts';

/** Matches epoch, upstream version and revision. Source: deb-version(7). */
const VERSION = /^(?:(\d{1,9}):)?([\dA-Za-z.+~:-]+)$/;

export function parseDebian(version: string) {
  const [, epoch = '0', rest] = VERSION.exec(version.trim()) ?? [];
  if (rest === undefined || !/^\d/.test(rest) || rest.endsWith('-')) return undefined;
  return splitRevision(epoch, rest);
}

export const compareDebian = orderRevised(compareDebianParts);

/** Parses an opam version. Opam sorts like Debian, but has no epoch and allows underscores. */
export const parseOpam = (version: string): string | undefined =>
  /^v?\d[\w.+~-]*$/.test(version) ? version : undefined;

export function compareDebianParts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const difference = weight(a, i) - weight(b, j);
      if (difference !== 0) return difference;
      i++;
      j++;
    }
    const [left, right] = [digitsFrom(a, i), digitsFrom(b, j)];
    i += left.length;
    j += right.length;
    const [low, high] = [BigInt(left || '0'), BigInt(right || '0')];
    if (low !== high) return low < high ? -1 : 1;
  }
  return 0;
}

function isDigit(text: string, at: number): boolean {
  const letter = text.charAt(at);
  return letter >= '0' && letter <= '9';
}

function digitsFrom(text: string, from: number): string {
  let end = from;
  while (end < text.length && isDigit(text, end)) end++;
  return text.slice(from, end);
}

/** Returns the sort weight of a character. Ascending: tilde, end of the text, letters, other characters. */
function weight(text: string, at: number): number {
  const letter = text.charAt(at);
  if (letter === '~') return -1;
  if (letter === '' || isDigit(text, at)) return 0;
  return /[A-Za-z]/.test(letter) ? letter.charCodeAt(0) : letter.charCodeAt(0) + 256;
}
