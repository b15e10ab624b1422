import { type HtmlElement, type HtmlNode, HtmlText, nextNode } from '../parsing/node.ts';

/** Elements that page builders put next to each other without a space. A style sheet separates them. */
const SET_SIDE_BY_SIDE: ReadonlySet<string> = new Set(['span', 'a', 'label']);
const WHOLE: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'var', 'svg', 'math']);
const ENDS_WORD = /[\p{Ll}\p{N})%]$/u;
const BEGINS_WORD = /^[\p{Lu}\p{Sc}]/u;
const MAX_LEVELS = 6;

/** Adds a space between elements that only a style sheet separates, such as `SKU: 2020` and `MFR: 7`. */
export function separateAdjacentWords(root: HtmlElement): void {
  for (let node = nextNode(root, root), inside = true; node; node = nextNode(node, root, inside)) {
    inside = true;
    if (node.nodeType === 3) continue;
    if (WHOLE.has(node.tag)) inside = false;
    const { nextSibling: next, parentNode: parent } = node;
    if (!SET_SIDE_BY_SIDE.has(node.tag) || next?.nodeType !== 1 || next.tag !== node.tag) continue;
    const last = edgeOf(node, 'lastChild').slice(-2);
    const first = edgeOf(next, 'firstChild');
    const isLabelled = /\d$/.test(last) && /^\p{Ll}{3}/u.test(first) && hasOwnClass(node, next);
    if (parent && (isLabelled || (ENDS_WORD.test(last) && BEGINS_WORD.test(first))))
      parent.insertBefore(new HtmlText(' '), next);
  }
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

function edgeOf(element: HtmlElement, side: 'firstChild' | 'lastChild'): string {
  let at = element[side];
  for (let level = 0; at?.nodeType === 1 && level < MAX_LEVELS; level++) at = at[side];
  return at?.nodeType === 3 ? at.data : '';
}
