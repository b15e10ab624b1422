import type { HtmlElement, PagePart } from '../parsing/node.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';
import { weightedLength } from '../parsing/white-space.ts';
import {
  BESIDE_CHARS,
  findMisnamedBoxes,
  isAskingFrame,
  isMisnamed,
  MUCH_SHARE,
} from '../visibility/misnamed-boxes.ts';
import { isClearlyBoilerplate, isTextNamedBoilerplate, partOf } from '../visibility/page-parts.ts';

/** Minimum length of a paragraph. `SENTENCE_CHARS` applies if the text ends like a sentence. */
const PARAGRAPH_CHARS = 80;
const SENTENCE_CHARS = 25;
const ENDS = /[.!?:;…。！？：；؟۔।"'”’»)\]]\s*$/;

interface CountingRun {
  chars: number;
  links: number;
  last: string;
}

export function countText(root: HtmlElement, discussion: boolean): boolean {
  const run: CountingRun = { chars: 0, links: 0, last: '' };
  weighInto(root, run, false);
  root.paragraphs += endRun(run, root);
  const { chars, paragraphs, unlinkedChars } = root;
  const total = { chars, paragraphs, unlinkedChars };
  const misnamed = findMisnamedBoxes(root);
  let talk = discussion;
  sift(root, (node) => {
    const part = believed(node, total, discussion, misnamed);
    // If over half of the page's paragraph text is in comments, the comments are the main content.
    if (part === '' && node.paragraphs > total.paragraphs * MOST_SHARE && partOf(node) === 'comments')
      talk = true;
    return part;
  });
  if (talk !== discussion) sift(root, (node) => believed(node, total, talk, misnamed));
  // If nearly all prose is in elements with boilerplate names, the site uses these names for content.
  const isMuch = paragraphs > MUCH_CHARS || paragraphs > unlinkedChars / 2;
  if (isMuch && root.prose < paragraphs * LEAST_SHARE) {
    sift(root, (node) => {
      const part = believed(node, total, talk, misnamed);
      return part === 'comments' || isClearlyBoilerplate(node) ? part : '';
    });
  }
  return talk;
}

function weighInto(element: HtmlElement, run: CountingRun, linked: boolean): void {
  element.chars = 0;
  element.unlinkedChars = 0;
  element.linkChars = 0;
  element.paragraphs = 0;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) {
      addText(element, run, node.data, linked);
      continue;
    }
    const link = linked || isLink(node);
    if (BLOCK_TAGS.has(node.tag)) {
      element.paragraphs += endRun(run, element);
      weighInto(node, run, link);
      node.paragraphs += endRun(run, node);
    } else {
      if (node.tag === 'br' && node.nextSibling?.nodeType === 1 && node.nextSibling.tag === 'br')
        element.paragraphs += endRun(run, element);
      weighInto(node, run, link);
    }
    addCounts(element, node);
  }
}

function addText(element: HtmlElement, run: CountingRun, text: string, linked: boolean): void {
  const length = weightedLength(text);
  if (length === 0) return;
  element.chars += length;
  run.chars += length;
  if (linked) {
    element.linkChars += length;
    run.links += length;
  }
  if (!linked || length >= LINKED_TEXT_CHARS) element.unlinkedChars += length;
  run.last = text;
}

function addCounts(element: HtmlElement, node: HtmlElement): void {
  if (node.unlinkedChars > 0 && node.chars <= MAX_ITEM_CHARS && ITEM.test(node.tag))
    node.unlinkedChars = node.chars;
  element.chars += node.chars;
  element.unlinkedChars += node.unlinkedChars;
  element.linkChars += node.linkChars;
  element.paragraphs += node.paragraphs;
  element.controls += node.controls;
}

const ITEM = /^(?:li|tr|dd|dt)$/;
const MAX_ITEM_CHARS = 600;
/** The text of a longer link says something. Shorter ones may be entries of a menu. */
const LINKED_TEXT_CHARS = 60;

const MOST_SHARE = 0.5;
const LEAST_SHARE = 0.15;
/** Less prose in a small box may be all prose of a page of links. */
const MUCH_CHARS = 500;
/** Comments are the main content if they have over this share of the text and little prose is elsewhere. */
const TALK_SHARE = 0.9;
const SUMMARY_CHARS = 1500;

function sift(element: HtmlElement, judge: (node: HtmlElement) => PagePart): void {
  element.prose = element.paragraphs;
  if (element.tag === 'pre') return;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) continue;
    node.part = node.chars === 0 ? '' : judge(node);
    if (node.chars > 0) sift(node, judge);
    element.prose -= node.part === '' ? node.paragraphs - node.prose : node.paragraphs;
  }
}

type Total = Pick<HtmlElement, 'chars' | 'paragraphs' | 'unlinkedChars'>;

function believed(
  node: HtmlElement,
  total: Total,
  discussion: boolean,
  misnamed: ReadonlySet<string>,
): PagePart {
  const part = partOf(node);
  if ((part === 'comments' && discussion) || isMisnamed(node, part, misnamed)) return '';
  if (part === 'frame' && isTextNamedBoilerplate(node)) return '';
  if (part === '' || node.paragraphs <= total.paragraphs * MOST_SHARE) return part;
  if (node.paragraphs < MUCH_CHARS && node.unlinkedChars < total.unlinkedChars * MUCH_SHARE) return part;
  const beside = total.paragraphs - node.paragraphs;
  if (beside < BESIDE_CHARS && !isAskingFrame(node)) return '';
  if (part === 'comments' && beside < SUMMARY_CHARS && node.chars > total.chars * TALK_SHARE) return '';
  return part === 'comments' || isClearlyBoilerplate(node) ? part : '';
}

function isLink({ tag, attributes }: HtmlElement): boolean {
  const { href } = attributes;
  return tag === 'a' && href !== undefined && !href.startsWith('#');
}

function endRun(run: CountingRun, element: HtmlElement): number {
  const { chars, links, last } = run;
  run.chars = 0;
  run.links = 0;
  run.last = '';
  if (chars < SENTENCE_CHARS) return 0;
  if (links > chars / 2) return 0;
  if (element.tag === 'pre') return chars;
  if (chars >= PARAGRAPH_CHARS || ENDS.test(last)) return chars - links;
  return 0;
}
