import { descendants, type HtmlElement, type HtmlNode, nextNode, removeNode } from '../parsing/node.ts';
import { HEADING_TAGS } from '../parsing/tags.ts';

const SHOWN = /^(?:img|svg|math|x-.*)$/;
const MAX_LEVELS = 6;

export function dropEmptyParts(root: HtmlElement): void {
  const walk: EmptinessWalk = { rule: undefined, fresh: true, heading: undefined, line: '' };
  for (let node = nextNode(root, root); node; ) {
    const gone = isSpare(node, walk);
    const inside = !gone && !(node.nodeType === 1 && node.tag === 'pre');
    const next = nextNode(node, root, inside);
    if (gone) removeNode(node);
    node = next;
  }
  if (walk.fresh && walk.rule) removeNode(walk.rule);
}

interface EmptinessWalk {
  rule: HtmlElement | undefined;
  /** True if no content has come since the last horizontal rule, or since the list item began. */
  fresh: boolean;
  heading: HtmlElement | undefined;
  line: string;
}

function isSpare(node: HtmlNode, walk: EmptinessWalk): boolean {
  if (node.nodeType === 3) {
    if (node.data.trim() !== '') see(node, walk);
    return false;
  }
  const { tag } = node;
  if (tag === 'hr') return isSpareRule(node, walk);
  if (tag === 'ol') return !node.children.some(saysSomething);
  if (tag === 'li') {
    if (node.parentNode?.tag !== 'ol' && !saysSomething(node)) return true;
    walk.fresh = true;
    walk.rule = undefined;
  } else if (HEADING_TAGS.has(tag)) return isSaidAgain(node, walk);
  else if (tag === 'pre' || SHOWN.test(tag)) see(node, walk);
  return false;
}

function see(node: HtmlNode, walk: EmptinessWalk): void {
  walk.fresh = false;
  if (!walk.heading) return;
  // Shops often repeat the heading below the product's picture. The picture must not hide the repetition.
  if (node.nodeType === 1 && node.tag === 'img' && walk.heading.tag === 'h1') return;
  let at = node.parentNode;
  for (let level = 0; at && level < MAX_LEVELS; level++, at = at.parentNode) if (at === walk.heading) return;
  walk.heading = undefined;
}

function isSpareRule(rule: HtmlElement, walk: EmptinessWalk): boolean {
  if (walk.fresh) return true;
  walk.fresh = true;
  walk.rule = rule;
  return false;
}

function isSaidAgain(heading: HtmlElement, walk: EmptinessWalk): boolean {
  const line = heading.textContent.replace(/\s+/g, ' ').trim().toLowerCase();
  if (line === '') return false;
  if (walk.heading && line === walk.line) return true;
  walk.heading = heading;
  walk.line = line;
  return false;
}

function saysSomething(element: HtmlElement): boolean {
  for (const node of descendants(element))
    if (node.nodeType === 3 ? node.data.trim() !== '' : SHOWN.test(node.tag)) return true;
  return false;
}
