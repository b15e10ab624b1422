import { descendants, drop, following, type HtmlElement } from './node.ts';
import { BLOCK } from './tags.ts';

/** What a script was to fill in. */
const UNFILLED = /^\s*\{\{[^{}]{1,200}\}\}\s*$/;
/** Where such marks are what is written about, and where one line may well stand under the same. */
const WRITTEN: ReadonlySet<string> = new Set([
  'pre',
  'code',
  'kbd',
  'samp',
  'table',
  'li',
  'dl',
  'svg',
  'math',
]);
/** Characters of a line that is said twice, as dates are for wide screens and narrow ones. */
const TWICE_CHARS = [8, 60] as const;
/** Nodes behind a letter within which the name stands that it is the first of. */
const MAX_NODES = 24;

/** Takes out of a text that is chosen what templates left there: marks to be filled in, dates said twice, first letters in place of pictures. */
export function dropLeftovers(root: HtmlElement): void {
  const walk: Walk = { root, last: '' };
  for (let node = following(root, root); node; ) {
    const gone = node.nodeType === 3 ? UNFILLED.test(node.data) : isLeftover(node, walk);
    const next = following(node, root, !gone && (node.nodeType === 3 || !WRITTEN.has(node.tag)));
    if (gone) drop(node);
    node = next;
  }
}

interface Walk {
  readonly root: HtmlElement;
  /** The last line that was read. */
  last: string;
}

function isLeftover(node: HtmlElement, walk: Walk): boolean {
  if (WRITTEN.has(node.tag)) walk.last = '';
  else if (node.tag === 'a') return isInitial(node, walk.root);
  else if (BLOCK.has(node.tag) && isLeaf(node)) {
    const line = lineOf(node);
    if (line !== '' && line === walk.last && /\d/.test(line)) return true;
    walk.last = line || walk.last;
  }
  return false;
}

/** Whether no block stands in a block, which is short: nodes that are read are few. */
function isLeaf(element: HtmlElement): boolean {
  let nodes = 0;
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES) return false;
    if (node.nodeType === 1 && (BLOCK.has(node.tag) || node.tag === 'img')) return false;
  }
  return nodes > 0;
}

/** The text of a short block; one that is longer is not a line, and parts those around it. */
function lineOf(element: HtmlElement): string {
  const line = element.textContent.replace(/\s+/g, ' ').trim();
  return line.length >= TWICE_CHARS[0] && line.length <= TWICE_CHARS[1] ? line : line && ' ';
}

/** Whether a link is a letter or two, and what follows is a link of a name with that letter to the same page. */
function isInitial(link: HtmlElement, root: HtmlElement): boolean {
  const { href } = link.attributes;
  if (href === undefined || href === '' || link.getElementsByTagName('img').length > 0) return false;
  const letter = link.textContent.trim();
  if (!/^\p{L}{1,2}$/u.test(letter)) return false;
  let at = following(link, root, false);
  for (let nodes = 0; at && nodes < MAX_NODES; nodes++) {
    if (at.nodeType === 1 && at.tag === 'a' && at.attributes.href === href)
      return (
        at.textContent.trim().length > 2 &&
        at.textContent
          .trim()
          .toLowerCase()
          .startsWith(letter[0]?.toLowerCase() ?? ' ')
      );
    at = following(at, root);
  }
  return false;
}
