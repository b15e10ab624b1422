import { type HtmlElement, nextNode } from '../parsing/node.ts';

const MAX_NODES = 400;
const STRUCK = new Set(['del', 's', 'strike']);

export function isStruck(element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element, levels = 0; at && levels < 3; levels++, at = at.parentNode) {
    if (STRUCK.has(at.tag)) return true;
  }
  return false;
}

export function plainText(element: HtmlElement, most: number): string {
  let [text, nodes] = ['', 0];
  for (let node = nextNode(element, element); node && ++nodes <= MAX_NODES && text.length <= most; ) {
    const isOut: boolean =
      node.nodeType === 1 && (STRUCK.has(node.tag) || node.tag === 'script' || node.tag === 'style');
    if (node.nodeType === 3) text += node.data.slice(0, most);
    else if (!INLINE.has(node.tag)) text += ' ';
    node = nextNode(node, element, !isOut);
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, most);
}

const INLINE = new Set(
  'a abbr b bdi big cite code em font i mark q small span strong sub sup u wbr ins kbd var'.split(' '),
);

const OF =
  /(?<![\d.,])(\d(?:[.,]\d{1,2})?) {0,2}(?:out of|of|von|sur|de|su|av|\/|z|из) {0,2}(?:5|10)(?!\d)|(?:rated|rating:?|bewertung:?|note:?) {0,2}(\d(?:[.,]\d{1,2})?)(?!\d)|^(\d(?:[.,]\d)?) {0,2}(?:stars?|sterne?|étoiles?|estrellas?)$/iu;

export function ratingOf(element: HtmlElement): string | undefined {
  const { 'aria-label': label = '', title = '', alt = '', 'data-rating': data = '' } = element.attributes;
  if (/^\d(?:[.,]\d{1,2})?$/.test(data)) return data;
  for (const said of [label, title, alt]) {
    const [, first, second, third] = OF.exec(said.slice(0, 100)) ?? [];
    const found = first ?? second ?? third;
    if (found) return found;
  }
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType !== 3) continue;
    const stars = /[★⭐✭]{1,5}(?=[☆✩]{0,5})/u.exec(node.data.slice(0, 200))?.[0];
    if (stars && node.data.includes('★') !== node.data.includes('⭐')) return String([...stars].length);
    const [, first] = OF.exec(node.data.slice(0, 60)) ?? [];
    if (first) return first;
  }
  return undefined;
}
