import { type AppError, notFoundError } from '../../errors.ts';
import { decodePercent } from '../../lib/text/decode-percent.ts';
import { stem } from '../../lib/text/stem.ts';
import { splitTerms, takeCharacters, takeWords } from '../../lib/text/text.ts';
import { findHeadings, MAX_TITLE_WORDS, type PlacedHeading } from '../reading/outline.ts';
import { type MarkdownBlock, splitBlocks } from '../reducing/blocks.ts';
import { collectCitedNotes, findCitedNotes } from '../reducing/cited-notes.ts';
import {
  foldCaseAndAccents,
  type HeadingWord,
  isSameWord,
  splitHeadingWords,
} from '../reducing/heading-words.ts';
import type { Section } from '../types.ts';

const MAX_NEAREST = 5;
const MAX_NAMED = 20;
const MAX_SHOWN_CHARS = 80;
const MAX_OTHERS = 5;

/** Finds a section by number, heading, URL fragment or words. Throws AppError `not_found`. */
export function findSection(markdown: string, wanted: string): Section {
  const blocks = splitBlocks(markdown);
  const places = findHeadings(blocks);
  const found = fitting(places, wanted);
  const [place, ...others] = found.places;
  if (!place) throw notFound(places, wanted);
  const next = places.find(({ at, level }) => at > place.at && level <= place.level);
  return {
    title: place.title,
    markdown: withItsNotes(blocks, place.at, next?.at ?? blocks.length),
    first: place.number,
    choice: {
      exact: found.exact,
      fitting: found.places.length,
      others: others.slice(0, MAX_OTHERS).map(({ number }) => number),
    },
  };
}

function withItsNotes(blocks: readonly MarkdownBlock[], from: number, to: number): string {
  const isNote = (index: number) => blocks[index]?.kind === 'note';
  const all = Array.from({ length: to - from }, (_, at) => from + at);
  const texts = all.filter((index) => !isNote(index));
  const isOfNotes = texts.every((index) => blocks[index]?.kind === 'heading');
  const notes = collectCitedNotes(texts, findCitedNotes(blocks));
  const inside = new Set(notes.filter((index) => index >= from && index < to));
  const own = all.filter((index) => isOfNotes || !isNote(index) || inside.has(index));
  const text = own
    .map((index) => `${blocks[index]?.text ?? ''}${blocks[index]?.gap ?? ''}`)
    .join('')
    .trimEnd();
  const others = notes.filter((index) => !inside.has(index)).map((index) => blocks[index]?.text ?? '');
  return [text, ...others].join('\n\n');
}

export function findSectionTitle(markdown: string, fragment: string): string | undefined {
  const slug = slugOf(fragment);
  if (slug === '') return undefined;
  return findHeadings(splitBlocks(markdown)).find(({ title }) => slugOf(title) === slug)?.title;
}

function fitting(places: readonly PlacedHeading[], wanted: string) {
  const text = decodePercent(wanted.trim());
  const line = lineOf(text);
  const same = places.filter(({ title }) => lineOf(title) === line);
  if (same.length > 0) return { exact: true, places: same };
  const number = /^#?(\p{Nd}{1,6})$/u.exec(text)?.[1];
  if (number) {
    const [asked] = splitHeadingWords(number);
    return { exact: true, places: places.filter((place) => asked?.number === String(place.number)) };
  }
  const asked = splitHeadingWords(text.replace(/(?:…|\.\.\.)$/, ''));
  if (asked.length === 0) return { exact: false, places: [] };
  const known = places.map((place): KnownHeading => ({ place, words: splitHeadingWords(place.title) }));
  const isCut = /(?:…|\.\.\.)$/.test(text);
  const ways: [exact: boolean, found: readonly KnownHeading[]][] = [
    [true, known.filter(({ words }) => isSame(words, asked))],
    [true, known.filter((one) => isNumbered(one, asked))],
    [
      true,
      isCut ? known.filter(({ place }) => foldCaseAndAccents(place.title).startsWith(line.slice(0, -3))) : [],
    ],
    [false, known.filter(({ words }) => isAt(words, asked, 0) && !words[asked.length]?.inside)],
    [false, withAllWords(known, asked)],
  ];
  const [exact, found] = ways.find(([, found]) => found.length > 0) ?? [false, []];
  return { exact, places: found.map(({ place }) => place) };
}

interface KnownHeading {
  readonly place: PlacedHeading;
  readonly words: readonly HeadingWord[];
}

const lineOf = (text: string): string => foldCaseAndAccents(text).replace(/\s+/g, ' ').trim();

function isSame(words: readonly HeadingWord[], asked: readonly HeadingWord[]): boolean {
  return words.length === asked.length && isAt(words, asked, 0);
}

/** True if `Usage` finds the heading `3. Usage`, or `3 Usage` finds the third heading, `Usage`. */
function isNumbered({ place, words }: KnownHeading, asked: readonly HeadingWord[]): boolean {
  const [own, ...rest] = words;
  if (own?.digits && isSame(rest, asked)) return true;
  const [number, ...named] = asked;
  return number?.number === String(place.number) && isSame(words, named);
}

function isAt(words: readonly HeadingWord[], asked: readonly HeadingWord[], at: number): boolean {
  return asked.every((word, i) => {
    const own = words[at + i];
    return own !== undefined && isSameWord(own, word);
  });
}

function withAllWords(known: readonly KnownHeading[], asked: readonly HeadingWord[]): KnownHeading[] {
  const groups = groupsOf(asked);
  const startsWithNumber = asked[0]?.digits;
  return known
    .filter(
      ({ words }) =>
        groups.every((group) => words.some((_, at) => hasGroup(words, group, at))) &&
        (!startsWithNumber || hasGroup(words, groups[0] ?? [], 0)),
    )
    .sort((a, b) => a.words.length - b.words.length || a.place.at - b.place.at);
}

function groupsOf(asked: readonly HeadingWord[]): HeadingWord[][] {
  const groups: HeadingWord[][] = [];
  for (const word of asked) {
    const last = groups.at(-1);
    if (last && (!word.first || word.number !== undefined)) last.push(word);
    else groups.push([word]);
  }
  return groups;
}

function hasGroup(words: readonly HeadingWord[], group: readonly HeadingWord[], at: number): boolean {
  const stands = group.every((word, i) => {
    const own = words[at + i];
    return own !== undefined && (isSameWord(own, word) || (!word.number && own.stem === word.stem));
  });
  return stands && !words[at]?.inside && !words[at + group.length]?.inside;
}

function nearest(places: readonly PlacedHeading[], wanted: string) {
  const asked = new Set(splitTerms(wanted.replace(/[-_]/g, ' ')).map(stem));
  return places
    .map((place) => {
      const own = new Set(splitTerms(place.title).map(stem));
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

function shortenTitle(title: string): string {
  return title.length > MAX_SHOWN_CHARS ? `${takeCharacters(title, MAX_SHOWN_CHARS)}…` : title;
}

function notFound(places: readonly PlacedHeading[], wanted: string): AppError {
  const asked = JSON.stringify(takeWords(wanted, MAX_TITLE_WORDS).slice(0, 200));
  if (places.length === 0) {
    return notFoundError(`section is ${asked}, but this page has no headings: leave section out`);
  }
  const near = nearest(places, wanted)
    .slice(0, MAX_NEAREST)
    .map(({ place }) => place);
  const others = places.filter((place) => !near.includes(place));
  const shown = others.slice(0, MAX_NAMED - near.length);
  const more = others.length - shown.length;
  const list = (headings: readonly PlacedHeading[]) =>
    headings.map(({ number, title }) => `${number} ${JSON.stringify(shortenTitle(title))}`).join(', ');
  const rest = shown.length > 0 ? `${list(shown)}${more > 0 ? ` and ${more} more` : ''}` : '';
  const has =
    near.length > 0 ? [`the nearest: ${list(near)}`, rest && `the others: ${rest}`] : [`it has ${rest}`];
  return notFoundError(
    `section is ${asked}: the page has no such heading; ${has.filter(Boolean).join('; ')}`,
  );
}

function slugOf(text: string): string {
  const plain = text.trim().replace(/^#/, '');
  return splitTerms(decodePercent(plain)).join('-');
}
