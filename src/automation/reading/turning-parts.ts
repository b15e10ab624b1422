import { readFileSync } from 'node:fs';
import { hasAny, isExclusion, type TaskPhrase } from './task-phrases.ts';

/**
 * What the part may be: an order to end something, a condition or exception, a summary, something else
 * than the text of a page, a mail without an address, or more pages than an automation takes.
 */
export type TurningKind = 'stop' | 'condition' | 'digest' | 'other' | 'mail' | 'pages';

/** A part of a task that was not understood, and without which the task may mean the opposite. */
export interface TurningPart {
  readonly words: string;
  readonly kind: TurningKind;
}

export interface UnreadPart {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

const WORDS: Readonly<Record<'stop' | 'digest' | 'other', readonly string[]>> = JSON.parse(
  readFileSync(new URL('./turning-words.json', import.meta.url), 'utf8'),
);
const BYTES = /^(?:[kmgt]i?b|(?:kilo|mega|giga|tera)(?:byte|octet)s?|[кмг]б|мегабайт\p{L}{0,3})$/iu;
/** Letters of scripts that put no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export function findTurningParts(nodes: readonly TaskPhrase[], unread: readonly UnreadPart[]): TurningPart[] {
  const parts = unread.flatMap(({ start, end, words }): TurningPart[] => {
    const own = nodes.filter((node) => node.start >= start && node.end <= end);
    const kind = kindOf(nodes, own, words);
    return kind ? [{ words, kind }] : [];
  });
  return [...parts, ...listLostExceptions(nodes, unread), ...listByteSizes(nodes)];
}

function kindOf(nodes: readonly TaskPhrase[], own: readonly TaskPhrase[], words: string) {
  const from = nodes.findIndex((node) => hasAny(node, 'if', 'unless') && !node.tags.has('f'));
  const to = nodes.findIndex((node, at) => at > from && node.kind === 'mark');
  const place = own[0] === undefined ? 0 : nodes.indexOf(own[0]);
  const isConditional = from >= 0 && place > from && (to < 0 || place < to);
  const isBareNegation = own.every((node) => hasAny(node, 'neg', 'f', 'watch'));
  const observes = nodes.some((node) => node.tags.has('watch'));
  if (!isConditional && (saysAny(words, 'stop') || (from < 0 && isBareNegation && observes))) return 'stop';
  if (saysAny(words, 'digest')) return 'digest';
  if (saysAny(words, 'other')) return 'other';
  return own.some((node) => isExclusion(node) || hasAny(node, 'unless', 'or', 'nor'))
    ? 'condition'
    : undefined;
}

function saysAny(text: string, kind: keyof typeof WORDS): boolean {
  const lower = text.toLowerCase();
  const spaced = ` ${lower.replace(/[^\p{L}\p{N}']+/gu, ' ')} `;
  // A star stands for the letters that may follow a stem.
  return WORDS[kind].some((word) =>
    UNSPACED.test(word)
      ? lower.includes(word)
      : spaced.includes(` ${word.replace(/\*$|$/, (star) => (star ? '' : ' '))}`),
  );
}

/** An exception whose words were not all understood, as in `unless it is on sale`. */
function listLostExceptions(nodes: readonly TaskPhrase[], unread: readonly UnreadPart[]): TurningPart[] {
  return nodes.flatMap((node, at) => {
    if (!node.tags.has('unless') || !node.taken) return [];
    const next = nodes.findIndex((one, index) => index > at && one.kind === 'mark');
    const end = nodes[next < 0 ? nodes.length - 1 : next]?.end ?? node.end;
    const lost = unread.find((part) => part.start >= node.end && part.end <= end);
    return lost ? [{ words: `${node.text} … ${lost.words}`, kind: 'condition' }] : [];
  });
}

const COMPARING = ['below', 'above', 'belowEq', 'aboveEq', 'equal'] as const;

/** A limit in bytes, as in `a file bigger than 20 MB`: the text of a page says nothing of it. */
function listByteSizes(nodes: readonly TaskPhrase[]): TurningPart[] {
  return nodes.flatMap((node, at) => {
    const unit = nodes[at + 1];
    if (node.kind !== 'number' || unit?.kind !== 'word' || !BYTES.test(unit.text)) return [];
    if (!nodes.slice(Math.max(0, at - 2), at).some((one) => hasAny(one, ...COMPARING))) return [];
    return [{ words: `${node.text} ${unit.text}`, kind: 'other' }];
  });
}
