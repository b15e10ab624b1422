import { lettersOf } from '../../../../lib/text/letters.ts';
import { oneLine } from '../../markdown.ts';
import { EMBED_TAG } from '../parsing/embeds.ts';
import {
  descendants,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlText,
  nextNode,
  removeNode,
} from '../parsing/node.ts';
import { isInLink, shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { readElementNames } from '../visibility/page-parts.ts';
import { isInDeck } from '../visibility/slides.ts';
import { isBoilerplateLine, isOtherTexts } from './boilerplate-lines.ts';
import { isAboutOthers } from './kind-boilerplate.ts';
import { isLinkBar } from './link-bar.ts';
import { dropWithLabel, isCited, isPageControl, isPriceWithButton, isReachedBy } from './page-controls.ts';

const LINKED_SHARE = 0.6;
const ALL_LINKED_SHARE = 0.85;
const SHORT_CHARS = 160;

export interface CleaningContext {
  readonly titles: ReadonlySet<string>;
}

export function cleanArticle(root: HtmlElement, cleaning: CleaningContext): void {
  dropPulled(root);
  const teasers: HtmlElement[] = [];
  const linked = new Set([...elementsIn(root)].filter(isLinkedSentence));
  const around = { ...cleaning, most: root.prose * MUCH_SHARE, teasers, linked };
  prune(root, around, false);
  const own = areOwn(teasers, root);
  for (const teaser of teasers)
    if (own) prune(teaser, { ...around, teasers: undefined }, false);
    else dropAnnounced(teaser);
  dropTrailingHeadings(root);
}

const MIN_BEFORE_CHARS = 140;

/** Drops the last box of an article, if a heading says that it has other texts. Such texts may be longer. */
export function dropOtherTexts(root: HtmlElement, article: boolean): void {
  if (!article) return;
  for (const box of elementsIn(root)) {
    if (!isAfterText(box, root)) continue;
    for (let at: HtmlElement | null = box.parentNode; at; at = at.parentNode) {
      at.chars -= box.chars;
      at.linkChars -= box.linkChars;
      at.prose -= box.part === '' ? box.prose : 0;
    }
    removeNode(box);
    return;
  }
}

function isAfterText(box: HtmlElement, root: HtmlElement): boolean {
  if (box.chars === 0 || HEADING_TAGS.has(box.tag) || !isAboutOthers(box, isOtherTexts)) return false;
  if (!leadsElsewhere(box)) return false;
  const before = proseBefore(box, root);
  return before >= MIN_BEFORE_CHARS && root.prose - before - box.prose <= 0;
}

/** True if a box has hardly more than links below its heading, or if its paragraphs all end in an ellipsis. */
function leadsElsewhere(box: HtmlElement): boolean {
  const heading = [...elementsIn(box)].find(({ tag }) => HEADING_TAGS.has(tag));
  if (box.linkChars >= (box.chars - (heading?.chars ?? 0)) * ALL_LINKED_SHARE) return true;
  const teasers = box.getElementsByTagName('p').filter(({ paragraphs }) => paragraphs > 0);
  const told = teasers.reduce((sum, { paragraphs }) => sum + paragraphs, 0);
  return (
    told === box.paragraphs && told > 0 && teasers.every((one) => /(?:…|\.{3})\s*$/.test(one.textContent))
  );
}

function areOwn(teasers: readonly HtmlElement[], root: HtmlElement): boolean {
  const [first] = teasers;
  const told = teasers.reduce((sum, { prose }) => sum + prose, 0);
  if (!first || told < root.prose * TOLD_SHARE || told < teasers.length * TOLD_CHARS) return false;
  if (told > root.prose * MOST_TOLD_SHARE) return true;
  return root.prose - proseBefore(first, root) > told * (1 + GOES_ON_SHARE);
}

function proseBefore(element: HtmlElement, root: HtmlElement): number {
  let prose = 0;
  for (let at: HtmlElement | null = element; at && at !== root; at = at.parentNode)
    for (let node = at.previousSibling; node; node = node.previousSibling)
      if (node.nodeType === 1 && node.part === '') prose += node.prose;
  return prose;
}

/** An element with more than this share of the prose is not removed, even if it has many links. */
const MUCH_SHARE = 0.3;

/** Boxes with linked headings are teasers if they have less than this share of the prose. */
const TOLD_SHARE = 0.2;
const MOST_TOLD_SHARE = 0.5;
const TOLD_CHARS = 200;
const GOES_ON_SHARE = 0.1;

interface CleaningLimits extends CleaningContext {
  readonly most: number;
  readonly teasers: HtmlElement[] | undefined;
  /** Paragraphs that are one link, and boxes of such a paragraph, which belong to the text. */
  readonly linked: ReadonlySet<HtmlElement>;
}

const PULLED = /(?:^|[ -])(?:pull-?quotes?|pull|pullout|drop-?quote)(?= |-|$)/;
const MAX_PULL_CHARS = 400;

function dropPulled(root: HtmlElement): void {
  const pulled = [...elementsIn(root)].filter(
    (node) => BLOCK_TAGS.has(node.tag) && node.chars < MAX_PULL_CHARS && PULLED.test(readElementNames(node)),
  );
  if (pulled.length === 0) return;
  const all = lettersOf(root.textContent);
  for (const element of pulled) {
    const [quote] = element.getElementsByTagName('blockquote');
    const text = lettersOf((quote ?? element).textContent);
    const first = all.indexOf(text);
    if (text && all.indexOf(text, first + 1) > first) removeNode(element);
  }
}

/** Removes boilerplate. In a list item or table cell (`item`), links are values and not navigation. */
function prune(element: HtmlElement, cleaning: CleaningLimits, item: boolean): void {
  for (let node = element.firstChild; node; ) {
    let next: HtmlNode | null = node.nextSibling;
    if (node.nodeType === 1 && node.chars > 0) {
      if (isForeign(node, cleaning, item)) next = dropAnnounced(node);
      else if (cleaning.teasers && isTold(node, cleaning, item)) cleaning.teasers.push(node);
      else if (isPageControl(node)) dropWithLabel(node);
      else if (node.tag !== 'pre') prune(node, cleaning, item || ITEMS.test(node.tag));
    }
    node = next;
  }
}

const ITEMS = /^(?:li|dd|dt|td|th)$/;

function isForeign(element: HtmlElement, limits: CleaningLimits, item: boolean): boolean {
  const { titles, most } = limits;
  const { tag, chars, linkChars, paragraphs, part } = element;
  const block = BLOCK_TAGS.has(tag);
  if (part !== '') return !isPartOfLine(element);
  if (block && isLinkBar(element)) return true;
  if (!block || tag === 'pre' || tag === 'tr' || ITEMS.test(tag)) return false;
  const linked = linkChars / chars;
  if (HEADING_TAGS.has(tag)) {
    const text = oneLine(element.textContent);
    if (isTitle(text.toLowerCase(), titles, tag === 'h1')) return true;
    return (linked > ALL_LINKED_SHARE || isBoilerplateLine(text, linked)) && !headsText(element);
  }
  if (paragraphs === 0 || chars < SHORT_CHARS) {
    const text = oneLine(element.textContent);
    const isLabel = titles.has(text.toLowerCase()) || isBoilerplateLine(text, linked);
    if (isLabel) return !element.children.some(({ tag }) => tag === EMBED_TAG);
  }
  if (item || tag === 'table' || tag === 'tbody' || tag === 'thead' || tag === 'ul' || tag === 'ol')
    return false;
  if (element.prose > most || !isWayOut(element) || limits.linked.has(element)) return false;
  return !isSentence(element) && !isPriceWithButton(element) && !isReachedBy(element) && !isCited(element);
}

const LINKED_CHARS = 80;
const MAX_LINKED_CHARS = 4000;

/** True for a paragraph of an article that is one long link: it ends as a sentence, between paragraphs. */
function isLinkedSentence(element: HtmlElement): boolean {
  const { tag, chars, linkChars } = element;
  if (chars < LINKED_CHARS || chars > MAX_LINKED_CHARS || linkChars < chars || !LINKED_TAG.test(tag))
    return false;
  const inside = [element, ...elementsIn(element)];
  const blocks = inside.filter((node) => BLOCK_TAGS.has(node.tag));
  if (blocks.at(-1)?.tag !== 'p' || blocks.some((block) => block.chars < chars)) return false;
  const links = inside.filter((node) => node.tag === 'a' && node.chars > 0);
  if (links.length !== 1 || inside.some((node) => node.tag === 'img')) return false;
  const text = oneLine(element.textContent);
  if (LABELLED.test(text) || !WRITTEN.test(text)) return false;
  return hasProse(element, 'previousSibling') && hasProse(element, 'nextSibling');
}

const LINKED_TAG = /^(?:p|div|section)$/;
/** Matches the label of a link that leads to another text, such as `Read also: `. */
const LABELLED = /^[^.:：]{2,25}[:：]/u;
const WRITTEN = /^["'“„«»‚‘「『(]?[\p{L}\p{N}].{0,2000}[\p{L}\p{N})][.…。]["'”“»«’‘」』)]?$/u;

/** True if the next block on a side is a paragraph, also outside of the element's box. */
function hasProse(element: HtmlElement, side: 'previousSibling' | 'nextSibling'): boolean {
  let at = element;
  for (let level = 0; level < MAX_BOX_LEVELS && at.parentNode; level++, at = at.parentNode) {
    for (let node = at[side]; node; node = node[side]) {
      if (node.nodeType === 3 ? node.data.trim() === '' : node.chars === 0 || node.part !== '') continue;
      return node.nodeType === 1 && node.paragraphs > 0 && node.linkChars < node.chars / 2;
    }
  }
  return false;
}

const MAX_BOX_LEVELS = 4;

function isTold(element: HtmlElement, { most }: CleaningLimits, item: boolean): boolean {
  const { tag, prose } = element;
  if (item || !BLOCK_TAGS.has(tag) || HEADING_TAGS.has(tag) || WHOLE.test(tag)) return false;
  return prose <= most && isTeaser(element);
}

const WHOLE = /^(?:pre|tr|li|dd|dt|td|th|table|tbody|thead|ul|ol)$/;

function isWayOut({ chars, linkChars, paragraphs }: HtmlElement): boolean {
  return linkChars > chars * LINKED_SHARE && paragraphs < chars * 0.2;
}

function isSentence(element: HtmlElement): boolean {
  if (element.tag !== 'p') return false;
  const isText = (node: HtmlNode): node is HtmlText => node.nodeType === 3 && node.data.trim() !== '';
  const texts = [...descendants(element)].filter(isText);
  const [first, last] = [texts[0], texts.at(-1)];
  if (!first || !last || isInLink(first, element) || isInLink(last, element)) return false;
  return (
    /^\s*\p{L}/u.test(first.data) && !/[:：|]\s*$/.test(first.data) && /[.!?…。！？]\s*$/.test(last.data)
  );
}

/** Minimum characters below a linked heading. With fewer, the heading is a teaser of another page. */
const HEADED_CHARS = 150;

function headsText(heading: HtmlElement): boolean {
  let at = heading;
  for (let { parentNode: link } = at; link?.tag === 'a'; { parentNode: link } = at) {
    if (link.paragraphs > 0) return true;
    at = link;
  }
  let own = 0;
  for (let node = at.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === 3) continue;
    if (HEADING_TAGS.has(node.tag)) break;
    own += node.chars - node.linkChars;
    if (own >= HEADED_CHARS) return true;
  }
  return false;
}

export function isTitle(text: string, titles: ReadonlySet<string>, loosely: boolean): boolean {
  if (titles.has(text)) return true;
  if (!loosely) return false;
  const words = new Set(text.match(WORDS));
  if (words.size < 4) return false;
  for (const title of titles) {
    const others = new Set(title.match(WORDS));
    const common = [...words].filter((word) => others.has(word));
    // Counts letters and not words, because short words such as in "from January" say little.
    const enough = Math.min(lettersIn(words), lettersIn(others)) * 0.6;
    // A heading that shares fewer words with the title may say something else, as may that of a newsletter.
    if (common.length === words.size || (common.length >= 5 && lettersIn(common) >= enough)) return true;
  }
  return false;
}

const lettersIn = (words: Iterable<string>): number => [...words].join('').length;

const WORDS = /[\p{L}\p{N}]+/gu;

function isTeaser(element: HtmlElement): boolean {
  if (element.paragraphs > 600) return false;
  let headings = 0;
  for (const node of elementsIn(element)) {
    if (!HEADING_TAGS.has(node.tag) || node.chars === 0) continue;
    if (node.linkChars < node.chars * ALL_LINKED_SHARE) return false;
    headings++;
  }
  return headings > 0;
}

const ABOUT = /^(?:around|caption)$/;
const CELL = /^(?:td|th|dt|dd|h[1-6])$/;
const MAX_VALUE_CHARS = 80;
const MAX_LINE_NODES = 40;
const WORD = /\p{L}/u;

/** True for an element such as a date that is a value, a heading, or part of a line with other words. */
function isPartOfLine({ tag, part, chars, parentNode, nextSibling: next }: HtmlElement): boolean {
  if (BLOCK_TAGS.has(tag)) return CELL.test(tag) && ABOUT.test(part) && chars <= MAX_VALUE_CHARS;
  let line = parentNode;
  while (line && !BLOCK_TAGS.has(line.tag)) line = line.parentNode;
  if (!line) return false;
  if (line.paragraphs > 0 && /^(?:p|li|td|dd|blockquote)$/.test(line.tag)) return true;
  if (!ABOUT.test(part) || (next?.nodeType === 3 && WORD.test(next.data.charAt(0)))) return false;
  return CELL.test(line.tag) || ((line.paragraphs === 0 || line.tag === 'div') && hasOwnWords(line));
}

function hasOwnWords(line: HtmlElement): boolean {
  const isItem = /^(?:li|blockquote)$/.test(line.tag);
  let node = nextNode(line, line);
  for (let nodes = 0; node && nodes < MAX_LINE_NODES; nodes++) {
    if (node.nodeType === 3 && WORD.test(node.data)) return true;
    if (node.nodeType === 1 && BLOCK_TAGS.has(node.tag) && !isItem) return false;
    node = nextNode(node, line, node.nodeType === 3 || node.part === '');
  }
  return false;
}

/** Removes an element and the label before it, or a label such as `Related:` and the links after it. */
function dropAnnounced(element: HtmlElement): HtmlNode | null {
  const { part, nextSibling } = element;
  const label = oneLine(element.textContent);
  const before = shownSibling(element, 'previousSibling', true);
  let next = nextSibling;
  removeNode(element);
  if (part !== '') return next;
  if (before?.nodeType === 1 && BLOCK_TAGS.has(before.tag) && before.linkChars <= before.chars / 2) {
    const text = oneLine(before.textContent);
    if (text.length < 60 && (/[:：…]$|\.\.\.$/.test(text) || isBoilerplateLine(text, 0))) removeNode(before);
  }
  if (next?.nodeType === 3 && next.data.trim() === '') next = shownSibling(next, 'nextSibling');
  if (next?.nodeType !== 1 || !isBoilerplateLine(label, 0)) return next;
  if (next.linkChars < next.chars * ALL_LINKED_SHARE || next.chars === 0) return next;
  const announced = next;
  next = announced.nextSibling;
  removeNode(announced);
  return next;
}

export function dropTrailingHeadings(root: HtmlElement): void {
  for (let at = lastElement(root); at; at = lastElement(at)) {
    if (!HEADING_TAGS.has(at.tag)) continue;
    if (isInDeck(at)) return;
    removeNode(at);
    at = root;
  }
}

function lastElement(element: HtmlElement): HtmlElement | undefined {
  for (let node = element.lastChild; node; node = node.previousSibling) {
    if (node.nodeType === 3) {
      if (node.data.trim()) return undefined;
    } else if (node.textContent.trim()) return BLOCK_TAGS.has(node.tag) ? node : undefined;
  }
  return undefined;
}
