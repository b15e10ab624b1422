import { type HtmlElement, nextNode } from '../parsing/node.ts';
import { readElementNames } from '../visibility/page-parts.ts';

const PLACES = /\/(?:collections?|categor(?:y|ies)|cat|tags?|brands?)\/[^/]/i;
const ONE = /\/(?:products?|blogs?|articles?|news|20\d\d)\//i;
const PAGES =
  /(?:^|[ -])(?:catalog-category|template-collection|page-category|category-page|post-type-archive|tax-[a-z]+)(?=[ -]|$)|(?:^| )(?:archive|category)(?= |$)/;
const SINGLE = /(?:^| )(?:single|single-post|postid-\d+)(?= |$)/;
const DESCRIPTIONS =
  /(?:^|[ -])(?:category|taxonomy|archive|collection|term|plp)-(?:[a-z]+-){0,2}(?:description|desc|text|copy|intro)(?=[ -]|$)|(?:^|[ -])(?:seo-text|text-seo|seo-content|product-list(?:ing)?)(?=[ -]|$)/;
const LEVELS = 3;
const MIN_CARDS = 6;
const CARD_CHARS = [15, 1500] as const;
const CARDS_SHARE = 0.08;

export function isListIntroduction(
  page: HtmlElement,
  root: HtmlElement,
  types: ReadonlySet<string>,
  url: string,
): boolean {
  if ([...types].some((type) => /.Article$|^BlogPosting$/.test(type))) return false;
  return isNamedShelf(page, root, types, url) && holdsCards(page);
}

function isNamedShelf(page: HtmlElement, root: HtmlElement, types: ReadonlySet<string>, url: string) {
  if (SINGLE.test(readElementNames(page))) return false;
  if (types.has('CollectionPage') || PAGES.test(readElementNames(page))) return true;
  const path = (URL.parse(url)?.pathname ?? '').slice(0, 500);
  if (PLACES.test(path) && !ONE.test(path)) return true;
  let at: HtmlElement | null = root;
  for (let level = 0; at && level < LEVELS; level++, at = at.parentNode)
    if (DESCRIPTIONS.test(readElementNames(at))) return true;
  return false;
}

function holdsCards(page: HtmlElement): boolean {
  for (let node = nextNode(page, page), inside = true; node; node = nextNode(node, page, inside)) {
    inside = node.nodeType === 1 && node.chars > 0 && !/^(?:frame|related)$/.test(node.part);
    if (node.nodeType === 1 && inside && cardChars(node) > page.chars * CARDS_SHARE) return true;
  }
  return false;
}

function cardChars(element: HtmlElement): number {
  const counts = new Map<string, { count: number; chars: number }>();
  let most = 0;
  for (const child of element.children) {
    const { tag, chars, linkChars, attributes } = child;
    if (linkChars === 0 || chars < CARD_CHARS[0] || chars > CARD_CHARS[1] || tag === 'p') continue;
    const kind = `${tag} ${(attributes.class ?? '').slice(0, 40).replace(/\d+/g, '')}`;
    const found = counts.get(kind) ?? { count: 0, chars: 0 };
    found.count++;
    found.chars += chars;
    counts.set(kind, found);
    if (found.count >= MIN_CARDS) most = Math.max(most, found.chars);
  }
  return most;
}
