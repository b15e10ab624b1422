import { descendants, drop, type HtmlElement, type HtmlNode } from '../parsing/node.ts';
import { BLOCK, HEADING } from '../parsing/tags.ts';
import { lengthOf } from '../parsing/white-space.ts';
import { namesOf } from '../visibility/chrome.ts';

/** Characters of a line that can be a row of controls, and of a label before something to choose from. */
const MAX_LINE_CHARS = 120;
const MAX_LABEL_CHARS = 40;
/** Nodes in a line; one of more is something else. */
const MAX_NODES = 500;
/** Share of a line in controls from which it is there for them. */
const MOSTLY_SHARE = 0.6;
/** Characters of a button that is none by its tag; what opens something may be a question. */
const MAX_BUTTON_CHARS = 25;
/** Nodes beside a control that are read. */
const MAX_BESIDE = 20;
/** Characters of a link to change a page. */
const MAX_EDIT_CHARS = 30;

/** Where someone is at in a recording: `0:00 / 1:12`. */
const PLAYED = /^\d{1,3}:\d\d(?::\d\d)?\s*\/\s*\d{1,3}:\d\d(?::\d\d)?$/;
const EDITING = /(?:^|[/?&=])edit(?:[/?&=.]|$)/i;

/**
 * Small things between the parts of a page that are there to be worked with, in whatever language they are
 * labelled: recognized by what they consist of. weigh() comes first.
 */
export function isFurniture(element: HtmlElement, fields = false): boolean {
  const { tag, chars, paragraphs, controls } = element;
  if (tag === 'a') return (chars < MAX_EDIT_CHARS && isEditLink(element)) || isLoneControl(element);
  if (tag === 'label') return fields && controls > 0 && chars <= MAX_LABEL_CHARS;
  if (!BLOCK.has(tag) || paragraphs > 0) return false;
  if (tag === 'ul' || tag === 'ol') return isContents(element) || isLanguages(element);
  if (chars > MAX_LINE_CHARS || HEADING.has(tag) || /^(?:td|th|tr|table|tbody|thead|pre)$/.test(tag))
    return false;
  const text = chars <= MAX_LABEL_CHARS ? element.textContent.trim() : '';
  if (isPriced(element)) return false;
  if (text !== '' && (PLAYED.test(text) || (controls > 0 && /[:：]$/.test(text)))) return true;
  if (fields && controls > 0 && labelChars(element) >= chars * MOSTLY_SHARE) return true;
  return controlChars(element) >= chars * MOSTLY_SHARE;
}

/** Whether a line says what something costs: the button to buy it stands beside that. */
function isPriced(element: HtmlElement): boolean {
  const text = element.textContent;
  return /\p{Sc}/u.test(text) && /\d/.test(text);
}

/** Whether a line is what something costs and the button to buy it. */
export function isOffer(element: HtmlElement): boolean {
  if (element.chars > MAX_LINE_CHARS || !isPriced(element)) return false;
  return element.getElementsByTagName('a').every((link) => link.chars === 0 || isControl(link));
}

/** A link that a script listens to, since it leads nowhere. */
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

/** What may stand between two controls of a line. */
const BETWEEN = /^[\s|·•,/]*$/;

/** A control between blocks, on a line of its own or of other controls that no element stands for. */
function isLoneControl(element: HtmlElement): boolean {
  if (element.attributes.href === undefined || !isControl(element)) return false;
  const beside = (node: HtmlNode | null): node is HtmlNode =>
    node !== null && (node.nodeType === 3 ? BETWEEN.test(node.data) : isControl(node));
  let { previousSibling: before, nextSibling: after } = element;
  for (let nodes = 0; beside(before) && nodes < MAX_BESIDE; nodes++) before = before.previousSibling;
  for (let nodes = 0; beside(after) && nodes < MAX_BESIDE; nodes++) after = after.nextSibling;
  const apart = (node: HtmlNode | null) => node === null || (node.nodeType === 1 && BLOCK.has(node.tag));
  return (before !== null || after !== null) && apart(before) && apart(after);
}

/** Characters of labels of fields: what a list can be filtered by is not part of it. */
function labelChars(element: HtmlElement): number {
  let [chars, nodes] = [0, 0];
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES || (node.nodeType === 1 && node.tag === 'img' && node.attributes.alt)) return 0;
    if (node.nodeType === 1 && node.tag === 'label') chars += node.chars;
  }
  return chars;
}

function controlChars(element: HtmlElement): number {
  let [chars, nodes] = [0, 0];
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES || (node.nodeType === 1 && node.tag === 'img' && node.attributes.alt)) return 0;
    // A name without a link in an item is what the item says.
    const bare = node.nodeType === 1 && node.attributes.href === undefined;
    if (node.nodeType === 1 && isControl(node) && !(bare && /^(?:li|dd|dt|p)$/.test(element.tag)))
      chars += node.chars;
  }
  return chars;
}

function isEditLink({ attributes, parentNode }: HtmlElement): boolean {
  const { href = '' } = attributes;
  if (!EDITING.test(href)) return false;
  let at = parentNode;
  while (at && !BLOCK.has(at.tag)) at = at.parentNode;
  return at !== null && at.paragraphs === 0;
}

/** A table of contents: every word in it leads to a place on the page. */
function isContents(list: HtmlElement): boolean {
  return list.linkChars === 0 && isAllLinks(list, ({ href = '' }) => href.startsWith('#') && href !== '#');
}

/** The same page in other languages. */
function isLanguages(list: HtmlElement): boolean {
  return (
    list.linkChars === list.chars &&
    isAllLinks(list, ({ hreflang, lang }) => (hreflang ?? lang) !== undefined)
  );
}

function isAllLinks(list: HtmlElement, fits: (attributes: Record<string, string>) => boolean): boolean {
  let linked = 0;
  let links = 0;
  for (const node of descendants(list)) {
    if (node.nodeType !== 1 || node.tag !== 'a' || node.chars === 0) continue;
    if (!fits(node.attributes)) return false;
    links++;
    linked += node.chars;
  }
  return links > 1 && linked >= list.chars * 0.9;
}

/** Takes a table of contents or a list of languages out, with the label before it. */
export function dropLabelled(element: HtmlElement): void {
  const { tag } = element;
  let before = element.previousSibling;
  while (before && (before.nodeType === 3 ? before.data.trim() === '' : before.chars === 0))
    before = before.previousSibling;
  drop(element);
  if ((tag !== 'ul' && tag !== 'ol') || before?.nodeType !== 1) return;
  if (before.tag === 'h1' || before.paragraphs > 0 || before.chars > MAX_LABEL_CHARS) return;
  if (HEADING.has(before.tag) || before.tag === 'label' || before.tag === 'div') drop(before);
}

const PROFILE =
  /(?:^|[ -])(?:post-?profile|post-?author|poster|user-?(?:info|details|profile|panel|stats)|author-?(?:info|profile)|member-?info|mini-?profile)(?= |-|$)/;
/** Characters of what a forum says of one who writes there. */
const MAX_CARD_CHARS = 400;

/**
 * What a forum shows beside a post of the one who wrote it, cut down to the name: a cell or box without
 * prose that opens with a link, beside one that has the post.
 */
export function cutProfile(element: HtmlElement): void {
  const { tag, chars, paragraphs } = element;
  if (chars === 0 || chars > MAX_CARD_CHARS || paragraphs > 0) return;
  if (tag === 'td' ? !isBesideText(element) : !/^(?:div|dl|aside|ul)$/.test(tag) || !isProfile(element))
    return;
  const [name] = element.getElementsByTagName('a').filter((link) => link.chars > 0);
  if (!name || !element.textContent.trim().startsWith(name.textContent.trim())) return;
  for (const child of element.childNodes) drop(child);
  drop(name);
  element.appendChild(name);
}

function isProfile(element: HtmlElement): boolean {
  return PROFILE.test(namesOf(element)) || isCard(element);
}

/** A count or a day of someone who writes there: `Posts: 12`. */
const ABOUT_MEMBER =
  /^(?:[\p{L} ]{2,24}:\s{0,3}[\p{L}\d][^\n]{0,24}|[\d,.]{1,9}k? (?:posts|messages|points)|(?:(?:senior|junior|new|active|registered) )?(?:member|user)|moderator|administrator)$/iu;
/** Lines of such a card; one has two at least. */
const MAX_CARD_LINES = 12;

/** Whether a box is a name and under it lines of counts and days alone. */
function isCard(element: HtmlElement): boolean {
  const [name, ...lines] = linesOf(element);
  if (!name || lines.length < 2 || lines.length > MAX_CARD_LINES) return false;
  return lines.every((line) => ABOUT_MEMBER.test(line));
}

/** What a small box says, a line each. */
function linesOf(element: HtmlElement): string[] {
  let text = '';
  for (const node of descendants(element)) {
    if (node.nodeType === 3) text += node.data.replace(/\s+/g, ' ');
    else if (node.tag === 'br' || BLOCK.has(node.tag)) text += '\n';
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function isBesideText({ parentNode, nextSibling }: HtmlElement): boolean {
  let other = nextSibling;
  while (other?.nodeType === 3 && other.data.trim() === '') other = other.nextSibling;
  if (other?.nodeType !== 1 || other.tag !== 'td' || other.paragraphs === 0) return false;
  return parentNode?.children.length === 2 && lengthOf(other.textContent) > 0;
}
