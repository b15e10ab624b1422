import { takeWords } from '../../lib/text/text.ts';
import { type MarkdownBlock, splitBlocks } from '../reducing/blocks.ts';
import { markdownToPlainText } from '../reducing/plain-text.ts';
import type { Heading, OutlineEntry, Section } from '../types.ts';

const MAX_ENTRIES = 60;
export const MAX_TITLE_WORDS = 20;
const MAX_TITLE_CHARS = 300;
const MAX_HEADINGS = 20_000;

export interface PlacedHeading extends Heading {
  readonly at: number;
  readonly offset: number;
}

export function findHeadings(blocks: readonly MarkdownBlock[]): PlacedHeading[] {
  const places: PlacedHeading[] = [];
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
  // Removes the last line, which is an underline such as `===` or was cut off, and `#` signs at the end.
  const words = markdownToPlainText(
    heading
      .slice(0, 10 * MAX_TITLE_CHARS)
      .replace(/\n[^\n]*$/, '')
      .replace(/[ \t]#+$/, ''),
  );
  return takeWords(words, MAX_TITLE_WORDS).slice(0, MAX_TITLE_CHARS).toWellFormed().trimEnd();
}

export function buildOutline(parts: readonly string[], section: Section): OutlineEntry[] {
  const pathOf = createPaths();
  const numberOf = numbering(section, pathOf);
  const ends: number[] = [];
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length);
  let part = 0;
  const found = withPaths(findHeadings(splitBlocks(parts.join(''))), pathOf).map(
    ([{ level, title, offset }, path]) => {
      while ((ends[part] ?? Number.POSITIVE_INFINITY) <= offset) part++;
      return { number: numberOf(path), level, title, part: part + 1 };
    },
  );
  const all = found.filter(({ number }) => number > 0);
  const counts = [1, 2, 3, 4, 5, 6].map((level) => all.filter((entry) => entry.level <= level).length);
  const deepest = counts.findLastIndex((count) => count > 0 && count <= MAX_ENTRIES) + 1;
  const first = counts.findIndex((count) => count > 0) + 1;
  return all.filter(({ level }) => level <= Math.max(deepest, first)).slice(0, MAX_ENTRIES);
}

function numbering({ markdown, first }: Section, pathOf: PathOf): (path: number) => number {
  const left = new Map<number, number[]>();
  for (const [{ number }, path] of withPaths(findHeadings(splitBlocks(markdown)), pathOf).toReversed()) {
    const numbers = left.get(path) ?? [];
    numbers.push(first + number - 1);
    left.set(path, numbers);
  }
  return (path) => left.get(path)?.pop() ?? 0;
}

/** Returns an id for a heading. Headings with equal title, level and parent heading (`above`) share an id. */
type PathOf = (above: number, place: PlacedHeading) => number;

function createPaths(): PathOf {
  const known = new Map<string, number>();
  return (above, { level, title }) => {
    const key = `${above} ${level} ${title}`;
    const path = known.get(key) ?? known.size + 1;
    known.set(key, path);
    return path;
  };
}

function withPaths(places: readonly PlacedHeading[], pathOf: PathOf): [PlacedHeading, number][] {
  const above: { level: number; path: number }[] = [];
  return places.map((place) => {
    while ((above.at(-1)?.level ?? 0) >= place.level) above.pop();
    const path = pathOf(above.at(-1)?.path ?? 0, place);
    above.push({ level: place.level, path });
    return [place, path];
  });
}
