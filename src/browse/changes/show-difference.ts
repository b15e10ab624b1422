import { dropInlineAddresses } from '../sections/addresses.ts';

const SHOWN_CHARS = 600;
const AROUND_CHARS = 60;
const LONGEST_WORD = 30;

export function showDifference(a: string, b: string): [string, string] {
  const { start, end } = sameEnds(a, b);
  return [around(a, start, a.length - end), around(b, start, b.length - end)];
}

function sameEnds(a: string, b: string): { readonly start: number; readonly end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { start, end };
}

function around(text: string, from: number, to: number): string {
  const begin = from <= AROUND_CHARS ? 0 : wordEdge(text, from - AROUND_CHARS, -1);
  const end = to + AROUND_CHARS >= text.length ? text.length : wordEdge(text, to + AROUND_CHARS, 1);
  return `${begin > 0 ? '… ' : ''}${cut(text.slice(begin, end).trim())}${end < text.length ? ' …' : ''}`;
}

/** Returns the next white space or text end in direction `step`, or `place` if it is over LONGEST_WORD characters away. */
function wordEdge(text: string, place: number, step: 1 | -1): number {
  for (let at = place; Math.abs(at - place) < LONGEST_WORD; at += step) {
    if (at <= 0 || at >= text.length || /\s/.test(text.charAt(at))) return at;
  }
  return place;
}

export function shortenBlock(text: string): string {
  return cut(dropInlineAddresses(text.slice(0, 10 * SHOWN_CHARS), 'all').trim());
}

function cut(text: string): string {
  return text.length <= SHOWN_CHARS ? text.toWellFormed() : `${text.slice(0, SHOWN_CHARS).toWellFormed()} …`;
}
