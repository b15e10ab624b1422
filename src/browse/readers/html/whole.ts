import { drop, type HtmlElement, type HtmlNode } from './node.ts';

/** A page's own mark for its main part is believed from this share of its text on. */
const MAIN = 0.3;
/** Names lie where what they name holds most of the page. */
const MOST = 0.5;

/**
 * The part of a page that is for reading, for pages that are no article: lists, threads, shops, forms.
 * Takes out what frames every page and keeps all else. weigh() comes first.
 */
export function cleanWhole(page: HtmlElement): HtmlElement {
  const root = mainOf(page) ?? page;
  prune(root, root.chars, page);
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
  return best && best.chars - best.linkChars >= (page.chars - page.linkChars) * MAIN ? best : undefined;
}

function prune(element: HtmlElement, total: number, page: HtmlElement): void {
  for (let node = element.firstChild; node; ) {
    const next: HtmlNode | null = node.nextSibling;
    if (node.nodeType === 1 && node.chars > 0) {
      if (isFrame(node, total, page)) drop(node);
      else if (node.tag !== 'pre') prune(node, total, page);
    }
    node = next;
  }
}

function isFrame(node: HtmlElement, total: number, page: HtmlElement): boolean {
  const { tag, part, chars, linkChars } = node;
  if (tag === 'nav') return true;
  if (tag === 'footer') return chars < total * MOST && (node.depth < 4 || linkChars > chars / 3);
  if (part === 'frame' || part === 'related') return chars < total * MOST;
  if (tag === 'header')
    return (
      node.depth < 4 &&
      page.getElementsByTagName('header')[0] === node &&
      node.getElementsByTagName('h1').length === 0
    );
  if (tag === 'form') return chars < 200;
  if (tag === 'aside') return part !== '' && chars < total * 0.3;
  return false;
}
