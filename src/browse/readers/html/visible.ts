import { withoutInvisible } from '../hidden.ts';
import { isTitled } from './chrome.ts';
import { descendants, drop, following, type HtmlElement } from './node.ts';
import { type HidingRules, isHiding, isSizeless, readHidingRules } from './styles.ts';
import { UNREAD } from './tags.ts';

/** Names that style sheets use for what is there for screen readers or for later. */
const HIDDEN_CLASS =
  /(?:^|\s)(?:hidden|hide|is-hidden|d-none|u-hidden|invisible|(?:visually|element)-?hidden|sr-only|(?:screen-?reader|assistive)-?(?:text|only)|offscreen|off-screen)(?=\s|$)/i;
/** ... and for what is shown all the same, on a wide screen. */
const SHOWN_CLASS = /(?:sm|md|lg|xl|xxl|desktop|print)[-:](?:block|flex|inline|grid|table|show|visible)/i;

const CONTROL = /^(?:button|input|select|textarea)$/;

/** With fewer characters left than this, the page's own style sheet is ignored: a script shows the page. */
const MIN_CHARS = 200;

/**
 * Takes out what a reader of the page does not see, so that it can't instruct the assistant that reads it:
 * what is not text, what attributes, inline styles or simple rules of <style> hide, and invisible characters.
 */
export function dropUnseen(root: HtmlElement): void {
  const { late, asides, scriptless } = dropHidden(root);
  const length = (elements: readonly HtmlElement[]) =>
    elements.reduce((sum, { textContent }) => sum + textContent.replace(/\s+/g, ' ').length, 0);
  const without = length(scriptless);
  const total = length([root]) - without;
  if (total - length(late) >= Math.min(MIN_CHARS, total / 2)) for (const element of late) drop(element);
  // A page behind an open dialog is hidden from screen readers as a whole, one that a script shows is
  // called hidden until then; everyone sees them.
  for (const element of asides) if (element.textContent.length < total / 2) drop(element);
  // What is shown without scripts repeats the page, unless it is all there is.
  if (without < MIN_CHARS || total > without) for (const element of scriptless) drop(element);
  else for (const element of scriptless) dropUnseen(element);
}

/** Elements whose fate depends on how much text the page has without them. */
interface Doubtful {
  /** Hidden by the page's own style sheet. */
  readonly late: HtmlElement[];
  /** Hidden by their name, or from screen readers. */
  readonly asides: HtmlElement[];
  /** <noscript>. */
  readonly scriptless: HtmlElement[];
}

/** Drops what is surely hidden, and collects what is in doubt. */
function dropHidden(root: HtmlElement): Doubtful {
  const rules = readHidingRules(root);
  const doubtful: Doubtful = { late: [], asides: [], scriptless: [] };
  for (let node = following(root, root); node; ) {
    let inside = true;
    if (node.nodeType === 3) node.data = withoutInvisible(node.data);
    else if (isUnseen(node) && node.tag !== 'noscript') {
      const next = following(node, root, false);
      dropControl(node);
      node = next;
      continue;
    } else inside = readElement(node, rules, doubtful);
    node = following(node, root, inside);
  }
  return doubtful;
}

/** Whether to read on inside of the element. */
function readElement(node: HtmlElement, rules: HidingRules, { late, asides, scriptless }: Doubtful): boolean {
  if (node.tag === 'noscript') {
    scriptless.push(node);
    return false;
  }
  if (rules.hides(node)) {
    late.push(node);
    return false;
  }
  if (rules.shrinks(node)) dropOwnText(node);
  else if (hiddenByName(node) || node.attributes['aria-hidden'] === 'true') asides.push(node);
  return true;
}

/** Drops an element; its parent counts the buttons and fields that it had. */
function dropControl(node: HtmlElement): void {
  if (CONTROL.test(node.tag) && node.parentNode && node.attributes.type !== 'hidden') {
    node.parentNode.controls++;
  }
  drop(node);
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
