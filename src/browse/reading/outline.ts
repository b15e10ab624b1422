import { takeWords } from '../../lib/text/text.ts';
import { type Block, splitBlocks } from '../reducing/blocks.ts';
import { plainText } from '../reducing/plain-text.ts';
import type { Heading, OutlineEntry, Section } from '../types.ts';

/** Most entries of an outline; the deepest levels go first. */
const MAX_ENTRIES = 60;
/** Words and characters of a heading that are shown. */
export const MAX_TITLE_WORDS = 20;
const MAX_TITLE_CHARS = 300;
/** Headings of a text that are numbered; those after them are in no outline and name no section. */
const MAX_HEADINGS = 20_000;

/** A heading in its text. */
export interface Place extends Heading {
  /** Place of its block. */
  readonly at: number;
  /** Characters before it. */
  readonly offset: number;
}

/** The headings among blocks, numbered. */
export function placesOf(blocks: readonly Block[]): Place[] {
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
