import { createHash } from 'node:crypto';

/**
 * Returns a short mark for the position of a passage, to be used in a URL: `120-843-1a2b3c4d`. The numbers are its start and end
 * in Unicode code points from 0. The rest is the beginning of a digest, so that nothing is marked in a text that has changed.
 */
export function passageMark(start: number, passage: string): string {
  return `${start}-${start + countCharacters(passage)}-${digestOf(passage)}`;
}

/** Returns the passage to which a mark points. Undefined if the text has changed there. */
export function markedPassage(text: string, mark: string): string | undefined {
  const [, from, to, digest] = /^(\d{1,9})-(\d{1,9})-([\da-f]{8})$/.exec(mark) ?? [];
  const start = unitOf(text, Number(from), 0);
  const passage = text.slice(start, unitOf(text, Number(to) - Number(from), start));
  return digest !== undefined && digestOf(passage) === digest ? passage : undefined;
}

/** Returns the number of Unicode code points of a well-formed text. All programming languages agree on positions in this unit. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}

/** Returns the UTF-16 offset that lies `characters` code points after `from`. */
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
