import { createHash } from 'node:crypto';

/** Returns a passage's id, for example `120-843-1a2b3c4d`: start and end in code points, and a hash. */
export function passageMark(start: number, passage: string): string {
  return `${start}-${start + countCodePoints(passage)}-${digestOf(passage)}`;
}

export function markedPassage(text: string, mark: string): string | undefined {
  const [, from, to, digest] = /^(\d{1,9})-(\d{1,9})-([\da-f]{8})$/.exec(mark) ?? [];
  const start = unitOf(text, Number(from), 0);
  const passage = text.slice(start, unitOf(text, Number(to) - Number(from), start));
  return digest !== undefined && digestOf(passage) === digest ? passage : undefined;
}

/** Counts code points. UTF-16 units would not match the count in other programming languages. */
export function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}

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
