import { descendants, type HtmlElement } from '../parsing/node.ts';
import { isInLink } from '../parsing/relations.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';

const MIN_LINKS = 3;
const MAX_LABEL_CHARS = 22;

export function isLinkBar(element: HtmlElement): boolean {
  const { chars, linkChars } = element;
  if (linkChars < chars * 0.6 || chars > 1000) return false;
  let [links, between] = [0, ''];
  for (const node of descendants(element)) {
    if (node.nodeType === 1) {
      if (BLOCK_TAGS.has(node.tag)) return false;
      if (node.tag === 'a' && node.attributes.href !== undefined && node.chars > 0) links++;
    } else if (!isInLink(node, element)) between += node.data;
  }
  if (links < MIN_LINKS || linkChars > links * MAX_LABEL_CHARS) return false;
  const marks = between.replace(/\s+/g, '');
  return /^[|·•»›/\\[\](){}–—-]*$/.test(marks) && (marks !== '' || !/^(?:td|th|li|dd)$/.test(element.tag));
}
