import { elementsIn, HtmlElement, type HtmlNode } from '../parsing/node.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';

const MAX_LEVELS = 8;
/** Elements with indivisible content, in which line breaks do not end a paragraph. */
const WHOLE = /^(?:code|kbd|samp|tt|ruby|button|label|svg|math|pre|textarea|select|x-.{1,40})$/;
const NO_PARAGRAPHS = /^(?:pre|h[1-6]|dt|summary)$/;

export function splitInlineBoxes(root: HtmlElement): void {
  const breaks: HtmlElement[] = [];
  for (const node of elementsIn(root))
    if (node.tag === 'br' && node.parentNode !== root && isBreak(nextShown(node))) breaks.push(node);
  for (const node of breaks.reverse()) split(node, root);
}

function split(node: HtmlElement, root: HtmlElement): void {
  if (!isBreak(nextShown(node))) return;
  const boxes: HtmlElement[] = [];
  for (let at = node.parentNode; at && at !== root && !BLOCK_TAGS.has(at.tag); at = at.parentNode) {
    if (WHOLE.test(at.tag) || boxes.length >= MAX_LEVELS) return;
    boxes.push(at);
  }
  const block = boxes.at(-1)?.parentNode;
  if (boxes.length === 0 || !block || NO_PARAGRAPHS.test(block.tag)) return;
  dropBreaksAfter(node);
  let last: HtmlNode = node;
  for (const box of boxes) {
    const rest = new HtmlElement(box.tag, box.attributes, box.depth);
    moveAfter(last, box, rest);
    insertAfter(box, rest);
    last = box;
  }
  node.parentNode?.removeChild(node);
  const outer = boxes.at(-1) as HtmlElement;
  insertAfter(outer, node);
  insertAfter(outer, new HtmlElement('br', {}, outer.depth));
}

function dropBreaksAfter({ nextSibling: first, parentNode: parent }: HtmlElement): void {
  for (let next = first; next && isBreak(nextOrSelf(next)); ) {
    const { nextSibling } = next;
    parent?.removeChild(next);
    next = nextSibling;
  }
}

function nextOrSelf(node: HtmlNode): HtmlNode | null {
  return node.nodeType === 3 && node.data.trim() === '' ? nextShown(node) : node;
}

function moveAfter(last: HtmlNode, from: HtmlElement, to: HtmlElement): void {
  for (let next = last.nextSibling; next; next = last.nextSibling) {
    from.removeChild(next);
    to.appendChild(next);
  }
}

function insertAfter(before: HtmlElement, node: HtmlNode): void {
  const { parentNode: parent, nextSibling: next } = before;
  if (next) parent?.insertBefore(node, next);
  else parent?.appendChild(node);
}

function nextShown(node: HtmlNode): HtmlNode | null {
  let next = node.nextSibling;
  while (next?.nodeType === 3 && next.data.trim() === '') next = next.nextSibling;
  return next;
}

function isBreak(node: HtmlNode | null): boolean {
  return node?.nodeType === 1 && node.tag === 'br';
}
