import { elementsIn, HtmlElement, HtmlText } from '../parsing/node.ts';

const INLINE = /^(?:span|b|strong|i|em|small|font|label)$/;
const DISPLAYED =
  /(?:^|;)\s{0,9}display\s{0,9}:\s{0,9}(?:block|flex|grid|table|list-item|flow-root)\s{0,9}(?:[;!]|$)/i;
const WHOLE = /^(?:a|pre|code|kbd|samp)$/;

/** Puts inline elements that their own style shows as blocks into a `<div>`, but not in links and code. */
export function wrapDisplayedBlocks(root: HtmlElement): void {
  const displayed = [...elementsIn(root)].filter(
    ({ tag, attributes: { style } }) => style !== undefined && INLINE.test(tag) && DISPLAYED.test(style),
  );
  for (const node of displayed) {
    let at = node.parentNode;
    while (at && at !== root && !WHOLE.test(at.tag)) at = at.parentNode;
    const block = new HtmlElement('div', {}, node.depth);
    if (at === root) {
      node.parentNode?.replaceChild(block, node);
      block.appendChild(node);
    } else if (at?.tag === 'a') node.appendChild(new HtmlText(' '));
  }
}
