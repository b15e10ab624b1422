import type { HtmlElement, Part } from '../parsing/node.ts';
import { BLOCK } from '../parsing/tags.ts';
import { lengthOf } from '../parsing/white-space.ts';
import { isMisnamed, partOf, standsApart } from '../visibility/chrome.ts';

/** Characters from which a run of text is taken for a paragraph, and from which it is if it ends as a sentence. */
const PARAGRAPH_CHARS = 80;
const SENTENCE_CHARS = 25;
const ENDS = /[.!?:;…。！？：；؟۔।"'”’»)\]]\s*$/;

interface Run {
  chars: number;
  links: number;
  last: string;
}

/**
 * Counts text, links, paragraphs and prose of every element below `root`, and says what part of the page
 * each is; in a discussion what readers wrote is the text. Recursion is as deep as the tree, which the
 * parser bounds. Gives whether the page is a discussion after all.
 */
export function weigh(root: HtmlElement, discussion: boolean): boolean {
  const run: Run = { chars: 0, links: 0, last: '' };
  weighInto(root, run, false);
  root.paragraphs += endRun(run, root);
  const total = { chars: root.chars, paragraphs: root.paragraphs };
  let talk = discussion;
  sift(root, (node) => {
    const part = believed(node, total, discussion);
    // Comments that are nearly all of a page are what it is for.
    if (part === '' && node.paragraphs > total.paragraphs * MOST_SHARE && partOf(node) === 'comments')
      talk = true;
    return part;
  });
  if (talk !== discussion) sift(root, (node) => believed(node, total, talk));
  // Names that take nearly everything away do not mean what they say elsewhere.
  if (root.prose < total.paragraphs * LEAST_SHARE) {
    sift(root, (node) => {
      const part = believed(node, total, talk);
      return part === 'comments' || standsApart(node) ? part : '';
    });
  }
  return talk;
}

function weighInto(element: HtmlElement, run: Run, linked: boolean): void {
  element.chars = 0;
  element.linkChars = 0;
  element.paragraphs = 0;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) {
      const length = lengthOf(node.data);
      if (length === 0) continue;
      element.chars += length;
      run.chars += length;
      if (linked) {
        element.linkChars += length;
        run.links += length;
      }
      run.last = node.data;
      continue;
    }
    const link = linked || isLink(node);
    if (BLOCK.has(node.tag)) {
      element.paragraphs += endRun(run, element);
      weighInto(node, run, link);
      node.paragraphs += endRun(run, node);
    } else {
      if (node.tag === 'br' && node.nextSibling?.nodeType === 1 && node.nextSibling.tag === 'br')
        element.paragraphs += endRun(run, element);
      weighInto(node, run, link);
    }
    element.chars += node.chars;
    element.linkChars += node.linkChars;
    element.paragraphs += node.paragraphs;
    element.controls += node.controls;
  }
}

/** Names lie where what they name holds most of the page: `<div class="post category">`. */
const MOST_SHARE = 0.5;
/** Share of the paragraphs that names must leave. */
const LEAST_SHARE = 0.15;
/** ... unless as much prose stands beside it, and the name is of something that stands apart. */
const BESIDE_CHARS = 220;
/** Share of a page in comments from which on a text up to that length is what they are about, and no article with comments. */
const TALK_SHARE = 0.9;
const SUMMARY_CHARS = 1500;

function sift(element: HtmlElement, judge: (node: HtmlElement) => Part): void {
  element.prose = element.paragraphs;
  if (element.tag === 'pre') return;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) continue;
    node.part = node.chars === 0 ? '' : judge(node);
    if (node.chars > 0) sift(node, judge);
    element.prose -= node.part === '' ? node.paragraphs - node.prose : node.paragraphs;
  }
}

interface Total {
  readonly chars: number;
  readonly paragraphs: number;
}

function believed(node: HtmlElement, total: Total, discussion: boolean): Part {
  const part = partOf(node);
  if (part === 'comments' && discussion) return '';
  if (part === 'frame' && isMisnamed(node)) return '';
  if (part === '' || node.paragraphs <= total.paragraphs * MOST_SHARE) return part;
  const beside = total.paragraphs - node.paragraphs;
  if (beside < BESIDE_CHARS) return '';
  if (part === 'comments' && beside < SUMMARY_CHARS && node.chars > total.chars * TALK_SHARE) return '';
  return part === 'comments' || standsApart(node) ? part : '';
}

/** A link to another place; one to a place on the same page leads nowhere else. */
function isLink({ tag, attributes }: HtmlElement): boolean {
  const { href } = attributes;
  return tag === 'a' && href !== undefined && !href.startsWith('#');
}

function endRun(run: Run, element: HtmlElement): number {
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
