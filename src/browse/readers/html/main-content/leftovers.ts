import { descendants, drop, following, type HtmlElement } from '../parsing/node.ts';
import { BLOCK } from '../parsing/tags.ts';

/** What a script was to fill in. */
const UNFILLED = /^\s*\{\{[^{}]{1,200}\}\}\s*$/;
/** What only scripts read: an object of theirs, a name by which a database knows something. */
const DATA = /^\s*[{[]/;
const NAMED = /^\s*[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\s*$/i;
/** Characters of an object from which on it is none that someone wrote as an example in a line. */
const MIN_DATA_CHARS = 80;
/** ... and its share of a text from which on there would be next to nothing without it. */
const MOST_SHARE = 0.1;
/** A player or the like to be set into another page. */
const EMBEDDED = /^\s*<iframe\s[^<]{1,2000}<\/iframe>\s*$/i;
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

/** A count of votes, and a year, which may well head what was then. */
const COUNT = /^[^\p{L}\d]{0,3}\p{L}?\s{0,2}\d{1,3}(?:[.,]\d{1,3})?k?$/u;

/** Drops counts that a page calls its first headings, beside one in words: a site's votes, in large type. */
export function dropCounts(root: HtmlElement): void {
  const headings = root.getElementsByTagName('h1');
  if (headings.length < 2) return;
  const counts = headings.filter(({ textContent }) => COUNT.test(shortened(textContent)));
  if (counts.length < headings.length) for (const heading of counts) drop(heading);
}

/** Takes out of a text that is chosen what templates left there: marks to be filled in, dates said twice, first letters in place of pictures. */
export function dropLeftovers(root: HtmlElement): void {
  const walk: Walk = { root, last: '' };
  for (let node = following(root, root); node; ) {
    const gone = node.nodeType === 3 ? isForScripts(node.data, root) : isLeftover(node, walk);
    const next = following(
      node,
      root,
      !gone && (node.nodeType === 3 || !WRITTEN.has(node.tag) || isPost(node)),
    );
    if (gone) drop(node);
    node = next;
  }
}

/** Characters of an item from which on it is more than a line of a list. */
const POST_CHARS = 300;

/** Whether an item is what someone wrote in a thread. */
function isPost({ tag, chars }: HtmlElement): boolean {
  return tag === 'li' && chars >= POST_CHARS;
}

interface Walk {
  readonly root: HtmlElement;
  /** The last line that was read. */
  last: string;
}

function isLeftover(node: HtmlElement, walk: Walk): boolean {
  if (node.tag === 'code' && EMBEDDED.test(node.textContent)) return true;
  if (WRITTEN.has(node.tag)) walk.last = '';
  else if (node.tag === 'a') return isSkip(node) || isInitial(node, walk.root);
  else if (BLOCK.has(node.tag) && isLeaf(node)) {
    const line = lineOf(node);
    if (line !== '' && line === walk.last && /\d/.test(line)) return true;
    walk.last = line || walk.last;
  }
  return false;
}

/** Whether a text is for scripts; one that is most of what there is stays. */
function isForScripts(text: string, root: HtmlElement): boolean {
  if (UNFILLED.test(text) || NAMED.test(text)) return true;
  return text.length >= MIN_DATA_CHARS && text.length < root.chars * MOST_SHARE && isData(text);
}

/** Whether a text is an object or a list in JSON. */
function isData(text: string): boolean {
  if (!DATA.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** A link past the menu. */
function isSkip(link: HtmlElement): boolean {
  const { href = '' } = link.attributes;
  return href.startsWith('#') && /^\s*(?:skip|jump) (?:to|past|over)\s/i.test(link.textContent);
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

/** Characters of a block that show whether it is a line. */
const BEGIN_CHARS = 200;

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The text of a short block; one that is longer is not a line, and parts those around it. */
function lineOf(element: HtmlElement): string {
  const text = element.textContent;
  // Most blocks are long, and their beginning shows it.
  if (text.length > BEGIN_CHARS && shortened(text.slice(0, BEGIN_CHARS)).length > TWICE_CHARS[1]) return ' ';
  const line = shortened(text);
  return line.length >= TWICE_CHARS[0] && line.length <= TWICE_CHARS[1] ? line : line && ' ';
}

/** Whether a link is a letter or two, beside a picture or not, and what follows is a link of a name with that letter to the same page. */
function isInitial(link: HtmlElement, root: HtmlElement): boolean {
  const { href } = link.attributes;
  if (href === undefined || href === '') return false;
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
