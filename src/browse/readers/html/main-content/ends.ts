import { isLayout, rowsOf } from '../markdown/tables.ts';
import { type Measured, measure } from '../parsing/measure.ts';
import { descendants, drop, type HtmlElement, type HtmlNode } from '../parsing/node.ts';
import { BLOCK, HEADING } from '../parsing/tags.ts';
import { lengthOf } from '../parsing/white-space.ts';
import { isFrameLine } from './lines.ts';

/** Share of a page that may be frame before its title, and after its text. */
const BEFORE_SHARE = 0.3;
const AFTER_SHARE = 0.45;
/** Boxes taken off one end, and characters of one. */
const MAX_BOXES = 16;
const MAX_BOX_CHARS = 1500;
/** Levels of boxes that are looked into. */
const MAX_LEVELS = 60;
/** Characters of a box that asks for something, and of one that says little but where to go. */
const MAX_ASKING_CHARS = 400;
/** Prose from which a chapter is one, whatever it is called. */
const MIN_PROSE_CHARS = 140;
/** From this share of links on, a box leads elsewhere. */
const LINKED_SHARE = 0.6;
const ALL_LINKED_SHARE = 0.85;

const ACCOUNT =
  /(?:^|[/?&=._-])(?:log-?in|log_in|sign-?in|sign_in|subscribe|anmelden|connexion|login\w*)(?:[/?&=._-]|$)/i;
const OFFICE =
  /(?:^|[/?&=._-])(?:settings|preferences|help|feedback|privacy|terms|imprint|impressum|about|contact|cookies?|legal|guidelines|security|faq|accessibility)(?:[/?&=._-]|$)/i;
const PRICE = /\p{Sc}\s?\d|\d\s?\p{Sc}/u;

/** What kind of page the ends are of. */
export interface Ends {
  /** Names of the page, in lower case. */
  readonly titles: ReadonlySet<string>;
  /** What readers wrote is the text. */
  readonly discussion: boolean;
  /** ... namely a question with answers: what is noted under these is not. */
  readonly questions: boolean;
  /** One thing is sold there. */
  readonly product: boolean;
  /** It was taken for one text at first, and what readers wrote under it is none of that. */
  readonly article: boolean;
}

/** Takes off what stands before the title of a page and mostly leads elsewhere. weigh() comes first. */
export function trimHead(root: HtmlElement, { titles }: Ends): void {
  let left = root.chars * BEFORE_SHARE;
  const title = titleIn(root, titles);
  for (let at: HtmlElement | null = title ?? null; at && at !== root; at = at.parentNode) {
    for (let node: HtmlNode | null = at.previousSibling; node; ) {
      const before: HtmlNode | null = node.previousSibling;
      if (node.nodeType === 1 && node.chars <= left && leadsAway(node)) {
        left -= node.chars;
        drop(node);
      }
      node = before;
    }
  }
}

function titleIn(root: HtmlElement, titles: ReadonlySet<string>): HtmlElement | undefined {
  const [first] = root.getElementsByTagName('h1').filter(({ chars }) => chars > 0);
  if (first || titles.size === 0) return first;
  for (const node of descendants(root)) {
    if (node.nodeType !== 1 || node.chars === 0 || node.chars > 300) continue;
    // The inner one of two that say the same will do.
    if (node.firstChild?.nodeType === 1 && node.firstChild.chars === node.chars) continue;
    if (titles.has(node.textContent.replace(/\s+/g, ' ').trim().toLowerCase())) return node;
  }
  return undefined;
}

function leadsAway(element: HtmlElement): boolean {
  if (element.chars === 0) return isLogo(element);
  if (element.paragraphs > element.chars * 0.2 || /^(?:table|pre)$/.test(element.tag)) return false;
  const { chars, linkChars, pictured } = measure(element);
  return chars > 0 && !pictured && linkChars >= chars * LINKED_SHARE;
}

/** The picture that leads to the site's first page. */
function isLogo(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  const links = tag === 'a' ? [attributes] : element.getElementsByTagName('a').map((one) => one.attributes);
  return links.length === 1 && /^(?:https?:\/\/[^/]+)?\/?$/.test(links[0]?.href ?? 'x');
}

/** Takes off what stands after the text of a page: invitations, ways elsewhere, the footer of pages that name none. */
export function trimTail(root: HtmlElement, ends: Ends): void {
  let left = root.chars * AFTER_SHARE;
  const listing = root.linkChars > root.chars * 0.5;
  let boxes = 0;
  for (let at = lastShown(root); at; ) {
    if (isRepeated(at)) return;
    const end = at.chars <= Math.min(MAX_BOX_CHARS, left) && isEnd(at, { ...ends, listing }, root);
    if (end) {
      left -= at.chars;
      drop(at);
      if (++boxes >= MAX_BOXES) return;
      at = lastShown(root);
    } else at = isOpen(at) ? lastShown(at) : undefined;
  }
}

/** Whether an element is a box, and not a thing that is either whole or not there. */
function isOpen(element: HtmlElement): boolean {
  if (element.depth > MAX_LEVELS) return false;
  if (element.tag === 'table') return isLayout(element, rowsOf(element));
  return !/^(?:p|pre|ul|ol|dl|blockquote|h\d|a)$/.test(element.tag) || element.chars === 0;
}

/** The last thing in an element that is seen, if it is an element. */
function lastShown(element: HtmlElement): HtmlElement | undefined {
  for (let node = element.lastChild; node; node = node.previousSibling) {
    if (node.nodeType === 3) {
      if (node.data.trim()) return undefined;
    } else if (isShown(node, true)) return node;
  }
  return undefined;
}

function isShown(element: HtmlElement, pictures: boolean): boolean {
  if (pictures && element.tag === 'img') return true;
  for (const node of descendants(element)) {
    if (node.nodeType === 3 ? node.data.trim() !== '' : pictures && node.tag === 'img') return true;
  }
  return false;
}

function shownBefore(element: HtmlElement): HtmlElement | undefined {
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (node.nodeType === 3) {
      if (node.data.trim()) return undefined;
    } else if (node.tag === 'hr' || isShown(node, false)) return node;
  }
  return undefined;
}

/** Whether another thing beside it is made alike: then it is one of the things that the page is for. */
function isRepeated(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (attributes.class === undefined || !BLOCK.has(tag)) return false;
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (
      node.nodeType === 1 &&
      node.tag === tag &&
      node.attributes.class === attributes.class &&
      node.chars > 0
    )
      return true;
  }
  return false;
}

interface Tail extends Ends {
  /** Most of the page is links. */
  readonly listing: boolean;
}

function isEnd(element: HtmlElement, tail: Tail, root: HtmlElement): boolean {
  const found = measure(element);
  const { chars, linkChars, headings, solid, pictured } = found;
  if (chars === 0) return isLogoRow(element);
  if (solid || (pictured && !isLogoRow(element)) || headings.some(({ tag }) => tag === 'h1')) return false;
  const text = element.textContent.replace(/\s+/g, ' ').trim();
  if (!tail.discussion && isAsking(element, found, text)) return true;
  if (leadsToFrame(element, found)) return true;
  const [heading] = headings;
  if (heading) return isHeadedEnd(element, heading, { ...found, text }, tail);
  if (isFrameLine(text, linkChars / chars)) return true;
  if (tail.listing || HEADING.has(element.tag)) return false;
  return isLinkedEnd(element, found, tail, root);
}

/** Links to an account, or to the pages that every site has. */
function leadsToFrame(element: HtmlElement, { chars, linkChars, links }: Measured): boolean {
  const leading = (words: RegExp) =>
    links.filter(({ attributes }) => words.test(attributes.href ?? '')).length;
  // A paragraph may well say where to log in.
  if (chars < MAX_ASKING_CHARS && leading(ACCOUNT) > 0 && (element.tag !== 'p' || linkChars > chars * 0.4))
    return true;
  return leading(OFFICE) >= 2 && linkChars >= chars * 0.4;
}

/** Whether a box with a heading ends the text. */
function isHeadedEnd(
  element: HtmlElement,
  heading: HtmlElement,
  found: Measured & { readonly text: string },
  { discussion, listing }: Tail,
): boolean {
  const { chars, headings, text } = found;
  const title = heading.textContent.replace(/\s+/g, ' ').trim();
  const own = element.attributes.id !== undefined || heading.attributes.id !== undefined;
  const label = headings.length === 1 && text.startsWith(title) && isFrameLine(title, 0);
  // A chapter that has an id and says something may be called Comments all the same.
  if (chars < MAX_ASKING_CHARS && label && !(own && element.prose >= MIN_PROSE_CHARS)) return true;
  if (text === title && isLogoRow(element)) return true;
  if (headings.length === 1 && !listing && isHeadedLinks(element, heading, found)) return true;
  return discussion && chars < MAX_ASKING_CHARS && heading.linkChars >= heading.chars * ALL_LINKED_SHARE;
}

/** Whether a box of links without a heading ends the text. */
function isLinkedEnd(
  element: HtmlElement,
  { chars, linkChars, links }: Measured,
  { discussion }: Tail,
  root: HtmlElement,
): boolean {
  const before = shownBefore(element);
  if (linkChars >= chars * LINKED_SHARE && links.length > 1 && dropTwin(element, links, root)) return true;
  if (linkChars < chars * (discussion ? LINKED_SHARE : ALL_LINKED_SHARE) || before === undefined)
    return false;
  if (HEADING.has(before.tag) || /[:：]$/.test(before.textContent.trim())) return false;
  return (
    before.tag === 'hr' ||
    discussion ||
    element.part !== '' ||
    (links.length > 2 && !/^[uo]l$/.test(element.tag))
  );
}

/** A few words around buttons or fields; where something is sold, those belong to it. */
function isAsking({ tag, controls }: HtmlElement, { chars, headings }: Measured, text: string): boolean {
  if (controls === 0 || chars >= MAX_ASKING_CHARS || tag === 'p' || PRICE.test(text)) return false;
  return headings.every(({ attributes }) => attributes.id === undefined);
}

/** A heading with nothing but links under it; one that the page itself leads to is a part of its text. */
function isHeadedLinks(
  element: HtmlElement,
  heading: HtmlElement,
  { chars, linkChars, links }: Measured,
): boolean {
  if (element.attributes.id !== undefined || heading.attributes.id !== undefined) return false;
  if (!/^(?:section|div|aside)$/.test(element.tag) || links.length === 0) return false;
  const rest = chars - lengthOf(heading.textContent);
  return rest > 0 && linkChars - heading.linkChars >= rest * LINKED_SHARE;
}

/** Whether the same links stand before the text as well; those are taken out with them. */
function dropTwin(element: HtmlElement, links: readonly HtmlElement[], root: HtmlElement): boolean {
  const key = (all: readonly HtmlElement[]) =>
    all
      .slice(0, 2)
      .map(({ attributes }) => attributes.href)
      .join(' ');
  const wanted = key(links);
  for (const other of root.getElementsByTagName(element.tag)) {
    if (other === element) break;
    if (other.chars > MAX_BOX_CHARS || key(other.getElementsByTagName('a')) !== wanted) continue;
    drop(other);
    return true;
  }
  return false;
}

/** Pictures in a row that are called logos: who else is proud of it. */
function isLogoRow(element: HtmlElement): boolean {
  const pictures = element.tag === 'img' ? [element] : element.getElementsByTagName('img');
  return pictures.length > 0 && pictures.every(({ attributes }) => /\blogo\s*$/i.test(attributes.alt ?? ''));
}
