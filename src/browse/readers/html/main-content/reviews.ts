import { type HtmlElement, type HtmlNode, nextNode } from '../parsing/node.ts';
import { isReviews } from '../visibility/page-parts.ts';

const FEW_CHARS = 600;

/** True if the page contains long reviews by customers. `countText()` must have run before. */
export const hasManyReviews = (page: HtmlElement): boolean => reviewChars(page) > FEW_CHARS;

export function lacksReviews(many: boolean, root: HtmlElement): boolean {
  return many && reviewChars(root) === 0;
}

function reviewChars(root: HtmlElement): number {
  let chars = 0;
  for (let node: HtmlNode | null = nextNode(root, root); node; ) {
    const found = node.nodeType === 1 && node.chars > 0 && isReviews(node);
    if (found) chars += node.textContent.trim().length;
    node = nextNode(node, root, !found);
  }
  return chars;
}
