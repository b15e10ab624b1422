import { AppError } from '../errors.ts';
import { stem } from '../lib/stem.ts';
import { takeWords, terms } from '../lib/text.ts';
import { type Block, splitBlocks } from './blocks.ts';
import { plainText } from './plain-text.ts';

/** A heading of a page. */
export interface Heading {
  /** Which one of the page's headings it is, from 1, whatever was left out of an outline. */
  readonly number: number;
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
}

/** A heading of an outline, with the part that it begins in, from 1. */
export interface OutlineEntry extends Heading {
  readonly part: number;
}

/** Most entries of an outline; the deepest levels go first. */
const ENTRIES = 60;
/** Words of a heading that are shown. */
const TITLE_WORDS = 20;
/** Headings that an error names. */
const NEAREST = 5;

interface Place extends Heading {
  /** Place of its block. */
  readonly at: number;
  /** Characters before it. */
  readonly offset: number;
}

function placesOf(blocks: readonly Block[]): Place[] {
  const places: Place[] = [];
  let offset = 0;
  blocks.forEach(({ kind, text, gap, level }, at) => {
    if (kind === 'heading') {
      const title = takeWords(plainText(text.replace(/\n[^\n]*$/, '').replace(/[ \t]#+$/, '')), TITLE_WORDS);
      places.push({ number: places.length + 1, level, title, at, offset });
    }
    offset += text.length + gap.length;
  });
  return places.filter(({ title }) => title !== '');
}

/** A page, or a section of one. */
export interface Section {
  /** The heading's, '' for a whole page. */
  readonly title: string;
  readonly markdown: string;
  /** The number of its first heading. */
  readonly first: number;
}

/**
 * The headings of a text that comes in `parts` (joined they are the text), which was reduced from `section`:
 * its numbers hold whatever was left out.
 */
export function outlineOf(parts: readonly string[], section: Section): OutlineEntry[] {
  const numberOf = numbering(section);
  const ends: number[] = [];
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length);
  let part = 0;
  const all = withPaths(placesOf(splitBlocks(parts.join('')))).map(([{ level, title, offset }, path]) => {
    while ((ends[part] ?? Number.POSITIVE_INFINITY) <= offset) part++;
    return { number: numberOf(path), level, title, part: part + 1 };
  });
  const counts = [1, 2, 3, 4, 5, 6].map((level) => all.filter((entry) => entry.level <= level).length);
  const deepest = counts.findLastIndex((count) => count > 0 && count <= ENTRIES) + 1;
  const first = counts.findIndex((count) => count > 0) + 1;
  return all.filter(({ level }) => level <= Math.max(deepest, first)).slice(0, ENTRIES);
}

/** The numbers of headings, by the headings above them; equal ones take theirs one after the other. */
function numbering({ markdown, first }: Section): (path: string) => number {
  const left = new Map<string, number[]>();
  for (const [{ number }, path] of withPaths(placesOf(splitBlocks(markdown))).toReversed()) {
    const numbers = left.get(path) ?? [];
    numbers.push(first + number - 1);
    left.set(path, numbers);
  }
  return (path) => left.get(path)?.pop() ?? 0;
}

/** Each heading with those above it as one string. */
function withPaths(places: readonly Place[]): [Place, string][] {
  const above: Place[] = [];
  return places.map((place) => {
    while ((above.at(-1)?.level ?? 0) >= place.level) above.pop();
    above.push(place);
    return [place, above.map(({ level, title }) => `${level} ${title}`).join('\n')];
  });
}

/**
 * The section that a caller names, with its subsections: by its heading's words, by the fragment that an address
 * would have for it, or by its number in the outline. AppError `not_found` names the nearest headings.
 */
export function sectionOf(markdown: string, wanted: string): Section {
  const blocks = splitBlocks(markdown);
  const places = placesOf(blocks);
  const found = find(places, wanted);
  if (!found) throw notFound(places, wanted);
  const next = places.find(({ at, level }) => at > found.at && level <= found.level);
  return {
    title: found.title,
    markdown: markdown.slice(found.offset, next?.offset).trimEnd(),
    first: found.number,
  };
}

/** The title of the section that an address's fragment names, if one does exactly. */
export function sectionAt(markdown: string, fragment: string): string | undefined {
  const slug = slugOf(fragment);
  if (slug === '') return undefined;
  return placesOf(splitBlocks(markdown)).find(({ title }) => slugOf(title) === slug)?.title;
}

function find(places: readonly Place[], wanted: string): Place | undefined {
  const slug = slugOf(wanted);
  // Headings of nothing but signs all have the slug ''.
  const named = ({ title }: Place) => (slug === '' ? title === wanted : slugOf(title) === slug);
  const exact = places.find(named) ?? numbered(places, wanted);
  if (exact) return exact;
  const [best, second] = nearest(places, wanted);
  // Every word asked for stands in the heading, or no other heading comes near.
  return best && (best.share === 1 || (best.share >= 0.5 && best.score > 1.5 * (second?.score ?? 0)))
    ? best.place
    : undefined;
}

/** "3" is the third heading; "2.1" the one that begins so. */
function numbered(places: readonly Place[], wanted: string): Place | undefined {
  const number = /^\s*#?(\d{1,6})\s*$/.exec(wanted)?.[1];
  if (number) return places.find((place) => place.number === Number(number));
  const label = /^\s*((?:\d{1,4}\.){1,6}\d{0,4})\s*$/.exec(wanted)?.[1]?.replace(/\.$/, '');
  if (!label) return undefined;
  return places.find(({ title }) => title.startsWith(label) && !/^\.?\d/.test(title.slice(label.length)));
}

/** Headings by how many of the words asked for they have, best first, then those with fewer words of their own. */
function nearest(places: readonly Place[], wanted: string) {
  const asked = new Set(terms(wanted.replace(/[-_]/g, ' ')).map(stem));
  return places
    .map((place) => {
      const own = new Set(terms(place.title).map(stem));
      const shared = [...asked].filter((word) => own.has(word)).length;
      return {
        place,
        share: shared / (asked.size || 1),
        score: shared / (asked.size + own.size - shared || 1),
      };
    })
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || b.score - a.score || a.place.at - b.place.at);
}

function notFound(places: readonly Place[], wanted: string): AppError {
  const asked = JSON.stringify(takeWords(wanted, TITLE_WORDS).slice(0, 200));
  if (places.length === 0) {
    return new AppError('not_found', `section is ${asked}, but this page has no headings: leave section out`);
  }
  const near = nearest(places, wanted).map(({ place }) => place);
  const named = [...new Set([...near, ...places])].slice(0, NEAREST);
  const list = named.map(({ number, title }) => `${number} ${JSON.stringify(title)}`).join(', ');
  return new AppError(
    'not_found',
    `section is ${asked}: the page has no such heading; ${near.length > 0 ? 'the nearest' : 'its first'} are ${list}`,
  );
}

/** As sites make fragments of headings: lower case, words joined by hyphens; an address's escapes undone. */
function slugOf(text: string): string {
  const plain = text.trim().replace(/^#/, '');
  return terms(unescaped(plain)).join('-');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
