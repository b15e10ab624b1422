import { descendants, drop, type HtmlElement, type HtmlNode } from '../parsing/node.ts';
import { BLOCK, HEADING } from '../parsing/tags.ts';
import { isReviews, liesOver } from '../visibility/chrome.ts';
import { dropTail } from './clean.ts';
import { type Ends, trimHead, trimTail } from './ends.ts';
import { cutProfile, dropLabelled, isFurniture } from './furniture.ts';
import { isKindFrame, othersUnder } from './kind-frame.ts';
import { isLinkBar } from './link-bar.ts';
import { dropRepeats } from './repeats.ts';
import { hasManyReviews } from './reviews.ts';

/** A page's own mark for its main part is believed from this share of its text on. */
const MAIN_SHARE = 0.3;
/** Names lie where what they name holds most of the page. */
const MOST_SHARE = 0.5;

/**
 * The part of a page that is for reading, for pages that are not articles: lists, threads, shops, forms.
 * Takes out what frames every page and keeps all else. weigh() comes first.
 */
export function cleanWhole(page: HtmlElement, ends: Ends): HtmlElement {
  const root = mainOf(page) ?? page;
  prune(root, { page, total: root.chars, many: ends.product && hasManyReviews(page), ends });
  trimHead(root, ends);
  trimTail(root, ends);
  dropRepeats(root, ends.discussion);
  if (root.prose > 0) dropTail(root);
  return root;
}

function mainOf(page: HtmlElement): HtmlElement | undefined {
  const own = page.getElementsByTagName('main');
  const candidates =
    own.length > 0
      ? own
      : page.getElementsByTagName('div').filter(({ attributes }) => attributes.role === 'main');
  const best = candidates.reduce<HtmlElement | undefined>(
    (a, b) => (a && a.chars >= b.chars ? a : b),
    undefined,
  );
  return best && best.chars - best.linkChars >= (page.chars - page.linkChars) * MAIN_SHARE ? best : undefined;
}

/** Characters of a form that is there to be filled in, and nodes of it that are read. */
const MAX_FORM_CHARS = 200;
const MAX_FORM_NODES = 200;

/** Whether a form can be filled in: forums put what was written into forms that can be opened to change it. */
function hasControls(form: HtmlElement): boolean {
  let [nodes, controls] = [0, form.controls];
  for (const node of descendants(form)) {
    if (controls > 0 || ++nodes > MAX_FORM_NODES) break;
    if (node.nodeType === 1) controls += node.controls;
  }
  return controls > 0 || nodes > MAX_FORM_NODES;
}

interface Around {
  readonly page: HtmlElement;
  /** Characters of all that is judged. */
  readonly total: number;
  /** What buyers say is more than a few of them do. */
  readonly many: boolean;
  readonly ends: Ends;
}

function prune(element: HtmlElement, around: Around): void {
  for (let node = element.firstChild; node; ) {
    let next: HtmlNode | null = node.nextSibling;
    if (node.nodeType === 1 && node.chars > 0) {
      const others = othersUnder(node, around.ends);
      if (others) {
        next = others.nextSibling;
        drop(others);
        drop(node);
      } else if (!dropFrame(node, around) && node.tag !== 'pre') {
        if (around.ends.discussion) cutProfile(node);
        prune(node, around);
      }
    }
    node = next;
  }
}

/** Drops what frames the page, or is there to work with it; gives whether it did. */
function dropFrame(node: HtmlElement, around: Around): boolean {
  const { page, ends } = around;
  if (isFrame(node, around)) dropUnderHeading(node);
  else if (isKindFrame(node, page, ends)) drop(node);
  else if (isFurniture(node, !ends.discussion && !ends.product)) dropLabelled(node);
  else return false;
  return true;
}

/** Drops something and, where that was the last of the reviews under it, the heading that says so. */
function dropUnderHeading(node: HtmlElement): void {
  const [before, after] = isReviews(node)
    ? [shown(node, 'previousSibling'), shown(node, 'nextSibling')]
    : [undefined, undefined];
  drop(node);
  if (before?.nodeType !== 1 || !HEADING.has(before.tag) || before.tag === 'h1') return;
  if (!after || (after.nodeType === 1 && HEADING.has(after.tag))) drop(before);
}

function shown(node: HtmlNode, side: 'previousSibling' | 'nextSibling'): HtmlNode | null {
  let at = node[side];
  for (let nodes = 0; at && nodes < MAX_BETWEEN && isBlank(at); nodes++) at = at[side];
  return at;
}

/** Nodes without words that are read between a heading and what stands under it. */
const MAX_BETWEEN = 20;

function isBlank(node: HtmlNode): boolean {
  return node.nodeType === 3 ? node.data.trim() === '' : node.chars === 0;
}

function isFrame(
  node: HtmlElement,
  { page, total, many, ends: { discussion, product, article } }: Around,
): boolean {
  const { tag, part, chars } = node;
  if (tag === 'nav') return true;
  if (liesOver(node)) return node.getElementsByTagName('h1').length === 0 || chars < total * MOST_SHARE;
  if (tag === 'footer' || node.attributes.role === 'contentinfo')
    return isFooter(node) && (product || chars < total * MOST_SHARE);
  if (article && part === 'comments') return chars < total * MOST_SHARE * 1.5;
  if (product && many && isReviews(node)) return chars < total * MOST_SHARE * 1.5;
  if (part === 'frame' || part === 'related') return chars < total * MOST_SHARE;
  if (tag === 'header') return isHeader(node, page);
  // The line over an answer is one too, and says who wrote it.
  if (!discussion && BLOCK.has(tag) && isLinkBar(node)) return true;
  if (tag === 'form') return chars < MAX_FORM_CHARS && hasControls(node);
  if (tag === 'aside') return part !== '' && chars < total * 0.3;
  return false;
}

/** The first header of a page, above its title. */
function isHeader(node: HtmlElement, page: HtmlElement): boolean {
  return (
    node.depth < 4 &&
    page.getElementsByTagName('header')[0] === node &&
    node.getElementsByTagName('h1').length === 0
  );
}

/** Whether a footer is the page's own; under a post it says who wrote it. */
function isFooter(footer: HtmlElement): boolean {
  if (footer.getElementsByTagName('main').length > 0) return false;
  if (footer.depth < 4 || footer.linkChars > footer.chars / 3) return true;
  for (let at = footer.parentNode; at; at = at.parentNode)
    if (/^(?:li|article|blockquote|td)$/.test(at.tag)) return false;
  return true;
}
