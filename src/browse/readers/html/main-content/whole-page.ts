import { descendants, type HtmlElement, type HtmlNode, removeNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { isAskingFrame } from '../visibility/misnamed-boxes.ts';
import { isReviews, readElementNames } from '../visibility/page-parts.ts';
import { dropTrailingHeadings } from './clean.ts';
import { findRelatedLinks, isForumOrShopBoilerplate } from './kind-boilerplate.ts';
import { isLinkBar } from './link-bar.ts';
import { dropWithLabel, isPageControl, reduceProfileToName } from './page-controls.ts';
import { dropRepeats } from './repeats.ts';
import { hasManyReviews } from './reviews.ts';
import { isLogo, type PageTraits, trimAfterText, trimBeforeTitle } from './trim-ends.ts';

const MAIN_SHARE = 0.3;
const MOST_SHARE = 0.5;

export function cleanWhole(page: HtmlElement, ends: PageTraits): HtmlElement {
  const root = mainOf(page) ?? page;
  const many = ends.product && hasManyReviews(page);
  prune(root, { page, siteName: siteNameOf(page), total: root.chars, many, ends });
  trimBeforeTitle(root, ends);
  trimAfterText(root, ends);
  dropRepeats(root, { ...ends, article: false });
  if (root.prose > 0) dropTrailingHeadings(root);
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

const MAX_FORM_CHARS = 200;
const MAX_FORM_NODES = 200;

/** True if a form has fields. Forums put posts into forms whose fields appear only during editing. */
function hasControls(form: HtmlElement): boolean {
  let [nodes, controls] = [0, form.controls];
  for (const node of descendants(form)) {
    if (controls > 0 || ++nodes > MAX_FORM_NODES) break;
    if (node.nodeType === 1) controls += node.controls;
  }
  return controls > 0 || nodes > MAX_FORM_NODES;
}

interface PageInfo {
  readonly page: HtmlElement;
  readonly siteName: HtmlElement | undefined;
  readonly total: number;
  readonly many: boolean;
  readonly ends: PageTraits;
}

function prune(element: HtmlElement, around: PageInfo): void {
  for (let node = element.firstChild; node; ) {
    let next: HtmlNode | null = node.nextSibling;
    if (node.nodeType === 1 && node.chars > 0) {
      const others = findRelatedLinks(node, around.ends);
      if (others) {
        next = others.nextSibling;
        removeNode(others);
        removeNode(node);
      } else if (!dropFrame(node, around) && node.tag !== 'pre') {
        if (around.ends.discussion) reduceProfileToName(node);
        prune(node, around);
      }
    }
    node = next;
  }
}

function dropFrame(node: HtmlElement, around: PageInfo): boolean {
  const { page, ends } = around;
  const isAuthor = node.tag === 'aside' && ends.discussion && /author/.test(readElementNames(node));
  if (!isAuthor && isFrame(node, around)) dropUnderHeading(node);
  else if (isForumOrShopBoilerplate(node, page, ends)) removeNode(node);
  else if (isPageControl(node, !ends.discussion && !ends.product)) dropWithLabel(node);
  else return false;
  return true;
}

function dropUnderHeading(node: HtmlElement): void {
  const [before, after] = isReviews(node)
    ? [shownSibling(node, 'previousSibling', true), shownSibling(node, 'nextSibling', true)]
    : [undefined, undefined];
  removeNode(node);
  if (before?.nodeType !== 1 || !HEADING_TAGS.has(before.tag) || before.tag === 'h1') return;
  if (!after || (after.nodeType === 1 && HEADING_TAGS.has(after.tag))) removeNode(before);
}

function isFrame(node: HtmlElement, around: PageInfo): boolean {
  const { tag, part, chars } = node;
  const { total, many, siteName, ends } = around;
  if (tag === 'nav' || isAskingBox(node, total)) return true;
  if (tag === 'footer' || node.attributes.role === 'contentinfo')
    return isFooter(node) && (ends.product || chars < total * MOST_SHARE);
  if (ends.article && part === 'comments') return chars < total * MOST_SHARE * 1.5;
  if (ends.product && many && isReviews(node)) return chars < total * MOST_SHARE * 1.5;
  if (part === 'frame' || part === 'related') return chars < total * MOST_SHARE;
  if (tag === 'header') return isHeader(node, around);
  if (node === siteName) return true;
  if (!ends.discussion && BLOCK_TAGS.has(tag) && isLinkBar(node)) return true;
  if (tag === 'form') return chars < MAX_FORM_CHARS && hasControls(node);
  if (tag === 'aside') return part !== '' && chars < total * 0.3;
  return false;
}

/** True for a dialog, a request for consent and the like, which may be longer than the page's text. */
function isAskingBox(node: HtmlElement, total: number): boolean {
  if (node.part === '' || !isAskingFrame(node)) return false;
  return node.chars < total * MOST_SHARE || node.getElementsByTagName('h1').length === 0;
}

function isHeader(node: HtmlElement, { page, siteName }: PageInfo): boolean {
  return (
    node.depth < 4 &&
    !isInPost(node) &&
    page.getElementsByTagName('header')[0] === node &&
    node.getElementsByTagName('h1').every((head) => head === siteName)
  );
}

/** Returns the first of several main headings if it is a link to the site's first page. */
function siteNameOf(page: HtmlElement): HtmlElement | undefined {
  const [first, second] = page.getElementsByTagName('h1');
  if (!first || !second || first.linkChars < first.chars) return undefined;
  return isLogo(first.parentNode?.tag === 'a' ? first.parentNode : first) ? first : undefined;
}

/** True for a page's footer. The footer of a single post names the author and belongs to the post. */
function isFooter(footer: HtmlElement): boolean {
  if (footer.getElementsByTagName('main').length > 0) return false;
  if (footer.depth < 4 || footer.linkChars > footer.chars / 3) return true;
  return !isInPost(footer);
}

function isInPost(node: HtmlElement): boolean {
  for (let at = node.parentNode; at; at = at.parentNode)
    if (/^(?:li|article|blockquote|td)$/.test(at.tag)) return true;
  return false;
}
