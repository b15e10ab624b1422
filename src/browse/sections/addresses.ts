import { splitBlocks } from '../reducing/blocks.ts';

export type DroppedAddresses = 'pictures' | 'all';

const MARK = /\\.|`+|[[\]\n]/gs;
const ADDRESS = /\((?:<[^<>\n]{0,2000}>|(?:[^\s()]|\([^\s()]{0,200}\)){0,2000})(?: "[^"\n]{0,500}")?\)/y;
/** Matches the beginning of `(address)`: a scheme such as `mailto:`, or text up to a `.`, `/`, `#` or `?`. */
const LIKE_ADDRESS = /^\(<?(?:[^\s():]{0,20}:|[^\s()]{0,2000}[./#?])/;

/** Removes the addresses of pictures, and of links if `dropped` is `all`. Code stays unchanged. */
export function dropAddresses(markdown: string, dropped: DroppedAddresses): string {
  if (!markdown.includes('](')) return markdown;
  return splitBlocks(markdown)
    .map(({ kind, text, gap }) => (kind === 'code' ? text : dropInlineAddresses(text, dropped)) + gap)
    .join('');
}

export function dropInlineAddresses(markdown: string, dropped: DroppedAddresses | 'words'): string {
  if (!markdown.includes('](')) return markdown;
  return without(
    markdown,
    findLinks(markdown).flatMap((link) => cutsOf(markdown, link, dropped)),
  );
}

export interface LinkPlace {
  readonly wordsStart: number;
  readonly wordsEnd: number;
  readonly addressEnd: number;
}

/** Finds inline links and pictures outside of code. In `[![a](b)](c)`, the picture comes before the link. */
export function findLinks(markdown: string): LinkPlace[] {
  const found: LinkPlace[] = [];
  const open: number[] = [];
  let done = 0;
  for (const { mark, at, end } of marksOf(markdown)) {
    if (at < done) continue;
    if (mark === '\n') open.length = 0;
    else if (mark === '[') open.push(at);
    else if (mark !== ']') done = end;
    else {
      const begin = open.pop();
      if (begin === undefined || markdown[at + 1] !== '(') continue;
      ADDRESS.lastIndex = at + 1;
      if (!ADDRESS.test(markdown)) continue;
      done = ADDRESS.lastIndex;
      found.push({ wordsStart: begin, wordsEnd: at, addressEnd: done });
    }
  }
  return found;
}

export function isLinkAddress(markdown: string, { wordsEnd, addressEnd }: LinkPlace): boolean {
  return LIKE_ADDRESS.test(markdown.slice(wordsEnd + 1, addressEnd));
}

/** Finds brackets and code spans. Reads backwards, so that a span's end is known before its start. */
function marksOf(markdown: string): { readonly mark: string; readonly at: number; readonly end: number }[] {
  const closing = new Map<number, number>();
  const found = [...markdown.matchAll(MARK)];
  return found
    .reverse()
    .map(({ 0: mark, index: at }) => {
      if (mark === '\n') closing.clear();
      const plain = at + mark.length;
      if (!mark.startsWith('`')) return { mark, at, end: plain };
      const end = closing.get(mark.length) ?? plain;
      closing.set(mark.length, plain);
      return { mark, at, end };
    })
    .reverse();
}

function cutsOf(markdown: string, link: LinkPlace, dropped: DroppedAddresses | 'words'): [number, number][] {
  const { wordsStart, wordsEnd, addressEnd } = link;
  const isPicture = markdown[wordsStart - 1] === '!';
  if (!isPicture && dropped === 'pictures') return [];
  if (dropped !== 'words' && !isLinkAddress(markdown, link)) return [];
  const hasWords = markdown.slice(wordsStart + 1, wordsEnd).trim() !== '';
  if (!isPicture || dropped === 'words' || !hasWords) {
    return [
      [isPicture ? wordsStart - 1 : wordsStart, wordsStart + 1],
      [wordsEnd, addressEnd],
    ];
  }
  return [[wordsEnd + 1, addressEnd]];
}

function without(text: string, cuts: readonly [from: number, to: number][]): string {
  let at = 0;
  const kept = cuts
    .toSorted(([a], [b]) => a - b)
    .map(([from, to]) => {
      const piece = text.slice(at, from);
      at = to;
      return piece;
    });
  return kept.join('') + text.slice(at);
}
