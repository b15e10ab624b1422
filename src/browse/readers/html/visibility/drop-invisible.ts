import { withoutInvisible } from '../../../../lib/text/invisible.ts';
import { lettersOf } from '../../../../lib/text/letters.ts';
import { isAnswer } from '../main-content/boilerplate-lines.ts';
import {
  createElement,
  elementsIn,
  type HtmlElement,
  HtmlText,
  nextNode,
  removeNode,
  textsOf,
} from '../parsing/node.ts';
import { parseHtml } from '../parsing/parse.ts';
import { shownSibling } from '../parsing/relations.ts';
import { type HidingRules, isHiding, isSizeless, readHidingRules } from '../parsing/styles.ts';
import { HEADING_TAGS, UNREAD_TAGS } from '../parsing/tags.ts';
import { weightedLengthOfAll } from '../parsing/white-space.ts';
import { type ControlTargets, type HidingMethod, isOpened, recordControlTargets } from './control-targets.ts';
import { isInHeading } from './page-parts.ts';

const HIDDEN_CLASS =
  /(?:^|\s)(?:hidden|hide|is-hidden|d-none|u-hidden|invisible|aok-hidden|w-form-(?:done|fail)|w-condition-invisible)(?=\s|$)/i;
const SPOKEN_CLASS =
  /(?:^|\s)(?:(?:visually|element)-?hidden|sr-only|elementor-screen-only|(?:screen-?reader|assistive)-?(?:text|only)|offscreen|off-screen)(?=\s|$)/i;
/** Matches a class such as `md:block`, which shows an element on wide screens despite a hiding class. */
const SHOWN_CLASS = /(?:sm|md|lg|xl|xxl|desktop|print)[-:](?:block|flex|inline|grid|table|show|visible)/i;
const CONTROL = /^(?:button|input|select|textarea)$/;
const MIN_CHARS = 200;
/** Hidden text with a larger share of the page is kept, because scripts probably show it later. */
const WRAPPER_SHARE = 0.5;
const FAINT_SHARE = 0.3;

/** Removes hidden text, which could instruct the assistant. `keepOpenable` keeps what a control can open. */
export function dropHiddenElements(root: HtmlElement, keepOpenable = false): void {
  const walk: VisibilityWalk = {
    rules: readHidingRules(root),
    openers: { controlledIds: new Set(), visibleIds: new Set() },
    opens: keepOpenable,
    hidden: [],
    scriptless: [],
  };
  visit(root, walk);
  const without = walk.scriptless.reduce((sum, element) => sum + textLength(element), 0);
  if (walk.hidden.length > 0) {
    const seen = textLength(root) - without - walk.hidden.reduce((sum, { chars }) => sum + chars, 0);
    settle(walk, seen);
  }
  if (walk.scriptless.length === 0) return;
  const kept = textLength(root) - without;
  for (const element of walk.scriptless) {
    if (without < MIN_CHARS || kept > without) removeNode(element);
    else dropHiddenElements(element);
  }
}

interface HiddenElement {
  readonly element: HtmlElement;
  readonly how: HidingMethod;
  readonly chars: number;
}

interface VisibilityWalk {
  readonly rules: HidingRules;
  readonly openers: ControlTargets;
  readonly opens: boolean;
  readonly hidden: HiddenElement[];
  readonly scriptless: HtmlElement[];
}

function visit(root: HtmlElement, walk: VisibilityWalk): void {
  for (let node = nextNode(root, root); node; ) {
    let inside = true;
    if (node.nodeType === 3) node.data = withoutInvisible(node.data);
    else if (node.tag === 'noscript') {
      walk.scriptless.push(node);
      inside = false;
    } else if (isUnread(node)) {
      const next = nextNode(node, root, false);
      recordControlTargets(walk.openers, node);
      if (hidingOf(node, walk) === undefined) placeCopied(node);
      dropControl(node);
      node = next;
      continue;
    } else {
      const how = hidingOf(node, walk);
      if (how === undefined) recordControlTargets(walk.openers, node);
      else {
        walk.hidden.push({ element: node, how, chars: textLength(node) });
        inside = false;
      }
      if (walk.rules.shrinks(node)) dropOwnText(node);
    }
    node = nextNode(node, root, inside);
  }
}

function settle(walk: VisibilityWalk, seen: number): void {
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
    for (const one of hidden) if (!kept.has(one)) removeNode(one.element);
    for (const { element, chars } of open) {
      shown += chars;
      visit(element, walk);
    }
  }
  for (const { element } of walk.hidden.splice(0)) removeNode(element);
}

const MAX_ROUNDS = 4;

function isSeen({ element, how, chars }: HiddenElement, shown: number): boolean {
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

const textLength = (element: HtmlElement): number => weightedLengthOfAll(textsOf(element));

function dropControl(node: HtmlElement): void {
  if (CONTROL.test(node.tag) && node.parentNode && node.attributes.type !== 'hidden') {
    const mark = taskMark(node) || wordsIn(node);
    if (mark) node.parentNode.insertBefore(new HtmlText(mark), node);
    else node.parentNode.controls++;
    node.parentNode.asks ||= isAnswer(node.attributes.value ?? node.textContent);
  }
  removeNode(node);
}

/** Puts the text of a field before it as code, if visitors can only copy the text. */
function placeCopied(node: HtmlElement): void {
  const { tag, attributes, parentNode } = node;
  const isArea = tag === 'textarea';
  if (attributes.readonly === undefined || !(isArea || tag === 'input') || !parentNode) return;
  // The parser leaves character references in the text of a `<textarea>` as they are.
  const area = () => parseHtml(node.textContent.replaceAll('<', '&lt;')).textContent.replace(/^\r?\n/, '');
  const text = withoutInvisible(isArea ? area() : (attributes.value ?? ''));
  const isCode = isArea
    ? text.trim() !== ''
    : /^(?:text|url)?$/.test(attributes.type ?? '') && COPIED.test(text);
  // Within a form that sends what visitors enter, a field is a part of the form. A form may also enclose a page.
  let at: HtmlElement | null = parentNode;
  while (at && at.tag !== 'form') at = at.parentNode;
  if (!isCode || at?.getElementsByTagName('h1').length === 0) return;
  parentNode.insertBefore(createElement(isArea ? 'pre' : 'code', node.depth, text), node);
}

/** Matches values such as addresses, keys and lines of code, but no dates, numbers and choices in words. */
const COPIED = /^(?=.{8})(?![\d\s.,:/-]{1,99}$)(?:(?=.{0,99}[\d:/@_])\S{1,2000}$|.{0,2000}[<>{}=@$\\])/;

const SENTENCE = /^(?:p|li|td|dd|span|blockquote)$/;
const MAX_CONTROL_CHARS = 60;
const MIN_SENTENCE_CHARS = 30;

/** Returns the words of a button, or of a field that no one can change, amid the words of a sentence. */
function wordsIn(node: HtmlElement): string {
  const { tag, attributes, parentNode, previousSibling: before, nextSibling: after } = node;
  if (!parentNode || !SENTENCE.test(parentNode.tag) || before?.nodeType !== 3 || after?.nodeType !== 3)
    return '';
  if (!/\p{L}\s{0,9}$/u.test(before.data) || !/\p{L}/u.test(after.data)) return '';
  if (before.data.length + after.data.length < MIN_SENTENCE_CHARS) return '';
  const isFixed =
    tag === 'input' && attributes.readonly !== undefined && /^(?:text)?$/.test(attributes.type ?? '');
  const words = (tag === 'button' ? node.textContent : isFixed ? (attributes.value ?? '') : '').trim();
  return words.length <= MAX_CONTROL_CHARS && !/^https?:/.test(words) ? words : '';
}

const ITEM = /^(?:li|td)$/;

/** Returns `[x] ` or `[ ] ` for the checkbox of a task, and '' for a checkbox that visitors can change. */
function taskMark({ tag, attributes, parentNode }: HtmlElement): string {
  if (tag !== 'input' || attributes.type?.toLowerCase() !== 'checkbox') return '';
  const item = ITEM.test(parentNode?.tag ?? '') ? parentNode : parentNode?.parentNode;
  if (!item || !ITEM.test(item.tag)) return '';
  const names = `${attributes.class ?? ''} ${item.attributes.class ?? ''}`;
  const isNextTask = () => /^\s*\[[ x]\] /.test(shownSibling(item, 'previousSibling')?.textContent ?? '');
  if (attributes.disabled === undefined && !/task-?list/i.test(names) && !isNextTask()) return '';
  return attributes.checked === undefined ? '[ ] ' : '[x] ';
}

function isUnread(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === 'button') return !isInHeading(element);
  if (attributes.popover !== undefined) return true;
  return UNREAD_TAGS.has(tag) && !(tag === 'dialog' && attributes.open !== undefined);
}

function hidingOf(element: HtmlElement, { rules }: VisibilityWalk): HidingMethod | undefined {
  const { hidden, style, class: names, 'aria-hidden': skipped } = element.attributes;
  if (hidden !== undefined && hidden !== 'until-found') return 'sure';
  if (style !== undefined) {
    if (isHiding(style))
      return FAINT.test(style) && !isHiding(style.replace(FAINT_ALL, '')) ? 'faint' : 'sure';
    if (isSizeless(style) && !hasSizes(element)) return 'sure';
  }
  // A style hides lazy pictures until a script loads them.
  if (rules.hides(element)) return element.tag === 'img' && isLazy(element) ? undefined : 'sheet';
  const named = names === undefined ? undefined : hidingByName(element, names);
  if (named !== undefined) return named;
  return skipped === 'true' && !isSaidOtherwise(element, rules) ? 'aria' : undefined;
}

function isLazy({ attributes }: HtmlElement): boolean {
  return /lazy/i.test(attributes.class ?? '') || attributes['data-src'] !== undefined;
}

function hidingByName(element: HtmlElement, names: string): HidingMethod | undefined {
  if (SHOWN_CLASS.test(names)) return undefined;
  if (SPOKEN_CLASS.test(names)) return isSpeaker(element) ? undefined : 'spoken';
  return HIDDEN_CLASS.test(names) ? 'name' : undefined;
}

/** Matches headings for screen readers that name the next speaker of a conversation, as in "You said:". */
const SPEAKER = /^[\p{L}\p{N} .'’-]{1,40}(?: said| wrote| asked| replied| answered|[:：])\s*[:：]?$/u;

function isSpeaker(element: HtmlElement): boolean {
  return HEADING_TAGS.has(element.tag) && SPEAKER.test(element.textContent.trim().slice(0, MAX_SAID_CHARS));
}

const MAX_SAID_CHARS = 60;
const MIN_LINK_CHARS = 40;

/** True if screen readers skip an element only because another link or text repeats its content. */
function isSaidOtherwise(element: HtmlElement, rules: HidingRules): boolean {
  const { tag, attributes } = element;
  if (tag === 'a')
    return /^[^#]/.test(attributes.href ?? '') && textLength(element) >= MIN_LINK_CHARS && !isApart(element);
  const beside = [shownSibling(element, 'previousSibling'), shownSibling(element, 'nextSibling')];
  const said = beside.filter((node) => node?.nodeType === 1 && (isSpoken(node) || rules.hides(node)));
  if (said.length === 0) return false;
  const letters = lettersOf(element.textContent);
  if (letters !== '' && said.some((node) => lettersOf(node?.textContent ?? '') === letters)) return true;
  const chars = textLength(element);
  return chars > 0 && chars <= MAX_SAID_CHARS && /\d/.test(element.textContent);
}

export function isSpoken({ attributes: { class: names } }: HtmlElement): boolean {
  return names !== undefined && SPOKEN_CLASS.test(names) && !SHOWN_CLASS.test(names);
}

const FAINT = /(?:^|[;\s])(?:opacity\s{0,9}:\s{0,9}0|visibility\s{0,9}:\s{0,9}hidden)/i;
const FAINT_ALL = /(?:opacity|visibility)\s{0,9}:[^;]{0,40}/gi;

function hasSizes(element: HtmlElement): boolean {
  return [...elementsIn(element)].some(({ attributes }) => attributes.style?.includes('font-size'));
}

function dropOwnText(element: HtmlElement): void {
  for (const node of element.childNodes) if (node.nodeType === 3) removeNode(node);
}
