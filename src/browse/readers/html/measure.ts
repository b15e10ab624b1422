import { isControl } from './furniture.ts';
import { descendants, type HtmlElement, type HtmlNode } from './node.ts';
import { HEADING } from './tags.ts';
import { lengthOf } from './weigh.ts';

/** Nodes in a box; one that holds more of them is not looked into. */
const NODES = 2000;

/** What stands in a box, as it is by now. */
export interface Measured {
  readonly chars: number;
  readonly linkChars: number;
  readonly links: readonly HtmlElement[];
  readonly headings: readonly HtmlElement[];
  /** Tables, code and the like, or more than is looked into. */
  readonly solid: boolean;
  /** A picture that says something and leads nowhere. */
  readonly pictured: boolean;
}

/** What is left in an element, counted anew: weigh() came before things were taken out. */
export function measure(element: HtmlElement): Measured {
  let [chars, linkChars, solid, pictured] = [0, 0, false, false];
  const links: HtmlElement[] = element.tag === 'a' ? [element] : [];
  const headings: HtmlElement[] = [];
  let nodes = 0;
  for (const node of descendants(element)) {
    if (++nodes > NODES) {
      solid = true;
      break;
    }
    if (node.nodeType === 3) {
      const length = lengthOf(node.data);
      chars += length;
      if (length > 0 && inLink(node, element)) linkChars += length;
    } else if (node.tag === 'a' && node.chars > 0) links.push(node);
    else if (HEADING.has(node.tag) && node.chars > 0) headings.push(node);
    else if (node.tag === 'img') pictured ||= Boolean(node.attributes.alt) && isShown(node, element);
    else if (/^(?:pre|blockquote|table|dl)$/.test(node.tag)) solid = true;
  }
  return { chars, linkChars, links, headings, solid, pictured };
}

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i;

/** Whether a picture is there to be looked at: no link leads from it but to itself in large. */
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
