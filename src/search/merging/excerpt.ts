import { splitTerms, takeCharacters } from '../../lib/text/text.ts';

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

const WINDOW_CHARS = 1200;
/** Characters that are added before and after the part with the searched words. */
const MARGIN_CHARS = 600;
const MAX_WHOLE_CHARS = 4000;
const MAX_PLACES = 2000;
/** Weight if the whole searched word occurs. If only its first letters occur, the weight is 1. */
const EXACT_WEIGHT = 2;
/** Matches letters with accents. The range also has × and ÷, which normalization does not change. */
const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/g;

/** Removes accents, so that `Häuser` becomes `Hauser`. Positions in the text stay the same. */
function withoutAccents(text: string): string {
  return text.replace(ACCENTED, (letter) => letter.normalize('NFD').charAt(0));
}

interface TermPlace {
  readonly at: number;
  readonly word: number;
  readonly weight: number;
}

function nearestPassage(
  text: string,
  asked: readonly string[],
): { readonly from: number; readonly to: number } | undefined {
  if (text.length <= MAX_WHOLE_CHARS) return { from: 0, to: text.length };
  const lower = withoutAccents(text.toLowerCase());
  const places = asked
    .flatMap((term, word) => placesOf(lower, withoutAccents(term), word))
    .sort((a, b) => a.at - b.at);
  const best = densest(places, asked.length);
  if (best === undefined) return undefined;
  const from = Math.max(0, best - MARGIN_CHARS);
  const to = Math.min(text.length, best + WINDOW_CHARS + MARGIN_CHARS);
  return { from: from === 0 ? 0 : betweenWords(text, from), to };
}

/** Returns the positions of a term's first letters. For `nesting`, these are the positions of `nest`. */
function placesOf(lower: string, term: string, word: number): TermPlace[] {
  const probe = term.slice(0, Math.min(5, Math.max(3, term.length - 3)));
  const places: TermPlace[] = [];
  for (let at = lower.indexOf(probe); at >= 0; at = lower.indexOf(probe, at + probe.length)) {
    places.push({ at, word, weight: lower.startsWith(term, at) ? EXACT_WEIGHT : 1 });
    if (places.length >= MAX_PLACES) break;
  }
  return places;
}

function densest(places: readonly TermPlace[], words: number): number | undefined {
  const counts = [new Uint32Array(words), new Uint32Array(words)] as const;
  let [distinct, best, start] = [0, -1, -1];
  let left = 0;
  const worth = (word: number) => (counts[1][word] ? EXACT_WEIGHT : counts[0][word] ? 1 : 0);
  const move = ({ word, weight }: TermPlace, by: 1 | -1) => {
    const before = worth(word);
    const kind = counts[weight === EXACT_WEIGHT ? 1 : 0];
    kind[word] = (kind[word] ?? 0) + by;
    distinct += worth(word) - before;
  };
  for (const [right, place] of places.entries()) {
    move(place, 1);
    for (let out = places[left]; out && place.at - out.at > WINDOW_CHARS; out = places[++left]) move(out, -1);
    const score = distinct * MAX_PLACES * words + (right - left);
    if (score > best) {
      best = score;
      start = places[left]?.at ?? 0;
    }
  }
  return start < 0 ? undefined : start;
}

function betweenWords(text: string, at: number): number {
  const found = text.slice(at, at + 200).search(/\s/);
  if (found >= 0) return at + found;
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at;
}
