import { isLayout, rowsOf } from '../markdown/tables.ts';
import { type BoxContent, measureContent } from '../parsing/measure.ts';
import { elementsIn, type HtmlElement, type HtmlNode, removeNode } from '../parsing/node.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { weightedLength } from '../parsing/white-space.ts';
import { isInDeck } from '../visibility/slides.ts';
import { isBoilerplateLine, isEndLine } from './boilerplate-lines.ts';
import { isCited, isReachedBy } from './page-controls.ts';

const BEFORE_SHARE = 0.3;
const AFTER_SHARE = 0.45;
const MAX_BOXES = 16;
const MAX_BOX_CHARS = 1500;
const MAX_LEVELS = 60;
/** A longer box is kept, even if it contains a call to action or links to a login page. */
const MAX_ASKING_CHARS = 400;
/** A section with an id and this much prose is kept, even if its heading is a label such as "Comments". */
const MIN_PROSE_CHARS = 140;
const LINKED_SHARE = 0.6;
const ALL_LINKED_SHARE = 0.85;

const ACCOUNT =
  /(?:^|[/?&=._-])(?:log-?in|log_in|sign-?in|sign_in|subscribe|anmelden|connexion|login\w*)(?:[/?&=._-]|$)/i;
const OFFICE =
  /(?:^|[/?&=._-])(?:settings|preferences|help|feedback|privacy|terms|imprint|impressum|about|contact|cookies?|legal|guidelines|security|faq|accessibility)(?:[/?&=._-]|$)/i;
/** Matches words in the links that end a page, such as those to its rules on cookies or to its imprint. */
const POLICY =
  /cookie|kakor|kolačić|çerez|süti\b|куки|privacy|privat(?:liv|umo|n)|personvern|datenschutz|gegevensbescherming|confiden[tțţz]ia|privaci|riservatezza|soukromí|súkromi|prywatno|adatvéd|gizlilik|tietosuoja|конфиденциал|приватн|поверителн|απορρήτου|impressum|aviso legal|mentions légales|avís legal|note legali|imprint|隐私|隱私|プライバシー|개인정보|خصوصی|פרטיות|गोपनीयता/iu;
const MAX_POLICY_CHARS = 160;
const PRICE = /\p{Sc}\s?\d|\d\s?\p{Sc}/u;

export interface PageTraits {
  readonly titles: ReadonlySet<string>;
  readonly discussion: boolean;
  /** True for a page of a question and its answers, on which comments are removed. */
  readonly questions: boolean;
  readonly product: boolean;
  /** True if the page is an article, on which readers' comments are removed. */
  readonly article: boolean;
}

export function trimBeforeTitle(root: HtmlElement, { titles }: PageTraits): void {
  let left = root.chars * BEFORE_SHARE;
  const title = titleIn(root, titles);
  for (let at: HtmlElement | null = title ?? null; at && at !== root; at = at.parentNode) {
    for (let node: HtmlNode | null = at.previousSibling; node; ) {
      const before: HtmlNode | null = node.previousSibling;
      if (node.nodeType === 1 && node.chars <= left && leadsAway(node)) {
        left -= node.chars;
        removeNode(node);
      }
      node = before;
    }
  }
}

function titleIn(root: HtmlElement, titles: ReadonlySet<string>): HtmlElement | undefined {
  const [first] = root.getElementsByTagName('h1').filter(({ chars }) => chars > 0);
  if (first || titles.size === 0) return first;
  for (const node of elementsIn(root)) {
    if (node.chars === 0 || node.chars > 300) continue;
    // Of two nested elements with the same text, the inner element is used.
    if (node.firstChild?.nodeType === 1 && node.firstChild.chars === node.chars) continue;
    if (titles.has(node.textContent.replace(/\s+/g, ' ').trim().toLowerCase())) return node;
  }
  return undefined;
}

function leadsAway(element: HtmlElement): boolean {
  if (element.chars === 0) return isLogo(element);
  if (element.paragraphs > element.chars * 0.2 || /^(?:table|pre)$/.test(element.tag)) return false;
  const { chars, linkChars, hasPicture } = measureContent(element);
  return chars > 0 && !hasPicture && linkChars >= chars * LINKED_SHARE;
}

export function isLogo(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  const links = tag === 'a' ? [attributes] : element.getElementsByTagName('a').map((one) => one.attributes);
  return links.length === 1 && /^(?:https?:\/\/[^/]+)?\/?$/.test(links[0]?.href ?? 'x');
}

export function trimAfterText(root: HtmlElement, ends: PageTraits): void {
  let left = root.chars * AFTER_SHARE;
  const listing = root.linkChars > root.chars * 0.5;
  let boxes = 0;
  for (let at = lastShown(root); at; ) {
    if (isRepeated(at)) return;
    const end = at.chars <= Math.min(MAX_BOX_CHARS, left) && isEnd(at, { ...ends, listing }, root);
    if (end) {
      left -= at.chars;
      removeNode(at);
      if (++boxes >= MAX_BOXES) return;
      at = lastShown(root);
    } else at = isOpen(at) ? lastShown(at) : undefined;
  }
}

function isOpen(element: HtmlElement): boolean {
  if (element.depth > MAX_LEVELS) return false;
  if (element.tag === 'table') return isLayout(element, rowsOf(element));
  return !/^(?:p|pre|ul|ol|dl|blockquote|h\d|a)$/.test(element.tag) || element.chars === 0;
}

function lastShown(element: HtmlElement): HtmlElement | undefined {
  for (let node = element.lastChild; node; node = node.previousSibling) {
    if (node.nodeType === 3) {
      if (node.data.trim()) return undefined;
    } else if (isShown(node, true)) return node;
  }
  return undefined;
}

function isShown(element: HtmlElement, pictures: boolean): boolean {
  if (element.textContent.trim() !== '') return true;
  return pictures && (element.tag === 'img' || element.getElementsByTagName('img').length > 0);
}

function shownBefore(element: HtmlElement): HtmlElement | undefined {
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (node.nodeType === 3) {
      if (node.data.trim()) return undefined;
    } else if (node.tag === 'hr' || isShown(node, false)) return node;
  }
  return undefined;
}

function isRepeated(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (!BLOCK_TAGS.has(tag) || (attributes.class === undefined && !isInDeck(element))) return false;
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

interface Tail extends PageTraits {
  readonly listing: boolean;
}

function isEnd(element: HtmlElement, tail: Tail, root: HtmlElement): boolean {
  const found = measureContent(element);
  const { chars, linkChars, headings, isSolid, hasPicture } = found;
  if (chars === 0) return isLogoRow(element);
  if (isSolid || (hasPicture && !isLogoRow(element)) || headings.some(({ tag }) => tag === 'h1'))
    return false;
  const text = element.textContent.replace(/\s+/g, ' ').trim();
  if (!tail.discussion && isAsking(element, found, text)) return true;
  if (leadsToFrame(element, found)) return true;
  const [heading] = headings;
  if (heading) return isHeadedEnd(element, heading, { ...found, text }, tail);
  if (isBoilerplateLine(text, linkChars / chars)) return true;
  if (tail.article && chars < MAX_ASKING_CHARS && isEndLine(text, linkChars > 0)) return true;
  if (tail.listing || HEADING_TAGS.has(element.tag)) return false;
  return isLinkedEnd(element, found, tail, root);
}

function leadsToFrame(element: HtmlElement, { chars, linkChars, links }: BoxContent): boolean {
  const leading = (words: RegExp) => links.filter(({ attributes }) => words.test(attributes.href ?? ''));
  const [account] = leading(ACCOUNT);
  if (chars < MAX_ASKING_CHARS && account && (element.tag !== 'p' || linkChars > chars * 0.4))
    return !saysMore(element, account);
  return leading(OFFICE).length >= 2 && linkChars >= chars * 0.4;
}

const MIN_REQUEST_CHARS = 20;
const MIN_SAID_CHARS = 80;

/** True for a box with prose beside the innermost block of a link, which says by itself what it asks. */
function saysMore(box: HtmlElement, link: HtmlElement): boolean {
  let block = link;
  while (block !== box && block.parentNode && !BLOCK_TAGS.has(block.tag)) block = block.parentNode;
  if (block === box || block.chars - block.linkChars < MIN_REQUEST_CHARS) return false;
  return box.paragraphs - block.paragraphs >= MIN_SAID_CHARS;
}

function isHeadedEnd(
  element: HtmlElement,
  heading: HtmlElement,
  found: BoxContent & { readonly text: string },
  { discussion, listing }: Tail,
): boolean {
  const { chars, headings, text } = found;
  const title = heading.textContent.replace(/\s+/g, ' ').trim();
  const own = element.attributes.id !== undefined || heading.attributes.id !== undefined;
  const label = headings.length === 1 && text.startsWith(title) && isBoilerplateLine(title, 0);
  if (chars < MAX_ASKING_CHARS && label && !(own && element.prose >= MIN_PROSE_CHARS)) return true;
  if (text === title && isLogoRow(element)) return true;
  if (headings.length === 1 && !listing && isHeadedLinks(element, heading, found)) return true;
  return discussion && chars < MAX_ASKING_CHARS && heading.linkChars >= heading.chars * ALL_LINKED_SHARE;
}

function isLinkedEnd(
  element: HtmlElement,
  { chars, linkChars, links }: BoxContent,
  { discussion }: Tail,
  root: HtmlElement,
): boolean {
  const before = shownBefore(element);
  if (linkChars >= chars * LINKED_SHARE && links.length > 1 && dropTwin(element, links, root)) return true;
  if (linkChars < chars * (discussion ? LINKED_SHARE : ALL_LINKED_SHARE) || before === undefined)
    return false;
  if (HEADING_TAGS.has(before.tag) || /[:：]$/.test(before.textContent.trim())) return false;
  if (links.length > 1 && chars <= MAX_POLICY_CHARS && POLICY.test(element.textContent)) return true;
  return (
    before.tag === 'hr' ||
    discussion ||
    element.part !== '' ||
    (links.length > 2 && !/^[uo]l$/.test(element.tag))
  );
}

function isAsking({ tag, controls }: HtmlElement, { chars, headings }: BoxContent, text: string): boolean {
  if (controls === 0 || chars >= MAX_ASKING_CHARS || tag === 'p' || PRICE.test(text)) return false;
  return headings.every(({ attributes }) => attributes.id === undefined);
}

/** True for a heading above links. A heading with an id stays, because a table of contents may link to it. */
function isHeadedLinks(element: HtmlElement, heading: HtmlElement, { chars, linkChars, links }: BoxContent) {
  if (element.attributes.id !== undefined || heading.attributes.id !== undefined) return false;
  if (!/^(?:section|div|aside)$/.test(element.tag) || links.length === 0) return false;
  // A single address is where the text leads, and not another text.
  if (links.length === 1 && (isCited(element) || isReachedBy(element))) return false;
  const rest = chars - weightedLength(heading.textContent);
  return rest > 0 && linkChars - heading.linkChars >= rest * LINKED_SHARE;
}

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
    removeNode(other);
    return true;
  }
  return false;
}

function isLogoRow(element: HtmlElement): boolean {
  const pictures = element.tag === 'img' ? [element] : element.getElementsByTagName('img');
  return pictures.length > 0 && pictures.every(({ attributes }) => /\blogo\s*$/i.test(attributes.alt ?? ''));
}
