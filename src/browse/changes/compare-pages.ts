import { countWords, takeCharacters } from '../../lib/text/text.ts';
import { findHeadings } from '../reading/outline.ts';
import { type MarkdownBlock, splitBlocks } from '../reducing/blocks.ts';
import { dropInlineAddresses } from '../sections/addresses.ts';
import type { PageChange, PageChanges, PageChangesLimits } from '../types.ts';

/** Compares two versions of a page block by block. Moved blocks do not count: news lists reorder daily. */

interface PagePiece {
  readonly kind: MarkdownBlock['kind'];
  readonly text: string;
  readonly key: string;
  readonly section: string;
}

const MAX_CANDIDATES = 40;
const MAX_COMPARISONS = 20_000;
const COMPARED_WORDS = 200;
/** Minimum Dice coefficient (similarity, 0 to 1) of an old and a new block in the same section. */
const LIKE = 0.4;
/** Minimum Dice coefficient of an old and a new block in different sections. */
const LIKE_APART = 0.65;
/** Matches a link's query and fragment. They are not compared, because many sites vary them per response. */
const QUERY = /(\]\([^()\s?#]{0,2000})[?#][^()\s]{0,2000}/g;

export function comparePages(before: string, after: string, wanted: PageChangesLimits): PageChanges {
  const [old, now] = [piecesOf(before), piecesOf(after)];
  const added = beyond(now, old);
  const removed = beyond(old, now);
  const { pairs, gone } = paired(added, removed);
  const all = added.map((piece): PageChange => {
    const was = pairs.get(piece);
    return was
      ? changeOf(was, piece)
      : { kind: 'added', ...sectionOf(piece), text: shortenBlock(piece.text) };
  });
  const lost = gone.map(
    (piece): PageChange => ({ kind: 'removed', ...sectionOf(piece), text: shortenBlock(piece.text) }),
  );
  return {
    added: added.length - pairs.size,
    removed: gone.length,
    changed: pairs.size,
    list: bounded([...all, ...lost], wanted),
  };
}

function piecesOf(markdown: string): PagePiece[] {
  const blocks = splitBlocks(markdown);
  const titles = new Map(findHeadings(blocks).map(({ at, title }) => [at, title]));
  let section = '';
  return blocks.flatMap(({ kind, text }, at) => {
    section = titles.get(at) ?? section;
    const texts = kind === 'rows' ? text.split('\n') : [text];
    return texts.flatMap((one) => {
      const key = one.replace(QUERY, '$1').replace(/\s+/g, ' ').trim();
      return key === '' ? [] : [{ kind, text: one, key, section: kind === 'heading' ? '' : section }];
    });
  });
}

function beyond(pieces: readonly PagePiece[], others: readonly PagePiece[]): PagePiece[] {
  const left = new Map<string, number>();
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1);
  return pieces.filter(({ key }) => {
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0;
  });
}

/** Pairs added blocks with similar removed blocks. `gone` holds the removed blocks without a partner. */
function paired(added: readonly PagePiece[], removed: readonly PagePiece[]) {
  const pairs = new Map<PagePiece, PagePiece>();
  const gone = new Set(removed);
  const bySection = new Map<string, Set<PagePiece>>();
  for (const piece of removed) {
    bySection.set(piece.section, (bySection.get(piece.section) ?? new Set()).add(piece));
  }
  const wordsOf = createWords();
  let left = MAX_COMPARISONS;
  for (const piece of added) {
    if (left <= 0) break;
    const candidates = new Set([...first(bySection.get(piece.section) ?? []), ...first(gone)]);
    left -= candidates.size;
    const was = likest(piece, candidates, wordsOf);
    if (!was) continue;
    pairs.set(piece, was);
    gone.delete(was);
    bySection.get(was.section)?.delete(was);
  }
  return { pairs, gone: [...gone] };
}

type WordsOf = (piece: PagePiece) => ReadonlySet<string>;

function likest(piece: PagePiece, candidates: Iterable<PagePiece>, wordsOf: WordsOf): PagePiece | undefined {
  let best: { readonly was: PagePiece; readonly likeness: number } | undefined;
  for (const was of candidates) {
    if (was.kind !== piece.kind) continue;
    const likeness = shareOf(wordsOf(was), wordsOf(piece));
    const least = was.section === piece.section ? LIKE : LIKE_APART;
    if (likeness >= least && likeness > (best?.likeness ?? 0)) best = { was, likeness };
  }
  return best?.was;
}

function first(pieces: Iterable<PagePiece>): PagePiece[] {
  const some: PagePiece[] = [];
  for (const piece of pieces) {
    if (some.length === MAX_CANDIDATES) break;
    some.push(piece);
  }
  return some;
}

function createWords(): WordsOf {
  const known = new WeakMap<PagePiece, ReadonlySet<string>>();
  return (piece) => {
    let words = known.get(piece);
    if (!words) {
      const all = piece.key.slice(0, 20 * COMPARED_WORDS).match(/[\p{L}\p{N}]+/gu) ?? [];
      words = new Set(all.slice(0, COMPARED_WORDS));
      known.set(piece, words);
    }
    return words;
  };
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  return (2 * common) / (a.size + b.size);
}

function changeOf(was: PagePiece, piece: PagePiece): PageChange {
  const plain = [dropInlineAddresses(was.text, 'all'), dropInlineAddresses(piece.text, 'all')] as const;
  // Link addresses are shown only if the two texts do not differ in anything else.
  const [old, now] = plain[0] === plain[1] ? [was.text, piece.text] : plain;
  const [before, text] = showDifference(old, now);
  return { kind: 'changed', ...sectionOf(piece), before, text };
}

function sectionOf({ section }: PagePiece): { readonly section?: string } {
  return section === '' ? {} : { section };
}

function bounded(changes: readonly PageChange[], { most, chars, words = Infinity }: PageChangesLimits) {
  let [charsLeft, wordsLeft] = [chars, words];
  const list: PageChange[] = [];
  for (const change of changes.slice(0, most)) {
    const text = `${change.section ?? ''} ${change.before ?? ''} ${change.text}`;
    charsLeft -= text.length;
    wordsLeft -= words === Infinity ? 0 : countWords(text);
    if (charsLeft < 0 || wordsLeft < 0) break;
    list.push(change);
  }
  return list;
}

const SHOWN_CHARS = 600;
const AROUND_CHARS = 60;
const LONGEST_WORD = 30;

function showDifference(a: string, b: string): [string, string] {
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

/** Returns the nearest index of a space or text end in direction `step`, or `place` if none is near. */
function wordEdge(text: string, place: number, step: 1 | -1): number {
  for (let at = place; Math.abs(at - place) < LONGEST_WORD; at += step) {
    if (at <= 0 || at >= text.length || /\s/.test(text.charAt(at))) return at;
  }
  return place;
}

function shortenBlock(text: string): string {
  return cut(dropInlineAddresses(text.slice(0, 10 * SHOWN_CHARS), 'all').trim());
}

function cut(text: string): string {
  return text.length <= SHOWN_CHARS ? text.toWellFormed() : `${takeCharacters(text, SHOWN_CHARS)} …`;
}
