import { following, type HtmlElement, type HtmlNode } from '../parsing/node.ts';
import { isReviews } from '../visibility/chrome.ts';

/** Characters of what buyers say up to which a page shows a few of them, as part of what it says of the thing. */
const FEW_CHARS = 600;

/** Whether the reviews of a page are more than a few: a shop's own text would be the smaller part. weigh() comes first. */
export function hasManyReviews(page: HtmlElement): boolean {
  return reviewChars(page) > FEW_CHARS;
}

/** Whether a page has many reviews, and what was made of it has none of them. */
export function lacksReviews(many: boolean, root: HtmlElement): boolean {
  return many && reviewChars(root) === 0;
}

function reviewChars(root: HtmlElement): number {
  let chars = 0;
  for (let node: HtmlNode | null = following(root, root); node; ) {
    const found = node.nodeType === 1 && node.chars > 0 && isReviews(node);
    if (found) chars += node.textContent.trim().length;
    node = following(node, root, !found);
  }
  return chars;
}
