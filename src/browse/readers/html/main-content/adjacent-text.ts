import { type HtmlElement, type HtmlNode, HtmlText, nextNode } from '../parsing/node.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';

/** Elements that page builders put next to each other without a space. A style sheet separates them. */
const SET_SIDE_BY_SIDE: ReadonlySet<string> = new Set(['span', 'a', 'label']);
const WHOLE: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'var', 'svg', 'math']);
const ENDS_WORD = /[\p{Ll}\p{N})%]$/u;
const BEGINS_WORD = /^[\p{Lu}\p{Sc}]/u;
const MAX_LEVELS = 6;

/** Elements for the values of a line, such as a version, its date and its name. */
const VALUES = /^(?:span|a|label|strong|b|time)$/;
const MIN_VALUE_CHARS = 3;
const PRICE = /^\d{1,6}(?:[.,]\d{2}(?!\d)|\s?\p{Sc})/u;
const BADGE = /(?:^|[\s_-])(?:badge|tag|label|pill|chip|lozenge)(?=[\s_-]|$)/i;

/** Adds a space between elements that only a style sheet separates, such as `SKU: 2020` and `MFR: 7`. */
export function separateAdjacentWords(root: HtmlElement): void {
  for (let node = nextNode(root, root), inside = true; node; node = nextNode(node, root, inside)) {
    inside = node.nodeType === 3 || !WHOLE.has(node.tag);
    if (node.nodeType === 3 || !VALUES.test(node.tag)) continue;
    separateBadge(node);
    const { nextSibling: beside } = node;
    // An empty element between two texts is drawn as dots or as a line.
    const isLed = beside?.nodeType === 1 && beside.tag === node.tag && beside.firstChild === null;
    const next = isLed ? beside.nextSibling : beside;
    if (next?.nodeType === 1 && isSetApart(node, next, isLed))
      node.parentNode?.insertBefore(new HtmlText(' '), next);
  }
}

function isSetApart(node: HtmlElement, next: HtmlElement, isLed: boolean): boolean {
  const last = edgeOf(node, 'lastChild').slice(-MIN_VALUE_CHARS);
  const first = edgeOf(next, 'firstChild');
  const isLine = () =>
    node.parentNode?.childNodes.every((one) => one.nodeType === 1 || one.data.trim() === '');
  const isLong = last.length === MIN_VALUE_CHARS && first.length >= MIN_VALUE_CHARS;
  if (isLong && VALUES.test(next.tag) && /\d/.test(last + first) && hasOwnClass(node, next) && isLine())
    return true;
  if (next.tag !== node.tag || !SET_SIDE_BY_SIDE.has(node.tag)) return false;
  if (/\d$/.test(last) && /^\p{Ll}{3}/u.test(first) && hasOwnClass(node, next)) return true;
  if ((isLed || PRICE.test(first)) && isWordBetween(node, next)) return true;
  return ENDS_WORD.test(last) && BEGINS_WORD.test(first);
}

/** Adds a space beside a badge such as `new` that begins or ends a line. */
function separateBadge(badge: HtmlElement): void {
  const { parentNode: parent, previousSibling: before, nextSibling: after } = badge;
  if (!parent || !BLOCK_TAGS.has(parent.tag) || !BADGE.test(badge.attributes.class ?? '')) return;
  if (!before && after?.nodeType === 3 && isWordBetween(badge, after))
    parent.insertBefore(new HtmlText(' '), after);
  if (!after && before?.nodeType === 3 && isWordBetween(before, badge))
    parent.insertBefore(new HtmlText(' '), badge);
}

/** True if a word of two letters or more ends a node and a letter or digit begins the next. */
function isWordBetween(before: HtmlNode, after: HtmlNode): boolean {
  return (
    /\p{L}\p{L}\)?$/u.test(edgeOf(before, 'lastChild')) && /^[\p{L}\p{N}]/u.test(edgeOf(after, 'firstChild'))
  );
}

/** True if two elements have different classes, as a number and its label have. */
function hasOwnClass(
  { attributes: { class: own } }: HtmlElement,
  { attributes: { class: other } }: HtmlElement,
): boolean {
  return own !== undefined && other !== undefined && own !== other;
}

const TWICE_CHARS = [4, 200] as const;

/** Removes one of two adjacent elements with equal text. If only one has a link, keeps this element. */
export function dropAdjacentDuplicates(root: HtmlElement): void {
  for (let node = nextNode(root, root); node; ) {
    const next: HtmlNode | null = nextNode(node, root, node.nodeType === 3 || !WHOLE.has(node.tag));
    const twin = node.nodeType === 1 && SET_SIDE_BY_SIDE.has(node.tag) ? node.previousSibling : null;
    if (twin && node.nodeType === 1 && isTwin(node, twin)) {
      const gone = hasLink(node) && !hasLink(twin) ? twin : node;
      const after = gone === node ? nextNode(node, root, false) : next;
      gone.parentNode?.removeChild(gone);
      node = after;
    } else node = next;
  }
}

function isTwin(element: HtmlElement, before: HtmlNode): boolean {
  if (before.nodeType === 1 && !SET_SIDE_BY_SIDE.has(before.tag)) return false;
  const text = shortTextOf(element);
  if (text.length < TWICE_CHARS[0] || !/[\p{L}\p{Sc}]/u.test(text)) return false;
  return shortTextOf(before).trimStart() === text.trimEnd();
}

const MAX_NODES = 24;

function shortTextOf(node: HtmlNode): string {
  if (node.nodeType === 3) return node.data.length <= TWICE_CHARS[1] ? node.data : '';
  let [text, nodes] = ['', 0];
  for (let at = nextNode(node, node); at; at = nextNode(at, node)) {
    if (++nodes > MAX_NODES || (at.nodeType === 1 && at.tag === 'img')) return '';
    if (at.nodeType === 3) text += at.data;
    if (text.length > TWICE_CHARS[1]) return '';
  }
  return text;
}

function hasLink(node: HtmlNode): boolean {
  if (node.nodeType === 3) return false;
  return node.tag === 'a' || node.getElementsByTagName('a').length > 0;
}

function edgeOf(node: HtmlNode, side: 'firstChild' | 'lastChild'): string {
  let at: HtmlNode | null = node;
  for (let level = 0; at?.nodeType === 1 && level <= MAX_LEVELS; level++) at = at[side];
  return at?.nodeType === 3 ? at.data : '';
}
