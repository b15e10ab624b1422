import { createHash } from 'node:crypto';

/**
 * Where a passage stands in a text, short enough for an address: `120-843-1a2b3c4d`, the characters (Unicode code points, from
 * 0) from and up to, and the beginning of a digest, so that nothing is marked in a text that has changed since.
 */
export function passageMark(start: number, passage: string): string {
  return `${start}-${start + countCharacters(passage)}-${digestOf(passage)}`;
}

/** The passage that a mark stands for; undefined where the text has another one there. */
export function markedPassage(text: string, mark: string): string | undefined {
  const [, from, to, digest] = /^(\d{1,9})-(\d{1,9})-([\da-f]{8})$/.exec(mark) ?? [];
  const start = unitOf(text, Number(from), 0);
  const passage = text.slice(start, unitOf(text, Number(to) - Number(from), start));
  return digest !== undefined && digestOf(passage) === digest ? passage : undefined;
}

/** Unicode code points of a well-formed text, by which programs of all languages agree on a place. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}

/** The UTF-16 unit that many characters behind one. */
function unitOf(text: string, characters: number, from: number): number {
  let unit = from;
  for (let left = characters; left > 0 && unit < text.length; left--) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

function digestOf(passage: string): string {
  return createHash('sha256').update(passage).digest('hex').slice(0, 8);
}
