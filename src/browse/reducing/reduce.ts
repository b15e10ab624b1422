import { PageVocabulary } from '../extracting/vocabulary.ts';
import type { PercentileReducer, RelevanceFocus } from '../types.ts';
import { type MarkdownBlock, splitBlocks } from './blocks.ts';
import { findCitedNotes } from './cited-notes.ts';
import { findIntroducingBlocks } from './owner-blocks.ts';
import { scoreRelevance } from './relevance.ts';

/** Returns a function that reduces the text. The blocks are ranked only once, because ranking is slow. */
export function createReducer(markdown: string, focus: RelevanceFocus): PercentileReducer {
  const ranking = rankText(markdown, focus);
  return (percentile) => keepPercentile(markdown, ranking, percentile);
}

export interface TextRanking {
  readonly count: number;
  /** Start and end of each piece, as character positions in sequence: start, end, start, end. */
  readonly spans: Uint32Array;
  /** For each piece, the best rank (from 1) of a block that is in it or needs it as context. 0 if none. */
  readonly from: Uint32Array;
  /** For each piece, bits that say if an empty line must separate it from the next piece (see `OPENS`). */
  readonly joints: Uint8Array;
}

/** Maximum number of pieces. In longer texts, several neighbouring blocks form a piece. */
const MAX_PIECES = 50_000;

export function rankText(markdown: string, focus: RelevanceFocus, maxPieces = MAX_PIECES): TextRanking {
  const blocks = splitBlocks(markdown);
  return buildRanking(blocks, scoreBlocks(blocks, focus), maxPieces);
}

export interface BlockScores {
  /** For each block, the index of the block that introduces it, for example its heading, or -1. */
  readonly owners: Int32Array;
  readonly indexes: readonly number[];
  readonly relevances: readonly number[];
}

export function scoreBlocks(
  blocks: readonly MarkdownBlock[],
  focus: RelevanceFocus,
  vocabulary = new PageVocabulary(),
): BlockScores {
  const owners = findIntroducingBlocks(blocks);
  const indexes = contentIndexes(blocks, owners);
  return { owners, indexes, relevances: scoreRelevance(blocks, indexes, focus, vocabulary) };
}

/** Ranks the pieces of a text. The blocks with their gaps must be the whole text. */
export function buildRanking(
  blocks: readonly MarkdownBlock[],
  judgement: BlockScores,
  maxPieces = MAX_PIECES,
): TextRanking {
  const { owners } = judgement;
  const ranked = bestFirst(judgement);
  const needed = new Uint32Array(blocks.length);
  const cited = findCitedNotes(blocks);
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

export function keepPercentile(markdown: string, ranking: TextRanking, percentile: number): string {
  const most = countKeptBlocks(ranking, percentile);
  return joinPieces(markdown, ranking, (needed) => needed <= most);
}

export function countKeptBlocks({ count }: TextRanking, percentile: number): number {
  return Math.max(1, Math.ceil((count * (100 - percentile)) / 99));
}

export function joinPieces(
  markdown: string,
  { spans, from, joints }: TextRanking,
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

export function rankBlocks(
  blocks: readonly MarkdownBlock[],
  owners: Int32Array,
  focus: RelevanceFocus,
): number[] {
  const indexes = contentIndexes(blocks, owners);
  return bestFirst({ indexes, relevances: scoreRelevance(blocks, indexes, focus) });
}

function bestFirst({ indexes, relevances }: Pick<BlockScores, 'indexes' | 'relevances'>): number[] {
  return indexes
    .map((index, i) => ({ index, score: relevances[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index);
}

const WORDED = /[\p{L}\p{N}]/u;
/** Matches a text with a letter, a digit or an emoji, and any code block or table rows, also in a quote. */
const SHOWN =
  /[\p{L}\p{N}\p{Extended_Pictographic}]|^[ \t>]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?(?:`{3}|~{3}|\|)/u;

function contentIndexes(blocks: readonly MarkdownBlock[], owners: Int32Array): number[] {
  const heads = new Set<number>();
  const ranked: number[] = [];
  for (let index = blocks.length - 1; index >= 0; index--) {
    const { kind, text } = blocks[index] ?? { kind: 'text', text: '' };
    const heading = kind === 'heading' || kind === 'head';
    const counts = (heading ? WORDED : SHOWN).test(text) && !(heading && heads.has(index));
    if (counts) ranked.push(index);
    if (counts || heads.has(index)) heads.add(owners[index] ?? -1);
  }
  return ranked.reverse();
}

export function joinBlocks(blocks: readonly MarkdownBlock[], indexes: readonly number[]): string {
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

/** The low four bits are a piece's kind. The next four are kinds that may follow without an empty line. */
const OPENS = 15;
const FOLLOWS = 4;
const QUOTE = 4;
const TEXT = 8;

function jointOf({ kind, gap }: MarkdownBlock): number {
  if (kind === 'rows') return 1 | (1 << FOLLOWS);
  if (kind === 'head') return 1 << FOLLOWS;
  if (kind === 'quote') return QUOTE | (gap.includes('>') ? QUOTE << FOLLOWS : 0);
  const own = kind === 'item' ? 2 : kind === 'text' ? TEXT : 0;
  return own | (/\n\s*\n/.test(gap) ? 0 : own << FOLLOWS);
}

function between(before: number, after: number, gap: string | undefined): string {
  const together = (before >> FOLLOWS) & after & OPENS;
  if (together === QUOTE || together === TEXT) return gap ?? '\n\n';
  return together ? '\n' : '\n\n';
}
