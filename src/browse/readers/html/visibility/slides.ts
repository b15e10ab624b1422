import { lettersOf } from '../../../../lib/text/letters.ts';
import { descendants, elementsIn, type HtmlElement, removeNode } from '../parsing/node.ts';
import { isInLink } from '../parsing/relations.ts';

const COPY = /(?:^|[\s_-])(?:cloned?|duplicate)(?=[\s_-]|$)/i;
const MIN_TEXT_CHARS = 25;
const MAX_LEVELS = 4;

/** Shows all slides of text in a carousel, and drops the copies with which a carousel turns in a circle. */
export function showSlides(page: HtmlElement, html: string): void {
  if (!/aria-hidden\s{0,3}=|cloned?\b|duplicate\b/i.test(html)) return;
  for (const track of [...elementsIn(page)]) {
    const slides = slidesIn(track);
    const isCopy = ({ attributes }: HtmlElement) => COPY.test(attributes.class ?? '');
    const told = new Set<string>();
    for (const slide of [...slides.filter((one) => !isCopy(one)), ...slides.filter(isCopy)]) {
      const letters = lettersOf(slide.textContent);
      if (told.has(letters)) removeNode(slide);
      told.add(letters);
      delete slide.attributes['aria-hidden'];
    }
    let at: HtmlElement | null = slides.length > 0 ? track : null;
    for (let level = 0; at && level < MAX_LEVELS; level++, at = at.parentNode)
      if (at.attributes.role === 'toolbar') delete at.attributes.role;
  }
}

/** Returns children that are alike, have texts, and of which some but not all are hidden or copies. */
function slidesIn({ firstChild, lastChild, children }: HtmlElement): readonly HtmlElement[] {
  if (firstChild === lastChild) return [];
  const waits = ({ attributes }: HtmlElement) =>
    attributes['aria-hidden'] === 'true' || COPY.test(attributes.class ?? '');
  const first = children.find(waits);
  const [name] = first?.attributes.class?.split(/\s/, 1) ?? [];
  if (!first || !name) return [];
  const slides = children.filter(
    ({ tag, attributes }) => tag === first.tag && attributes.class?.split(/\s/, 1)[0] === name,
  );
  return slides.every(waits) || !slides.every(hasText) ? [] : slides;
}

/** True if an element has a sentence or so outside of its links. */
function hasText(element: HtmlElement): boolean {
  let chars = 0;
  for (const node of descendants(element))
    if (node.nodeType === 3 && !isInLink(node, element)) chars += node.data.trim().length;
  return chars >= MIN_TEXT_CHARS;
}
