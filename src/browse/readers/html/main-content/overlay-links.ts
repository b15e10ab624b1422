import { lettersOf } from '../../../../lib/text/letters.ts';
import { elementsIn, type HtmlElement, wrapChildren } from '../parsing/node.ts';
import { HEADING_TAGS } from '../parsing/tags.ts';

const MAX_LEVELS = 6;
const MIN_LETTERS = 8;
const LINK = 'x-link';

export function rememberOverlayLinks(root: HtmlElement): void {
  const links: HtmlElement[] = [];
  const headings: HtmlElement[] = [];
  for (const node of elementsIn(root)) {
    if (node.tag === 'a' && isOverlay(node)) links.push(node);
    else if (HEADING_TAGS.has(node.tag)) headings.push(node);
  }
  if (links.length === 0) return;
  const cards = cardsOf(headings);
  for (const link of links) {
    const heading = headingOf(link, cards);
    if (heading) heading.attributes[LINK] ??= link.attributes.href ?? '';
  }
}

export function linkOverlayHeadings(root: HtmlElement): void {
  for (const node of elementsIn(root)) {
    const { [LINK]: href } = node.attributes;
    if (href === undefined || !HEADING_TAGS.has(node.tag)) continue;
    delete node.attributes[LINK];
    if (node.getElementsByTagName('a').length > 0) continue;
    wrapChildren(node, 'a', { href });
  }
}

function isOverlay({ attributes, firstChild, textContent }: HtmlElement): boolean {
  const { href = '' } = attributes;
  if (href === '' || href.startsWith('#')) return false;
  return labelOf(attributes).length >= MIN_LETTERS && (firstChild === null || textContent.trim() === '');
}

function labelOf(attributes: Readonly<Record<string, string>>): string {
  return letters(attributes['aria-label'] ?? attributes.title ?? '');
}

function cardsOf(headings: readonly HtmlElement[]): ReadonlyMap<HtmlElement, HtmlElement | undefined> {
  const cards = new Map<HtmlElement, HtmlElement | undefined>();
  for (const heading of headings) {
    let at = heading.parentNode;
    for (let level = 0; at && level < MAX_LEVELS; level++, at = at.parentNode)
      cards.set(at, cards.has(at) ? undefined : heading);
  }
  return cards;
}

function headingOf(link: HtmlElement, cards: ReadonlyMap<HtmlElement, HtmlElement | undefined>) {
  let at = link.parentNode;
  for (let level = 0; at && level < MAX_LEVELS; level++, at = at.parentNode) {
    if (!cards.has(at)) continue;
    const heading = cards.get(at);
    return heading && isCalled(letters(heading.textContent), labelOf(link.attributes)) ? heading : undefined;
  }
  return undefined;
}

function isCalled(heading: string, label: string): boolean {
  return heading.length >= MIN_LETTERS && (heading.includes(label) || label.includes(heading));
}

const letters = (text: string): string => lettersOf(text.slice(0, 1000));
