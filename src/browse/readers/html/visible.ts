import { withoutInvisible } from '../hidden.ts';
import { isTitled } from './chrome.ts';
import { descendants, drop, following, type HtmlElement } from './node.ts';
import { isHiding, isSizeless, readHidingRules } from './styles.ts';
import { UNREAD } from './tags.ts';

/** Names that style sheets use for what is there for screen readers or for later. */
const HIDDEN_CLASS =
  /(?:^|\s)(?:hidden|hide|is-hidden|d-none|u-hidden|invisible|(?:visually|element)-?hidden|sr-only|(?:screen-?reader|assistive)-?(?:text|only)|offscreen|off-screen)(?=\s|$)/i;
/** ... and for what is shown all the same, on a wide screen. */
const SHOWN_CLASS = /(?:sm|md|lg|xl|xxl|desktop|print)[-:](?:block|flex|inline|grid|table|show|visible)/i;

const CONTROL = /^(?:button|input|select|textarea)$/;

/** With fewer characters left than this, the page's own style sheet is not believed: a script shows the page. */
const LEAST = 200;

/**
 * Takes out what a reader of the page does not see, so that it can't instruct the assistant that reads it:
 * what is not text, what attributes, inline styles or simple rules of <style> hide, and invisible characters.
 */
export function dropUnseen(root: HtmlElement): void {
  const rules = readHidingRules(root);
  const late: HtmlElement[] = [];
  const asides: HtmlElement[] = [];
  const scriptless: HtmlElement[] = [];
  for (let node = following(root, root); node; ) {
    let inside = true;
    if (node.nodeType === 3) node.data = withoutInvisible(node.data);
    else if (node.tag === 'noscript') {
      scriptless.push(node);
      inside = false;
    } else if (isUnseen(node)) {
      const next = following(node, root, false);
      if (CONTROL.test(node.tag) && node.parentNode && node.attributes.type !== 'hidden')
        node.parentNode.controls++;
      drop(node);
      node = next;
      continue;
    } else if (rules.hides(node)) {
      late.push(node);
      inside = false;
    } else if (rules.shrinks(node)) dropOwnText(node);
    else if (hiddenByName(node) || node.attributes['aria-hidden'] === 'true') asides.push(node);
    node = following(node, root, inside);
  }
  const length = (elements: readonly HtmlElement[]) =>
    elements.reduce((sum, { textContent }) => sum + textContent.replace(/\s+/g, ' ').length, 0);
  const without = length(scriptless);
  const total = length([root]) - without;
  if (total - length(late) >= Math.min(LEAST, total / 2)) for (const element of late) drop(element);
  // A page behind an open dialog is hidden from screen readers as a whole, one that a script shows is
  // called hidden until then; everyone sees them.
  for (const element of asides) if (element.textContent.length < total / 2) drop(element);
  // What is shown without scripts repeats the page, unless it is all there is.
  if (without < LEAST || total > without) for (const element of scriptless) drop(element);
  else for (const element of scriptless) dropUnseen(element);
}

function isUnseen(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === 'button') return !isTitled(element);
  if (UNREAD.has(tag)) return !(tag === 'dialog' && attributes.open !== undefined);
  if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return true;
  const { style } = attributes;
  if (style === undefined) return false;
  return isHiding(style) || (isSizeless(style) && !hasSizes(element));
}

/** Whether something in an element sets a size of its own, and so is seen though the element has none. */
function hasSizes(element: HtmlElement): boolean {
  for (const node of descendants(element)) {
    if (node.nodeType === 1 && node.attributes.style?.includes('font-size')) return true;
  }
  return false;
}

function dropOwnText(element: HtmlElement): void {
  for (const node of element.childNodes) if (node.nodeType === 3) drop(node);
}

function hiddenByName({ attributes }: HtmlElement): boolean {
  const name = attributes.class;
  return name !== undefined && HIDDEN_CLASS.test(name) && !SHOWN_CLASS.test(name);
}
