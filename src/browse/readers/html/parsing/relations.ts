import type { HtmlElement, HtmlNode } from './node.ts';
import { BLOCK_TAGS } from './tags.ts';

/** Returns the nearest sibling that is not white space, and with `told` one that has text. */
export function shownSibling(
  node: HtmlNode,
  side: 'previousSibling' | 'nextSibling',
  told = false,
): HtmlNode | null {
  let at = node[side];
  while (at && (at.nodeType === 3 ? at.data.trim() === '' : told && at.chars === 0)) at = at[side];
  return at;
}

/** True if an element has no text beside it in its block. */
export function isAlone(element: HtmlElement): boolean {
  return (['previousSibling', 'nextSibling'] as const).every((side) => {
    const beside = shownSibling(element, side);
    return beside === null || (beside.nodeType === 1 && BLOCK_TAGS.has(beside.tag));
  });
}

export function isInLink({ parentNode }: HtmlNode, root: HtmlElement): boolean {
  for (let at = parentNode; at && at !== root; at = at.parentNode) if (at.tag === 'a') return true;
  return false;
}

export function isWithinAny({ parentNode }: HtmlNode, others: ReadonlySet<HtmlNode>): boolean {
  for (let at = parentNode; at; at = at.parentNode) if (others.has(at)) return true;
  return false;
}
