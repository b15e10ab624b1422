import { descendants, elementsIn, type HtmlElement, type HtmlNode, removeNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { weightedLength } from '../parsing/white-space.ts';
import { readElementNames } from '../visibility/page-parts.ts';

const MAX_LINE_CHARS = 120;
const MAX_LABEL_CHARS = 40;
const MAX_NODES = 500;
const MOSTLY_SHARE = 0.6;
const MAX_BUTTON_CHARS = 25;
const MAX_BESIDE = 20;
const MAX_EDIT_CHARS = 30;

/** Matches the position in a media player, for example `0:00 / 1:12`. */
const PLAYED = /^\d{1,3}:\d\d(?::\d\d)?\s*\/\s*\d{1,3}:\d\d(?::\d\d)?$/;
const EDITING = /(?:^|[/?&=])edit(?:[/?&=.]|$)/i;

/** True for controls such as buttons, not content. `countText()` must have run before. */
export function isPageControl(element: HtmlElement, fields = false): boolean {
  const { tag, chars, paragraphs, controls } = element;
  if (tag === 'a') return (chars < MAX_EDIT_CHARS && isEditLink(element)) || isLoneControl(element);
  if (tag === 'label') return fields && controls > 0 && chars <= MAX_LABEL_CHARS;
  if (!BLOCK_TAGS.has(tag) || paragraphs > 0) return false;
  if (tag === 'ul' || tag === 'ol') return isContents(element) || isLanguages(element);
  if (chars > MAX_LINE_CHARS || HEADING_TAGS.has(tag) || /^(?:td|th|tr|table|tbody|thead|pre)$/.test(tag))
    return false;
  const text = chars <= MAX_LABEL_CHARS ? element.textContent.trim() : '';
  if (isPriced(element)) return false;
  if (text !== '' && (PLAYED.test(text) || (controls > 0 && /[:：]$/.test(text)))) return true;
  if (fields && controls > 0 && charsWhere(element, (one) => one.tag === 'label') >= chars * MOSTLY_SHARE)
    return true;
  return controlChars(element) >= chars * MOSTLY_SHARE;
}

/** True if the text contains a price. A button beside a price belongs to a product and is kept. */
function isPriced(element: HtmlElement): boolean {
  const text = element.textContent;
  return /\p{Sc}/u.test(text) && /\d/.test(text);
}

export function isPriceWithButton(element: HtmlElement): boolean {
  if (element.chars > MAX_LINE_CHARS || !isPriced(element)) return false;
  return element.getElementsByTagName('a').every((link) => link.chars === 0 || isControl(link));
}

export function isControl({ tag, chars, attributes }: HtmlElement): boolean {
  if (attributes.role === 'button' && attributes.href === undefined)
    return (
      chars <= MAX_BUTTON_CHARS &&
      attributes['aria-expanded'] === undefined &&
      attributes['aria-controls'] === undefined
    );
  if (tag !== 'a') return false;
  const { href, name, id } = attributes;
  if (href === undefined) return name === undefined && id === undefined;
  return href === '#' || /^\s*javascript:/i.test(href);
}

const BETWEEN = /^[\s|·•,/]*$/;

function isLoneControl(element: HtmlElement): boolean {
  if (element.attributes.href === undefined || !isControl(element)) return false;
  const beside = (node: HtmlNode | null): node is HtmlNode =>
    node !== null && (node.nodeType === 3 ? BETWEEN.test(node.data) : isControl(node));
  let { previousSibling: before, nextSibling: after } = element;
  for (let nodes = 0; beside(before) && nodes < MAX_BESIDE; nodes++) before = before.previousSibling;
  for (let nodes = 0; beside(after) && nodes < MAX_BESIDE; nodes++) after = after.nextSibling;
  const apart = (node: HtmlNode | null) => node === null || (node.nodeType === 1 && BLOCK_TAGS.has(node.tag));
  return (before !== null || after !== null) && apart(before) && apart(after);
}

function controlChars(element: HtmlElement): number {
  const isText = /^(?:li|dd|dt|p)$/.test(element.tag);
  // A link without `href` is text and not a control if it is in a list item or paragraph or contains a date.
  const isWords = (link: HtmlElement) =>
    link.attributes.href === undefined && (isText || link.getElementsByTagName('time').length > 0);
  return charsWhere(element, (node) => isControl(node) && !isWords(node));
}

function charsWhere(element: HtmlElement, fits: (node: HtmlElement) => boolean): number {
  let [chars, nodes] = [0, 0];
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES || (node.nodeType === 1 && node.tag === 'img' && node.attributes.alt)) return 0;
    if (node.nodeType === 1 && fits(node)) chars += node.chars;
  }
  return chars;
}

function isEditLink({ attributes, parentNode }: HtmlElement): boolean {
  const { href = '' } = attributes;
  if (!EDITING.test(href)) return false;
  let at = parentNode;
  while (at && !BLOCK_TAGS.has(at.tag)) at = at.parentNode;
  return at !== null && at.paragraphs === 0;
}

function isContents(list: HtmlElement): boolean {
  return list.linkChars === 0 && isAllLinks(list, ({ href = '' }) => href.startsWith('#') && href !== '#');
}

function isLanguages(list: HtmlElement): boolean {
  return (
    list.linkChars === list.chars &&
    isAllLinks(list, ({ hreflang, lang }) => (hreflang ?? lang) !== undefined)
  );
}

function isAllLinks(list: HtmlElement, fits: (attributes: Record<string, string>) => boolean): boolean {
  let [linked, links] = [0, 0];
  for (const node of elementsIn(list)) {
    if (node.tag !== 'a' || node.chars === 0) continue;
    if (!fits(node.attributes)) return false;
    links++;
    linked += node.chars;
  }
  return links > 1 && linked >= list.chars * 0.9;
}

export function dropWithLabel(element: HtmlElement): void {
  const { tag } = element;
  const before = shownSibling(element, 'previousSibling', true);
  removeNode(element);
  if ((tag !== 'ul' && tag !== 'ol') || before?.nodeType !== 1) return;
  if (before.tag === 'h1' || before.paragraphs > 0 || before.chars > MAX_LABEL_CHARS) return;
  if (HEADING_TAGS.has(before.tag) || before.tag === 'label' || before.tag === 'div') removeNode(before);
}

const PROFILE =
  /(?:^|[ -])(?:post-?profile|post-?author|author-?pane|poster|user-?(?:info|details|profile|panel|stats)|author-?(?:info|profile)|member-?info|mini-?profile)(?= |-|$)/;
const MAX_CARD_CHARS = 400;

export function reduceProfileToName(element: HtmlElement): void {
  const { tag, chars, paragraphs } = element;
  if (chars === 0 || chars > MAX_CARD_CHARS || paragraphs > 0) return;
  if (tag === 'td' ? !isBesideText(element) : !/^(?:div|dl|aside|ul)$/.test(tag)) return;
  if (tag !== 'td' && !PROFILE.test(readElementNames(element)) && !isCard(element)) return;
  const [name] = element.getElementsByTagName('a').filter((link) => link.chars > 0);
  if (!name || !element.textContent.trim().startsWith(name.textContent.trim())) return;
  for (const child of element.childNodes) removeNode(child);
  removeNode(name);
  element.appendChild(name);
}

const ABOUT_MEMBER =
  /^(?:[\p{L} ]{2,24}:\s{0,3}[\p{L}\d][^\n]{0,24}|[\d,.]{1,9}k? (?:posts|messages|points)|(?:(?:senior|junior|new|active|registered) )?(?:member|user)|moderator|administrator)$/iu;
const MAX_CARD_LINES = 12;

function isCard(element: HtmlElement): boolean {
  const [name, ...lines] = linesOf(element);
  if (!name || lines.length < 2 || lines.length > MAX_CARD_LINES) return false;
  return lines.every((line) => ABOUT_MEMBER.test(line));
}

function linesOf(element: HtmlElement): string[] {
  let text = '';
  for (const node of descendants(element)) {
    if (node.nodeType === 3) text += node.data.replace(/\s+/g, ' ');
    else if (node.tag === 'br' || BLOCK_TAGS.has(node.tag)) text += '\n';
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function isBesideText(cell: HtmlElement): boolean {
  const other = shownSibling(cell, 'nextSibling');
  if (other?.nodeType !== 1 || other.tag !== 'td' || other.paragraphs === 0) return false;
  return cell.parentNode?.children.length === 2 && weightedLength(other.textContent) > 0;
}

/** True if all links are mail addresses or telephone numbers. Links to send a page by mail have no address. */
export function isReachedBy(element: HtmlElement): boolean {
  return element
    .getElementsByTagName('a')
    .every(({ chars, attributes }) => chars === 0 || /^(?:tel:|mailto:[^?])/i.test(attributes.href ?? ''));
}

/** True if all links show their own addresses, or are the tags and names that a post writes with a sign. */
export function isCited(element: HtmlElement): boolean {
  return element.getElementsByTagName('a').every(({ chars, attributes, textContent }) => {
    const text = textContent.trim();
    const { href = '' } = attributes;
    return chars === 0 || /^[#@][\p{L}\p{N}]/u.test(text) || (/[\w-]\.\w/.test(text) && href.includes(text));
  });
}
