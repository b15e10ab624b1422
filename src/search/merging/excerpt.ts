import { splitTerms, takeCharacters } from '../../lib/text/text.ts';
import { nearestPassage, withoutAccents } from './passage.ts';

const MAX_WORDS = 40;
const WINDOW_WORDS = 30;
const LEAD_WORDS = 6;
const MAX_READ_CHARS = 120_000;
const MAX_CHARS = 600;

const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const UNIT = new RegExp(`[${UNSPACED}]|[^\\s${UNSPACED}]+`, 'gu');
const CHARACTER = new RegExp(`^[${UNSPACED}]$`, 'u');

interface ExcerptUnit {
  readonly word: string;
  readonly start: number;
}

/** Returns up to 40 words around the place where most `searchedTerms` occur. Takes linear time. */
export function excerpt(markdown: string, searchedTerms: readonly string[]): string {
  const looked = markdown.slice(0, MAX_READ_CHARS);
  const { from: start, to: end } = nearestPassage(looked, searchedTerms) ?? { from: 0, to: looked.length };
  const text = plain(looked.slice(start, end));
  const units: ExcerptUnit[] = [...text.matchAll(UNIT)].map(({ 0: word, index }) => ({ word, start: index }));
  const from = Math.max(0, Math.min(bestPlace(units, searchedTerms) - LEAD_WORDS, units.length - MAX_WORDS));
  const first = units[from];
  const last = units[Math.min(from + MAX_WORDS, units.length) - 1];
  if (!first || !last) return '';
  const whole = text.slice(first.start, last.start + last.word.length).replace(/\s+/g, ' ');
  const cut = takeCharacters(whole, MAX_CHARS);
  const goesOn = from + MAX_WORDS < units.length || cut !== whole || end < markdown.length;
  return `${from > 0 || start > 0 ? '… ' : ''}${cut}${goesOn ? ' …' : ''}`;
}

function bestPlace(units: readonly ExcerptUnit[], asked: readonly string[]): number {
  const hits = findHits(units, asked);
  const inside = new Map<string, number>();
  let best = { place: 0, score: 0 };
  let left = 0;
  hits.forEach((hit, right) => {
    inside.set(hit.term, (inside.get(hit.term) ?? 0) + 1);
    for (let out = hits[left]; out && hit.at - out.at >= WINDOW_WORDS; out = hits[++left]) {
      const count = (inside.get(out.term) ?? 1) - 1;
      if (count > 0) inside.set(out.term, count);
      else inside.delete(out.term);
    }
    const score = inside.size * WINDOW_WORDS * 2 + (right - left);
    if (score > best.score) best = { place: hits[left]?.at ?? 0, score };
  });
  return best.place;
}

interface TermHit {
  readonly term: string;
  readonly at: number;
}

function findHits(units: readonly ExcerptUnit[], asked: readonly string[]): TermHit[] {
  const known = new Map<string, string | undefined>();
  return units.flatMap(({ word, start }, at) => {
    const next = units[at + 1];
    const pair = CHARACTER.test(word) && next?.start === start + word.length && CHARACTER.test(next.word);
    const seen = pair ? word + next.word : word;
    if (!known.has(seen)) known.set(seen, termOf(seen, asked));
    const term = known.get(seen);
    return term === undefined ? [] : [{ term, at }];
  });
}

function termOf(word: string, asked: readonly string[]): string | undefined {
  for (const term of splitTerms(word.slice(0, 200))) {
    const found = asked.find((one) => alike(one, term));
    if (found !== undefined) return found;
  }
  return undefined;
}

function alike(one: string, other: string): boolean {
  const [a, b] = [withoutAccents(one), withoutAccents(other)];
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 5 && short.slice(0, 5) === long.slice(0, 5)) return true;
  return short.length >= 3 && long.length <= short.length + 3 && long.startsWith(short);
}

const LINK =
  /!?\[([^\][\n]{0,300})\]\((?:<[^<>\n]{0,1000}>|[^\s()]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?)(?: "[^"\n]{0,200}")?\)/g;

function plain(markdown: string): string {
  return markdown
    .replace(LINK, '$1')
    .replace(LINK, '$1')
    .replace(/^[ \t|:-]{3,}$/gm, '')
    .replace(/^(?:[ \t]{0,8}(?:#{1,6}|[-*+>]|\d{1,4}[.)])[ \t]{1,8}){1,4}/gm, '')
    .replace(/^[ \t]{0,8}(?:```|~~~).{0,100}$/gm, '')
    .replace(/(?<!\\)[*`~]+|(?<![\\\p{L}\p{N}])_+|(?<!\\)_+(?![\p{L}\p{N}])/gu, '')
    .replace(/(?<!\\)\|/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
