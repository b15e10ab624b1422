import { elementsIn, type HtmlElement, wrapChildren } from '../parsing/node.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';

const LINE_THROUGH = /(?:^|;)\s{0,9}text-decoration(?:-line)?\s{0,9}:[^;]{0,80}\bline-through\b/i;

export function markStruck(root: HtmlElement): void {
  for (const node of elementsIn(root)) {
    const { style = '' } = node.attributes;
    if (!LINE_THROUGH.test(style) || node.tag === 'pre') continue;
    const { children } = node;
    if (children.some(({ tag }) => BLOCK_TAGS.has(tag)))
      for (const child of children) child.attributes.style = 'text-decoration:line-through';
    else wrapChildren(node, 'del');
  }
}
