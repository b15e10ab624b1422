import { oneLine } from '../../markdown.ts';
import { elementsIn, type HtmlElement, isWithin, nextNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { readElementNames } from '../visibility/page-parts.ts';
import { isTitle } from './clean.ts';

const LEDE =
  /(?:^|[ -])(?:lead|lede|intro|introduction|standfirst|teaser-?text|article-?teaser|summary|abstract|chapeau|sommario|vorspann|anriss|entradilla|bajada|copete|perex|excerpt|synopsis)(?= |-|$)/;
const APART = /^(?:nav|aside|footer|form|figure|figcaption|li)$/;
const MIN_CHARS = 60;
const MAX_CHARS = 1200;
const MAX_LINK_SHARE = 0.3;
/** Levels from the main text up to the box around it and around its lede, if a name says what the lede is. */
const MAX_NAMED_LEVELS = 5;
/** Levels from the main text up to that box and down to a paragraph that only its place makes the lede. */
const MAX_LEVELS = 3;

/** Finds the paragraph that sums up the main text, by its name, or by its place between title and text. */
export function findLede(
  root: HtmlElement,
  page: HtmlElement,
  titles: ReadonlySet<string>,
): HtmlElement | undefined {
  let lede: HtmlElement | undefined;
  let titled = false;
  for (let node = nextNode(page, page), inside = true; node; node = nextNode(node, page, inside)) {
    inside = node.nodeType === 1 && node.chars > 0 && !APART.test(node.tag);
    if (!inside || node.nodeType === 3) continue;
    if (node.tag === 'h1') {
      titled = isTitle(oneLine(node.textContent).toLowerCase(), titles, true);
      lede = undefined;
    } else if (isNamedLede(node, root)) lede ??= node;
    else if (node.part === '' && !isParagraph(node)) continue;
    else if (node.part === '' && isWithin(node, root)) break;
    else if (titled && isPlacedLede(node, root)) lede ??= node;
    inside = false;
  }
  return lede;
}

const isNamedLede = (node: HtmlElement, root: HtmlElement): boolean =>
  canBeLede(node) && LEDE.test(readElementNames(node)) && levelsBetween(node, root)[0] <= MAX_NAMED_LEVELS;

function isPlacedLede(node: HtmlElement, root: HtmlElement): boolean {
  const [up, down] = levelsBetween(node, root);
  return /^(?:p|div)$/.test(node.tag) && node.part === '' && canBeLede(node) && up + down <= MAX_LEVELS;
}

function canBeLede({ chars, linkChars, paragraphs }: HtmlElement): boolean {
  return paragraphs > 0 && chars >= MIN_CHARS && chars <= MAX_CHARS && linkChars <= chars * MAX_LINK_SHARE;
}

function isParagraph(element: HtmlElement): boolean {
  if (!BLOCK_TAGS.has(element.tag) || element.paragraphs < MIN_CHARS) return false;
  return ![...elementsIn(element)].some(({ tag, paragraphs }) => BLOCK_TAGS.has(tag) && paragraphs > 0);
}

/** Returns the levels from the main text up to the box around it and the lede, and from there down to the lede. */
function levelsBetween(lede: HtmlElement, root: HtmlElement): readonly [number, number] {
  let box = root;
  while (box.parentNode && !isWithin(lede, box)) box = box.parentNode;
  return [root.depth - box.depth, lede.depth - box.depth];
}

/** Finds the lists of what matters most, which stand between title and main text. */
export function findKeyPoints(root: HtmlElement, page: HtmlElement): HtmlElement[] {
  let around = root;
  for (let level = 0; level < MAX_NAMED_LEVELS - 1 && around !== page && around.parentNode; level++)
    around = around.parentNode;
  const points: HtmlElement[] = [];
  let titled = false;
  let node = nextNode(around, around);
  while (node && node !== root) {
    let inside = node.nodeType === 3;
    if (node.nodeType === 1 && node.chars > 0 && !/^(?:nav|aside|footer|form)$/.test(node.tag)) {
      const found = titled && /^[uo]l$/.test(node.tag) ? pointsOf(node) : [];
      points.push(...found);
      titled ||= node.tag === 'h1';
      inside = found.length === 0;
    }
    node = nextNode(node, around, inside);
  }
  return node ? points : [];
}

/** Returns a list with its heading, or a list of sentences. Lists of links lead elsewhere, or down the page. */
function pointsOf(list: HtmlElement): readonly HtmlElement[] {
  const { children, chars, paragraphs } = list;
  const linked = list.getElementsByTagName('a').reduce((sum, link) => sum + link.chars, 0);
  if (children.length < 2 || linked > chars * MAX_LINK_SHARE || chars > MAX_CHARS) return [];
  const before = shownSibling(list, 'previousSibling');
  if (before?.nodeType === 1 && HEADING_TAGS.has(before.tag) && before.tag !== 'h1') return [before, list];
  return paragraphs > 0 ? [list] : [];
}
