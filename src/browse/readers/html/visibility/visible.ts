import { withoutInvisible } from '../../hidden.ts';
import { descendants, drop, following, type HtmlElement, HtmlText, textsOf } from '../parsing/node.ts';
import { type HidingRules, isHiding, isSizeless, readHidingRules } from '../parsing/styles.ts';
import { UNREAD } from '../parsing/tags.ts';
import { lengthTogether } from '../parsing/white-space.ts';
import { isTitled } from './chrome.ts';
import { type Hiding, isOpened, noteOpener, type Openers } from './openers.ts';

/** Names that style sheets use for what is there for later, those of page builders' and shops' systems among them. */
const HIDDEN_CLASS =
  /(?:^|\s)(?:hidden|hide|is-hidden|d-none|u-hidden|invisible|aok-hidden|w-form-(?:done|fail)|w-condition-invisible)(?=\s|$)/i;
/** ... and for words that only screen readers say. */
const SPOKEN_CLASS =
  /(?:^|\s)(?:(?:visually|element)-?hidden|sr-only|elementor-screen-only|(?:screen-?reader|assistive)-?(?:text|only)|offscreen|off-screen)(?=\s|$)/i;
/** ... and for what is shown all the same, on a wide screen. */
const SHOWN_CLASS = /(?:sm|md|lg|xl|xxl|desktop|print)[-:](?:block|flex|inline|grid|table|show|visible)/i;

const CONTROL = /^(?:button|input|select|textarea)$/;

/** With fewer characters left than this, what is shown without scripts is the page. */
const MIN_CHARS = 200;
/** What hides this share of a page's text is there to be shown by a script; so are parts of one kind that hide this share. */
const WRAPPER_SHARE = 0.5;
const FAINT_SHARE = 0.3;

/**
 * Takes out what a reader of the page does not see, so that it can't instruct the assistant that reads it: what is not text, what
 * attributes, inline styles or simple rules of <style> hide, and invisible characters. With `opens`, for whole pages: what a control
 * of the page opens (a tab, an answer under its question) is seen, and so is what hides so much of the page that a script shows it.
 */
export function dropUnseen(root: HtmlElement, opens = false): void {
  const walk: Walk = {
    rules: readHidingRules(root),
    openers: { named: new Set(), ids: new Set() },
    opens,
    hidden: [],
    scriptless: [],
  };
  visit(root, walk);
  const without = walk.scriptless.reduce((sum, element) => sum + textLength(element), 0);
  // The text of a whole page is measured where something depends on it.
  if (walk.hidden.length > 0) {
    const seen = textLength(root) - without - walk.hidden.reduce((sum, { chars }) => sum + chars, 0);
    settle(walk, seen);
  }
  if (walk.scriptless.length === 0) return;
  // What is shown without scripts repeats the page, unless it is all there is.
  const kept = textLength(root) - without;
  for (const element of walk.scriptless) {
    if (without < MIN_CHARS || kept > without) drop(element);
    else dropUnseen(element);
  }
}

interface Hidden {
  readonly element: HtmlElement;
  readonly how: Hiding;
  readonly chars: number;
}

interface Walk {
  readonly rules: HidingRules;
  readonly openers: Openers;
  readonly opens: boolean;
  /** The outermost elements that are hidden; whether they go is known when the whole page is. */
  readonly hidden: Hidden[];
  /** <noscript>. */
  readonly scriptless: HtmlElement[];
}

/** Drops what is not text, below an element, and collects what is hidden. */
function visit(root: HtmlElement, walk: Walk): void {
  for (let node = following(root, root); node; ) {
    let inside = true;
    if (node.nodeType === 3) node.data = withoutInvisible(node.data);
    else if (node.tag === 'noscript') {
      walk.scriptless.push(node);
      inside = false;
    } else if (isUnread(node)) {
      const next = following(node, root, false);
      noteOpener(walk.openers, node);
      dropControl(node);
      node = next;
      continue;
    } else {
      const how = hidingOf(node, walk);
      if (how === undefined) noteOpener(walk.openers, node);
      else {
        walk.hidden.push({ element: node, how, chars: textLength(node) });
        inside = false;
      }
      if (walk.rules.shrinks(node)) dropOwnText(node);
    }
    node = following(node, root, inside);
  }
}

/** Drops what is hidden but for what is seen all the same; of that, the inside is read in the same way. */
function settle(walk: Walk, seen: number): void {
  let shown = seen;
  for (let round = 0; round < MAX_ROUNDS && walk.hidden.length > 0; round++) {
    const hidden = walk.hidden.splice(0);
    const faint = hidden.reduce((sum, { how, chars }) => sum + (how === 'faint' ? chars : 0), 0);
    const revealed = walk.opens && faint > MIN_CHARS && faint >= (shown + faint) * FAINT_SHARE;
    const late = hidden.reduce((sum, { how, chars }) => sum + (how === 'sheet' ? chars : 0), 0);
    const styled = shown < Math.min(MIN_CHARS, (shown + late) / 2);
    const open = hidden.filter(
      (one) =>
        (one.how === 'faint' && revealed) ||
        (one.how === 'sheet' && styled) ||
        isSeen(one, shown) ||
        (walk.opens && one.how !== 'spoken' && isOpened(one.element, walk.openers)),
    );
    const kept = new Set(open);
    for (const one of hidden) if (!kept.has(one)) drop(one.element);
    for (const { element, chars } of open) {
      shown += chars;
      visit(element, walk);
    }
  }
  for (const { element } of walk.hidden.splice(0)) drop(element);
}

/** Times that what is hidden within something shown is judged. */
const MAX_ROUNDS = 4;

function isSeen({ element, how, chars }: Hidden, shown: number): boolean {
  const share = chars / (shown + chars + 1);
  if (share < WRAPPER_SHARE || element.attributes['aria-modal'] !== undefined || isApart(element))
    return false;
  return chars > MIN_CHARS || how === 'name' || how === 'aria' || how === 'spoken';
}

function isApart({ tag, attributes }: HtmlElement): boolean {
  return (
    tag === 'nav' ||
    tag === 'footer' ||
    /^(?:dialog|alertdialog|navigation|menu)$/.test(attributes.role ?? '')
  );
}

function textLength(element: HtmlElement): number {
  return lengthTogether(textsOf(element));
}

/** Drops an element; its parent counts the buttons and fields that it had. */
function dropControl(node: HtmlElement): void {
  if (CONTROL.test(node.tag) && node.parentNode && node.attributes.type !== 'hidden') {
    node.parentNode.controls++;
    const mark = taskMark(node);
    if (mark) node.parentNode.insertBefore(new HtmlText(mark), node);
  }
  drop(node);
}

/** What a box says that is there to show whether a task is done; one that can be ticked belongs to a form. */
function taskMark({ tag, attributes, parentNode }: HtmlElement): string {
  if (tag !== 'input' || attributes.type?.toLowerCase() !== 'checkbox') return '';
  const item = parentNode?.tag === 'li' ? parentNode : parentNode?.parentNode;
  if (item?.tag !== 'li') return '';
  const names = `${attributes.class ?? ''} ${item.attributes.class ?? ''}`;
  if (attributes.disabled === undefined && !/task-?list/i.test(names)) return '';
  return attributes.checked === undefined ? '[ ] ' : '[x] ';
}

/** Whether an element holds nothing to read. */
function isUnread(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === 'button') return !isTitled(element);
  return UNREAD.has(tag) && !(tag === 'dialog' && attributes.open !== undefined);
}

function hidingOf(element: HtmlElement, { rules }: Walk): Hiding | undefined {
  const { hidden, style, class: names, 'aria-hidden': skipped } = element.attributes;
  if (hidden !== undefined && hidden !== 'until-found') return 'sure';
  if (style !== undefined) {
    if (isHiding(style)) return isFaint(style) ? 'faint' : 'sure';
    if (isSizeless(style) && !hasSizes(element)) return 'sure';
  }
  if (rules.hides(element)) return 'sheet';
  if (names !== undefined && !SHOWN_CLASS.test(names)) {
    if (SPOKEN_CLASS.test(names)) return 'spoken';
    if (HIDDEN_CLASS.test(names)) return 'name';
  }
  return skipped === 'true' && !isSaidOtherwise(element) ? 'aria' : undefined;
}

/** Characters of a price that is shown in one way and said in another. */
const MAX_SAID_CHARS = 60;
/** ... and of a link from which on it says something. */
const MIN_LINK_CHARS = 40;

/**
 * Whether people see what is kept from screen readers: beside it stands what is said in its place, as with prices, or it is a second link
 * of words to where a heading leads.
 */
function isSaidOtherwise(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === 'a')
    return /^[^#]/.test(attributes.href ?? '') && textLength(element) >= MIN_LINK_CHARS && !isApart(element);
  if (![before(element), after(element)].some((beside) => beside && isSpoken(beside))) return false;
  const chars = textLength(element);
  return chars > 0 && chars <= MAX_SAID_CHARS && /\d/.test(element.textContent);
}

function isSpoken({ attributes: { class: names } }: HtmlElement): boolean {
  return names !== undefined && SPOKEN_CLASS.test(names) && !SHOWN_CLASS.test(names);
}

function before({ previousSibling: node }: HtmlElement): HtmlElement | undefined {
  const beside = node?.nodeType === 3 && node.data.trim() === '' ? node.previousSibling : node;
  return beside?.nodeType === 1 ? beside : undefined;
}

function after({ nextSibling: node }: HtmlElement): HtmlElement | undefined {
  const beside = node?.nodeType === 3 && node.data.trim() === '' ? node.nextSibling : node;
  return beside?.nodeType === 1 ? beside : undefined;
}

/** Whether a style hides by opacity or visibility, as what is faded in is hidden until then. */
function isFaint(style: string): boolean {
  return FAINT.test(style) && !isHiding(style.replace(FAINT_ALL, ''));
}

const FAINT = /(?:^|[;\s])(?:opacity\s{0,9}:\s{0,9}0|visibility\s{0,9}:\s{0,9}hidden)/i;
const FAINT_ALL = /(?:opacity|visibility)\s{0,9}:[^;]{0,40}/gi;

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
