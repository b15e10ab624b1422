import type { HtmlElement } from '../parsing/node.ts';
import { HEADING } from '../parsing/tags.ts';
import { readElementNames } from '../visibility/page-parts.ts';

const LEDE =
  /(?:^|[ -])(?:lead|lede|intro|introduction|standfirst|teaser-?text|article-?teaser|summary|abstract|chapeau|sommario|vorspann|anriss|entradilla|bajada|copete|perex|excerpt|synopsis)(?= |-|$)/;
/** Ancestors of the text whose earlier siblings may be the introduction. */
const MAX_LEVELS = 4;
const MIN_CHARS = 60;
const MAX_CHARS = 1200;

export function findLede(root: HtmlElement, page: HtmlElement): HtmlElement | undefined {
  let at = root;
  for (let level = 0; level < MAX_LEVELS && at !== page && at.parentNode; level++) {
    for (let node = at.previousSibling; node; node = node.previousSibling) {
      if (node.nodeType === 3) continue;
      const found = ledeIn(node);
      if (found) return found;
    }
    at = at.parentNode;
  }
  return undefined;
}

function ledeIn(element: HtmlElement): HtmlElement | undefined {
  if (element.chars < MIN_CHARS || /^(?:nav|aside|footer|form)$/.test(element.tag)) return undefined;
  if (isLede(element)) return element;
  for (const child of element.children.reverse()) {
    const found = ledeIn(child);
    if (found) return found;
  }
  return undefined;
}

function isLede(element: HtmlElement): boolean {
  const { chars, linkChars, attributes, tag } = element;
  if (chars < MIN_CHARS || chars > MAX_CHARS || linkChars > chars * 0.3) return false;
  if (HEADING.has(tag) && tag === 'h1') return false;
  return attributes.itemprop === 'description' || LEDE.test(readElementNames(element));
}
