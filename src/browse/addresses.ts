import { splitBlocks } from './blocks.ts';

/** Whose addresses go: those of pictures, or those of links too. */
export type Dropped = 'pictures' | 'all';

/** A mark that is escaped, code, brackets, and the ends of lines, over which neither links nor code go here. */
const MARK = /\\.|`+|[[\]\n]/gs;
/** Where a link leads, after its words. */
const ADDRESS = /\((?:<[^<>\n]{0,2000}>|(?:[^\s()]|\([^\s()]{0,200}\)){0,2000})(?: "[^"\n]{0,500}")?\)/y;
/** What begins as addresses do, or has what stands in every one of them: f[i](x) is not a link. */
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
  const cuts: [from: number, to: number][] = [];
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
      cuts.push(...cutsOf(markdown, { begin, end: at, done }, dropped));
    }
  }
  return without(markdown, cuts);
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
function cutsOf(
  markdown: string,
  { begin, end, done }: { readonly begin: number; readonly end: number; readonly done: number },
  dropped: Dropped | 'words',
): [number, number][] {
  const isPicture = markdown[begin - 1] === '!';
  if (!isPicture && dropped === 'pictures') return [];
  if (dropped !== 'words' && !LIKE_ADDRESS.test(markdown.slice(end + 1, done))) return [];
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
