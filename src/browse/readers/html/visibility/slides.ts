import { lettersOf } from '../../../../lib/text/letters.ts';
import { elementsIn, type HtmlElement, removeNode } from '../parsing/node.ts';

const COPY = /(?:^|[\s_-])(?:cloned?|duplicate)(?=[\s_-]|$)/i;
const MIN_LETTERS = 20;
const MAX_LEVELS = 4;

const isCopy = ({ attributes }: HtmlElement) => COPY.test(attributes.class ?? '');
const waits = (slide: HtmlElement) => slide.attributes['aria-hidden'] === 'true' || isCopy(slide);
const nameOf = ({ tag, attributes }: HtmlElement) => `${tag} ${attributes.class?.split(/\s/, 1)[0] ?? ''}`;

const DECK = /(?:^|\s)slides?(?=\s|$)/;
const NOTES = /(?:^|\s)(?:speaker-)?notes(?=\s|$)/;

/** True for a part of a talk's slides, which may be as short as a heading or an address. */
export function isInDeck(part: HtmlElement): boolean {
  let isInSection = false;
  for (let at: HtmlElement | null = part; at; at = at.parentNode) {
    isInSection ||= at.tag === 'section';
    if (isInSection && at !== part && DECK.test(at.attributes.class ?? '')) return true;
  }
  return false;
}

function dropSpeakerNotes(page: HtmlElement): void {
  for (const notes of page.getElementsByTagName('aside'))
    if (NOTES.test(notes.attributes.class ?? '') && isInDeck(notes)) removeNode(notes);
}

/** Shows all slides of text in a carousel, and drops the copies with which a carousel turns in a circle. */
export function showSlides(page: HtmlElement, html: string): void {
  if (/\bnotes\b/.test(html)) dropSpeakerNotes(page);
  if (!/aria-hidden\s{0,3}=|cloned?\b|duplicate\b/i.test(html)) return;
  for (const track of [...elementsIn(page)]) {
    const slides = track.firstChild === track.lastChild ? [] : slidesIn(track.children);
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

/** Returns boxes that are alike and have texts outside of links, if some but not all are hidden or copies. */
function slidesIn(boxes: readonly HtmlElement[]): readonly HtmlElement[] {
  const first = boxes.find((box) => box.attributes.class !== undefined && waits(box));
  const slides = first ? boxes.filter((box) => nameOf(box) === nameOf(first)) : [];
  return slides.every(waits) || !slides.every(hasText) ? [] : slides;
}

function hasText(box: HtmlElement): boolean {
  const linked = box
    .getElementsByTagName('a')
    .reduce((sum, link) => sum + lettersOf(link.textContent).length, 0);
  return lettersOf(box.textContent).length - linked >= MIN_LETTERS;
}
