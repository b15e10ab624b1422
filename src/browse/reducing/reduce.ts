import { Vocabulary } from '../extracting/vocabulary.ts';
import type { Focus, Reducer } from '../types.ts';
import { type Block, splitBlocks } from './blocks.ts';
import { citedNotes } from './cited-notes.ts';
import { ownersOf } from './context.ts';
import { relevance } from './relevance.ts';

export interface Reduction extends Focus {
  /** 1 keeps all but noise, 100 only the best block. */
  readonly percentile: number;
}

/**
 * The blocks whose relevance is at or above the percentile of the page's scores, in page order, with what they
 * cannot be read without: the headings above them, a table's header, the items they are nested in, the notes they cite. One ranking
 * serves every percentile, so a higher one always keeps a subset of a lower one: of n blocks,
 * max(1, ceil(n * (100 - p) / 99)) are kept.
 */
export function reduce(markdown: string, { percentile, ...focus }: Reduction): string {
  return createReducer(markdown, focus)(percentile);
}

/** `reduce` of one text at several percentiles: it is ranked once, which is where the time goes. */
export function createReducer(markdown: string, focus: Focus): Reducer {
  const ranking = rankText(markdown, focus);
  return (percentile) => keptOf(markdown, ranking, percentile);
}

/** What a text's blocks are worth, small enough to be handed over by a worker. */
export interface Ranking {
  /** How many blocks are ranked. */
  readonly count: number;
  /** Where each piece of the text begins and ends, in characters, by turns. */
  readonly spans: Uint32Array;
  /** With how many of the best blocks each piece is kept; 0 for one that never is. */
  readonly from: Uint32Array;
  /** How each piece joins others. */
  readonly joints: Uint8Array;
}

/** Pieces that a text is cut into at most; of more blocks, some that stand together are kept together. */
const MAX_PIECES = 50_000;

/** Ranks the blocks of a text for `keptOf`, which gets `maxPieces` pieces at most. */
export function rankText(markdown: string, focus: Focus, maxPieces = MAX_PIECES): Ranking {
  const blocks = splitBlocks(markdown);
  return rankingOf(blocks, judgeBlocks(blocks, focus), maxPieces);
}

/** What blocks are worth, and what they cannot be read without. */
export interface Judgement {
  /** As `ownersOf` gives them. */
  readonly owners: Int32Array;
  /** The blocks that say something, in order, and the relevance of each. */
  readonly indexes: readonly number[];
  readonly relevances: readonly number[];
}

/** Judges blocks by a question, or by their title. Linear in the text. */
export function judgeBlocks(
  blocks: readonly Block[],
  focus: Focus,
  vocabulary = new Vocabulary(),
): Judgement {
  const owners = ownersOf(blocks);
  const indexes = contentIndexes(blocks, owners);
  return { owners, indexes, relevances: relevance(blocks, indexes, focus, vocabulary) };
}

/** The ranking of blocks that were judged; joined with their gaps they are the text. */
export function rankingOf(blocks: readonly Block[], judgement: Judgement, maxPieces = MAX_PIECES): Ranking {
  const { owners } = judgement;
  const ranked = bestFirst(judgement);
  const needed = new Uint32Array(blocks.length);
  const cited = citedNotes(blocks);
  ranked.forEach((index, place) => {
    const notes: number[] = [];
    const need = (at: number) => {
      needed[at] = place + 1;
      for (const note of cited.get(at) ?? []) notes.push(note);
    };
    for (let at = index; at >= 0 && needed[at] === 0; at = owners[at] ?? -1) need(at);
    for (let note = notes.pop(); note !== undefined; note = notes.pop()) if (needed[note] === 0) need(note);
  });
  const together = Math.max(1, Math.ceil(blocks.length / maxPieces));
  const size = Math.ceil(blocks.length / together);
  const [spans, from, joints] = [new Uint32Array(2 * size), new Uint32Array(size), new Uint8Array(size)];
  let start = 0;
  blocks.forEach((block, index) => {
    const piece = Math.floor(index / together);
    const joint = jointOf(block);
    if (index % together === 0) {
      spans[2 * piece] = start;
      joints[piece] = joint;
    }
    spans[2 * piece + 1] = start + block.text.length;
    joints[piece] = ((joints[piece] ?? 0) & OPENS) | (joint & ~OPENS);
    const [before = 0, now = 0] = [from[piece], needed[index]];
    from[piece] = before === 0 || (now > 0 && now < before) ? now : before;
    start += block.text.length + block.gap.length;
  });
  return { count: ranked.length, spans, from, joints };
}

/** What a percentile keeps of the text that was ranked. */
export function keptOf(markdown: string, ranking: Ranking, percentile: number): string {
  const most = bestKept(ranking, percentile);
  return joinPieces(markdown, ranking, (needed) => needed <= most);
}

/** How many of the best blocks a percentile keeps. */
export function bestKept({ count }: Ranking, percentile: number): number {
  return Math.max(1, Math.ceil((count * (100 - percentile)) / 99));
}

/**
 * The pieces that are kept, as Markdown.
 * @param keep of a piece with how many of the best blocks it is kept, and which one it is
 * @param textOf what of a piece's text is kept; all when left out
 */
export function joinPieces(
  markdown: string,
  { spans, from, joints }: Ranking,
  keep: (needed: number, piece: number) => boolean,
  textOf: (text: string, piece: number) => string = (text) => text,
): string {
  const kept: string[] = [];
  let last = -1;
  from.forEach((needed, piece) => {
    if (needed === 0 || !keep(needed, piece)) return;
    const [end = 0, start = 0] = [spans[2 * last + 1], spans[2 * piece]];
    if (last >= 0) {
      const gap = last + 1 === piece ? markdown.slice(end, start) : undefined;
      kept.push(between(joints[last] ?? 0, joints[piece] ?? 0, gap));
    }
    kept.push(textOf(markdown.slice(start, spans[2 * piece + 1]), piece));
    last = piece;
  });
  return kept.join('');
}

/** The indexes of the blocks that say something, best first; `owners` as `ownersOf` gives them. */
export function rank(blocks: readonly Block[], owners: Int32Array, focus: Focus): number[] {
  const indexes = contentIndexes(blocks, owners);
  return bestFirst({ indexes, relevances: relevance(blocks, indexes, focus) });
}

function bestFirst({ indexes, relevances }: Pick<Judgement, 'indexes' | 'relevances'>): number[] {
  return indexes
    .map((index, i) => ({ index, score: relevances[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index);
}

/** Blocks that are ranked: all with a letter or digit, but what heads a ranked one comes with that. */
function contentIndexes(blocks: readonly Block[], owners: Int32Array): number[] {
  const heads = new Set<number>();
  const ranked: number[] = [];
  // What a block stands under comes before it, so from the end all that it heads is known.
  for (let index = blocks.length - 1; index >= 0; index--) {
    const { kind, text } = blocks[index] ?? { kind: 'text', text: '' };
    const heading = kind === 'heading' || kind === 'head';
    const counts = /[\p{L}\p{N}]/u.test(text) && !(heading && heads.has(index));
    if (counts) ranked.push(index);
    if (counts || heads.has(index)) heads.add(owners[index] ?? -1);
  }
  return ranked.reverse();
}

/** The blocks named by `indexes`, as Markdown. */
export function join(blocks: readonly Block[], indexes: readonly number[]): string {
  const chosen = indexes.flatMap((index) => blocks[index] ?? []);
  return chosen
    .map((block, i) => {
      const next = chosen[i + 1];
      if (!next) return block.text;
      const gap = indexes[i + 1] === (indexes[i] ?? 0) + 1 ? block.gap : undefined;
      return block.text + between(jointOf(block), jointOf(next), gap);
    })
    .join('');
}

/**
 * What a block begins with: rows (1), an item (2), a quote (4), or a text (8), which may be a further passage of the one before it;
 * in the next four bits what it can be followed by at once.
 */
const OPENS = 15;
const FOLLOWS = 4;
const QUOTE = 4;
const TEXT = 8;

function jointOf({ kind, gap }: Block): number {
  if (kind === 'rows') return 1 | (1 << FOLLOWS);
  if (kind === 'head') return 1 << FOLLOWS;
  if (kind === 'quote') return QUOTE | (gap.includes('>') ? QUOTE << FOLLOWS : 0);
  const own = kind === 'item' ? 2 : kind === 'text' ? TEXT : 0;
  return own | (/\n\s*\n/.test(gap) ? 0 : own << FOLLOWS);
}

/**
 * Rows of one table, and items of one list, stand on lines of their own; paragraphs of a quote, and passages of a paragraph, are parted
 * as they were where none between them is left out; all else is parted by an empty line. `gap`: what stood between two that follow each other.
 */
function between(before: number, after: number, gap: string | undefined): string {
  const together = (before >> FOLLOWS) & after & OPENS;
  if (together === QUOTE || together === TEXT) return gap ?? '\n\n';
  return together ? '\n' : '\n\n';
}
