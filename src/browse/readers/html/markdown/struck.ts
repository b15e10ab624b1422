import { elementsIn, HtmlElement, moveChildren, nextNode } from '../parsing/node.ts';
import { BLOCK } from '../parsing/tags.ts';

const LINE_THROUGH = /(?:^|;)\s{0,9}text-decoration(?:-line)?\s{0,9}:[^;]{0,80}\bline-through\b/i;

export function markStruck(root: HtmlElement): void {
  for (let node = nextNode(root, root); node; ) {
    const isStruck =
      node.nodeType === 1 && node.tag !== 'pre' && LINE_THROUGH.test(node.attributes.style ?? '');
    const next = nextNode(node, root, !isStruck);
    if (isStruck) for (const box of innermostBoxes(node as HtmlElement)) strike(box);
    node = next;
  }
}

function strike(box: HtmlElement): void {
  const struck = new HtmlElement('del', {}, box.depth + 1);
  moveChildren(box, struck);
  box.appendChild(struck);
}

function innermostBoxes(element: HtmlElement): HtmlElement[] {
  const blocks = [...elementsIn(element)].filter(({ tag }) => BLOCK.has(tag));
  const outer = new Set(blocks.map(({ parentNode }) => parentNode));
  for (const { parentNode } of blocks)
    for (let at = parentNode; at && at !== element && !outer.has(at.parentNode); at = at.parentNode)
      outer.add(at);
  return blocks.length === 0 ? [element] : blocks.filter((block) => !outer.has(block));
}
