import { oneLine } from '../../markdown.ts';
import { rememberQuotedText } from '../markdown/quotes.ts';
import { elementsIn, type HtmlElement, type HtmlNode, removeNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import type { PageTraits } from './trim-ends.ts';

/** Minimum letters of a repeated block. Shorter blocks are labels or values and may repeat. */
const MIN_LETTERS = 30;
const MIN_ITEM_LETTERS = 200;
const ITEM = /^(?:li|article)$/;
/** Elements that are not searched for repeats: cells and definitions are values, and code must not change. */
const WHOLE = /^(?:table|pre|dl)$/;

interface BlockText {
  readonly letters: number;
  readonly text: string;
}

const BASES = [0x01000193, 0x5bd1e995];

/** Drops blocks that repeat earlier ones. In an article, only what two boxes for two screens both say. */
export function dropRepeats(root: HtmlElement, { article, discussion }: PageTraits): void {
  if (article) {
    dropSecondScreens(root);
    return;
  }
  visit(
    root,
    { keys: keysIn(root), discussion, blocks: new Set(), headings: new Set() },
    { item: false, quote: undefined },
  );
}

const MIN_TWICE_CHARS = 80;
const MAX_ADDED_CHARS = 200;
const SCREEN = /^(?:div|section|article)$/;

function dropSecondScreens(root: HtmlElement): void {
  for (const box of [...elementsIn(root)]) {
    if (!SCREEN.test(box.tag) || box.chars < MIN_TWICE_CHARS) continue;
    const before = shownSibling(box, 'previousSibling', true);
    if (before?.nodeType !== 1 || !SCREEN.test(before.tag)) continue;
    if (Math.abs(box.chars - before.chars) <= MAX_ADDED_CHARS) dropSaid(box, before);
  }
}

/** Removes what a box repeats, if it repeats all of the box before and adds only headings. */
function dropSaid(box: HtmlElement, before: HtmlElement): void {
  const texts = new Set(before.childNodes.map(textOf));
  const own = box.childNodes.filter((node) => textOf(node) !== '');
  const said = own.filter((node) => texts.delete(textOf(node)));
  const added = own.filter((node) => !said.includes(node));
  if ([...texts].some(Boolean) || !said.some(isProse)) return;
  if (added.some((node) => node.nodeType === 3 || !HEADING_TAGS.has(node.tag))) return;
  for (const node of added.length > 0 ? said : [box]) removeNode(node);
}

const textOf = (node: HtmlNode): string => oneLine(node.textContent);
/** True for a long text, but not for verses, whose refrains are meant. */
const isProse = (node: HtmlNode): boolean =>
  node.textContent.length >= MIN_TWICE_CHARS && node.getElementsByTagName('br').length === 0;

interface RepeatWalk {
  readonly keys: ReadonlyMap<HtmlElement, BlockText>;
  readonly discussion: boolean;
  readonly blocks: Set<string>;
  readonly headings: Set<string>;
}

interface RepeatContext {
  readonly item: boolean;
  readonly quote: HtmlElement | undefined;
}

function visit(element: HtmlElement, walk: RepeatWalk, around: RepeatContext): void {
  for (let node = element.firstChild; node; ) {
    const next = node.nextSibling;
    if (node.nodeType === 1) judge(node, walk, around);
    node = next;
  }
}

function judge(element: HtmlElement, walk: RepeatWalk, { item, quote }: RepeatContext): void {
  const { tag } = element;
  const seen = HEADING_TAGS.has(tag) ? walk.headings : walk.blocks;
  const key = walk.keys.get(element);
  if (key !== undefined && seen.has(key.text) && (!item || key.letters >= MIN_ITEM_LETTERS)) {
    if (quote) rememberQuotedText(quote, element.textContent);
    removeNode(element);
    return;
  }
  const inner = {
    item: item || (!walk.discussion && ITEM.test(tag)),
    quote: quote ?? (walk.discussion && tag === 'blockquote' ? element : undefined),
  };
  if (!WHOLE.test(tag)) visit(element, walk, inner);
  if (key !== undefined) seen.add(key.text);
}

/** Returns a key of the letters of each block. Sums of all letters before give it in one step, however deep a block is. */
function keysIn(root: HtmlElement): ReadonlyMap<HtmlElement, BlockText> {
  const keys = new Map<HtmlElement, BlockText>();
  const sums = BASES.map((base) => ({ base, totals: [0], powers: [1] }));
  let read = 0;
  const add = (code: number): void => {
    for (const { base, totals, powers } of sums) {
      totals.push((Math.imul(totals[read] ?? 0, base) + code) | 0);
      powers.push(Math.imul(powers[read] ?? 0, base));
    }
    read++;
  };
  const readElement = (element: HtmlElement): void => {
    const start = read;
    for (let node = element.firstChild; node; node = node.nextSibling)
      if (node.nodeType === 1) readElement(node);
      else
        for (let i = 0; i < node.data.length; i++)
          if (letterAt(node.data, i) > 0) add(letterAt(node.data, i));
    const letters = read - start;
    if (letters < MIN_LETTERS || !BLOCK_TAGS.has(element.tag)) return;
    const hashes = sums.map(
      ({ totals, powers }) => ((totals[read] ?? 0) - Math.imul(totals[start] ?? 0, powers[letters] ?? 0)) | 0,
    );
    keys.set(element, { letters, text: `${letters} ${hashes.join(' ')}` });
  };
  readElement(root);
  return keys;
}

/** Returns the lower-case code of a letter or digit, or 0 for a sign. Codes above 127 count as letters. */
function letterAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (code >= 65 && code <= 90) return code + 32;
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code > 127 && code !== 160) ? code : 0;
}
