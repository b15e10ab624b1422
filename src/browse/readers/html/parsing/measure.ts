import { isControl } from '../main-content/page-controls.ts';
import { descendants, type HtmlElement, type HtmlNode } from './node.ts';
import { HEADING_TAGS } from './tags.ts';
import { weightedLength } from './white-space.ts';

const MAX_NODES = 2000;

export interface BoxContent {
  chars: number;
  linkChars: number;
  readonly links: HtmlElement[];
  readonly headings: HtmlElement[];
  isSolid: boolean;
  hasPicture: boolean;
}

export function measureContent(element: HtmlElement): BoxContent {
  const found: BoxContent = {
    chars: 0,
    linkChars: 0,
    links: element.tag === 'a' ? [element] : [],
    headings: [],
    isSolid: false,
    hasPicture: false,
  };
  let nodes = 0;
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES) {
      found.isSolid = true;
      break;
    }
    if (node.nodeType === 1) countElement(found, node, element);
    else {
      const length = weightedLength(node.data);
      found.chars += length;
      if (length > 0 && inLink(node, element)) found.linkChars += length;
    }
  }
  return found;
}

function countElement(found: BoxContent, node: HtmlElement, root: HtmlElement): void {
  if (node.tag === 'a' && node.chars > 0) found.links.push(node);
  else if (HEADING_TAGS.has(node.tag) && node.chars > 0) found.headings.push(node);
  else if (node.tag === 'img') found.hasPicture ||= Boolean(node.attributes.alt) && isShown(node, root);
  else if (/^(?:pre|blockquote|table|dl)$/.test(node.tag)) found.isSolid = true;
}

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i;

/** False for a picture in a link, unless the link leads to a larger version of the picture. */
function isShown(picture: HtmlElement, root: HtmlElement): boolean {
  for (let at = picture.parentNode; at; at = at.parentNode) {
    if (at.tag === 'a') return isControl(at) || PICTURE.test(at.attributes.href ?? '');
    if (at === root) return true;
  }
  return true;
}

function inLink({ parentNode }: HtmlNode, root: HtmlElement): boolean {
  for (let at = parentNode; at; at = at.parentNode) {
    if (at.tag === 'a') return isControl(at) || !(at.attributes.href ?? '#').startsWith('#');
    if (at === root) return false;
  }
  return false;
}
