import { AppError } from '../errors.ts';
import { stem } from '../lib/stem.ts';
import { takeWords, terms } from '../lib/text.ts';
import { type Block, splitBlocks } from './blocks.ts';
import { plainText } from './plain-text.ts';
import type { Heading, OutlineEntry, Section } from './types.ts';

/** Most entries of an outline; the deepest levels go first. */
const MAX_ENTRIES = 60;
/** Words and characters of a heading that are shown. */
const MAX_TITLE_WORDS = 20;
const MAX_TITLE_CHARS = 300;
/** Headings of a text that are numbered; those after them are in no outline and name no section. */
const MAX_HEADINGS = 20_000;
/** Headings that an error names: the nearest, and in all. */
const MAX_NEAREST = 5;
const MAX_NAMED = 20;
/** Characters of a heading in an error. */
const MAX_SHOWN_CHARS = 80;

interface Place extends Heading {
  /** Place of its block. */
  readonly at: number;
  /** Characters before it. */
  readonly offset: number;
}

function placesOf(blocks: readonly Block[]): Place[] {
  const places: Place[] = [];
  let offset = 0;
  for (const [at, { kind, text, gap, level }] of blocks.entries()) {
    if (places.length === MAX_HEADINGS) break;
    if (kind === 'heading')
      places.push({ number: places.length + 1, level, title: titleOf(text), at, offset });
    offset += text.length + gap.length;
  }
  return places.filter(({ title }) => title !== '');
}

function titleOf(heading: string): string {
  // The end of a heading is under it or after it; a line without end is not a title.
  const words = plainText(
    heading
      .slice(0, 10 * MAX_TITLE_CHARS)
      .replace(/\n[^\n]*$/, '')
      .replace(/[ \t]#+$/, ''),
  );
  return takeWords(words, MAX_TITLE_WORDS).slice(0, MAX_TITLE_CHARS).toWellFormed().trimEnd();
}

/**
 * The headings of a text that comes in `parts` (joined they are the text), which was reduced from `section`:
 * its numbers hold whatever was left out.
 */
export function outlineOf(parts: readonly string[], section: Section): OutlineEntry[] {
  const pathOf = createPaths();
  const numberOf = numbering(section, pathOf);
  const ends: number[] = [];
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length);
  let part = 0;
  const found = withPaths(placesOf(splitBlocks(parts.join(''))), pathOf).map(
    ([{ level, title, offset }, path]) => {
      while ((ends[part] ?? Number.POSITIVE_INFINITY) <= offset) part++;
      return { number: numberOf(path), level, title, part: part + 1 };
    },
  );
  // A heading after those that are numbered has no number.
  const all = found.filter(({ number }) => number > 0);
  const counts = [1, 2, 3, 4, 5, 6].map((level) => all.filter((entry) => entry.level <= level).length);
  const deepest = counts.findLastIndex((count) => count > 0 && count <= MAX_ENTRIES) + 1;
  const first = counts.findIndex((count) => count > 0) + 1;
  return all.filter(({ level }) => level <= Math.max(deepest, first)).slice(0, MAX_ENTRIES);
}

/** The numbers of headings, by the headings above them; equal ones take theirs one after the other. */
function numbering({ markdown, first }: Section, pathOf: PathOf): (path: number) => number {
  const left = new Map<number, number[]>();
  for (const [{ number }, path] of withPaths(placesOf(splitBlocks(markdown)), pathOf).toReversed()) {
    const numbers = left.get(path) ?? [];
    numbers.push(first + number - 1);
    left.set(path, numbers);
  }
  return (path) => left.get(path)?.pop() ?? 0;
}

/** The number of a heading under those above it, whose own number is `above`: the same for the same words. */
type PathOf = (above: number, place: Place) => number;

function createPaths(): PathOf {
  const known = new Map<string, number>();
  return (above, { level, title }) => {
    const key = `${above} ${level} ${title}`;
    const path = known.get(key) ?? known.size + 1;
    known.set(key, path);
    return path;
  };
}

/** Each heading with the number of its path. */
function withPaths(places: readonly Place[], pathOf: PathOf): [Place, number][] {
  const above: { level: number; path: number }[] = [];
  return places.map((place) => {
    while ((above.at(-1)?.level ?? 0) >= place.level) above.pop();
    const path = pathOf(above.at(-1)?.path ?? 0, place);
    above.push({ level: place.level, path });
    return [place, path];
  });
}

/**
 * The section that a caller names, with its subsections: by its heading's words, by the fragment that an address
 * would have for it, or by its number in the outline. AppError `not_found` names the nearest headings.
 */
export function findSection(markdown: string, wanted: string): Section {
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
export function findSectionTitle(markdown: string, fragment: string): string | undefined {
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

function takeCharacters(title: string): string {
  return title.length > MAX_SHOWN_CHARS ? `${title.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : title;
}

function notFound(places: readonly Place[], wanted: string): AppError {
  const asked = JSON.stringify(takeWords(wanted, MAX_TITLE_WORDS).slice(0, 200));
  if (places.length === 0) {
    return new AppError('not_found', `section is ${asked}, but this page has no headings: leave section out`);
  }
  const near = nearest(places, wanted)
    .slice(0, MAX_NEAREST)
    .map(({ place }) => place);
  const others = places.filter((place) => !near.includes(place));
  const shown = others.slice(0, MAX_NAMED - near.length);
  const more = others.length - shown.length;
  const list = (headings: readonly Place[]) =>
    headings.map(({ number, title }) => `${number} ${JSON.stringify(takeCharacters(title))}`).join(', ');
  const rest = shown.length > 0 ? `${list(shown)}${more > 0 ? ` and ${more} more` : ''}` : '';
  const has =
    near.length > 0 ? [`the nearest: ${list(near)}`, rest && `the others: ${rest}`] : [`it has ${rest}`];
  return new AppError(
    'not_found',
    `section is ${asked}: the page has no such heading; ${has.filter(Boolean).join('; ')}`,
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
