import { splitBlocks } from '../reducing/blocks.ts';

/** Whose addresses go: those of pictures, or those of links too. */
export type Dropped = 'pictures' | 'all';

/** A mark that is escaped, code, brackets, and the ends of lines, over which neither links nor code go here. */
const MARK = /\\.|`+|[[\]\n]/gs;
/** Where a link leads, after its words. */
const ADDRESS = /\((?:<[^<>\n]{0,2000}>|(?:[^\s()]|\([^\s()]{0,200}\)){0,2000})(?: "[^"\n]{0,500}")?\)/y;
/** What begins as addresses do, or has what stands in every one of them. */
const LIKE_ADDRESS = /^\(<?(?:[^\s():]{0,20}:|[^\s()]{0,2000}[./#?])/;

/**
 * Markdown without where its pictures, or all of its links, lead: `[words](address)` as its words and
 * `![words](address)` as `![words]`. Addresses in the text and in code stay. Linear.
 */
export function dropAddresses(markdown: string, dropped: Dropped): string {
  if (!markdown.includes('](')) return markdown;
  return splitBlocks(markdown)
    .map(({ kind, text, gap }) => (kind === 'code' ? text : withoutAddresses(text, dropped)) + gap)
    .join('');
}

/** Links and pictures of lines as their words; a picture keeps its mark, unless `words` is what is wanted of it too. */
export function withoutAddresses(markdown: string, dropped: Dropped | 'words'): string {
  if (!markdown.includes('](')) return markdown;
  return without(
    markdown,
    linksIn(markdown).flatMap((link) => cutsOf(markdown, link, dropped)),
  );
}

/** Where a link or a picture stands in a text. */
export interface LinkPlace {
  /** Its words, from the bracket before them to the one behind them. */
  readonly begin: number;
  readonly end: number;
  /** Behind the address. */
  readonly done: number;
}

/** The links and pictures of lines, outside of code, those in the words of a link before it. */
export function linksIn(markdown: string): LinkPlace[] {
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
      found.push({ begin, end: at, done });
    }
  }
  return found;
}

/** Whether what stands behind words in brackets is an address: f[i](x) is not a link. */
export function isAddressed(markdown: string, { end, done }: LinkPlace): boolean {
  return LIKE_ADDRESS.test(markdown.slice(end + 1, done));
}

interface Mark {
  readonly mark: string;
  readonly at: number;
  /** Behind it; behind all of it for code that ends on its line. */
  readonly end: number;
}

/** From the last to the first, so that where code ends is known where it begins. */
function marksOf(markdown: string): Mark[] {
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

/** What goes of one link, whose words are from `begin` to `end`. */
function cutsOf(markdown: string, link: LinkPlace, dropped: Dropped | 'words'): [number, number][] {
  const { begin, end, done } = link;
  const isPicture = markdown[begin - 1] === '!';
  if (!isPicture && dropped === 'pictures') return [];
  if (dropped !== 'words' && !isAddressed(markdown, link)) return [];
  const hasWords = markdown.slice(begin + 1, end).trim() !== '';
  if (!isPicture || dropped === 'words' || !hasWords) {
    return [
      [isPicture ? begin - 1 : begin, begin + 1],
      [end, done],
    ];
  }
  return [[end + 1, done]];
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
