import { withoutInvisible } from '../hidden.ts';
import { drop, following, type HtmlElement } from './node.ts';
import { isHiding, readHidingRules } from './styles.ts';
import { UNREAD } from './tags.ts';

/** Names that style sheets use for what is there for screen readers or for later. */
const HIDDEN_CLASS =
  /(?:^|\s)(?:hidden|hide|is-hidden|d-none|u-hidden|invisible|(?:visually|element)-?hidden|sr-only|(?:screen-?reader|assistive)-?(?:text|only)|offscreen|off-screen)(?=\s|$)/i;
/** ... and for what is shown all the same, on a wide screen. */
const SHOWN_CLASS = /(?:sm|md|lg|xl|xxl|desktop|print)[-:](?:block|flex|inline|grid|table|show|visible)/i;

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
  for (let node = following(root, root); node; ) {
    let inside = true;
    if (node.nodeType === 3) {
      node.data = withoutInvisible(node.data);
    } else if (isUnseen(node)) {
      const next = following(node, root, false);
      drop(node);
      node = next;
      continue;
    } else if (rules.hides(node) || hiddenByName(node)) {
      late.push(node);
      inside = false;
    } else if (node.attributes['aria-hidden'] === 'true') asides.push(node);
    node = following(node, root, inside);
  }
  const total = root.textContent.length;
  const shown = total - late.reduce((sum, { textContent }) => sum + textContent.length, 0);
  if (shown >= Math.min(LEAST, total / 2)) for (const element of late) drop(element);
  // A page behind an open dialog is hidden from screen readers as a whole; everyone sees it.
  for (const element of asides) if (element.textContent.length < total / 2) drop(element);
}

function isUnseen({ tag, attributes }: HtmlElement): boolean {
  if (UNREAD.has(tag)) return !(tag === 'dialog' && attributes.open !== undefined);
  if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return true;
  return attributes.style !== undefined && isHiding(attributes.style);
}

function hiddenByName({ attributes }: HtmlElement): boolean {
  const name = attributes.class;
  return name !== undefined && HIDDEN_CLASS.test(name) && !SHOWN_CLASS.test(name);
}
