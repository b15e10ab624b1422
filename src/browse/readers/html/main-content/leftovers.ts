import { parseJsonOrNothing } from '../../../../lib/text/parse-json-or-nothing.ts';
import { oneLine } from '../../markdown.ts';
import { descendants, type HtmlElement, nextNode, removeNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';

const UNFILLED = /^\s*\{\{[^{}]{1,200}\}\}\s*$/;
/** `DATA` matches the beginning of JSON, `NAMED` a lone UUID. Both are data for scripts and not text. */
const DATA = /^\s*[{[]/;
const NAMED = /^\s*[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\s*$/i;
const MIN_DATA_CHARS = 80;
/** JSON with a larger share of the page is kept, because a page of JSON would otherwise become empty. */
const MOST_SHARE = 0.1;
const EMBEDDED = /^\s*<iframe\s[^<]{1,2000}<\/iframe>\s*$/i;
/** Elements in which placeholders (`{{name}}`) and repeated lines are probably intended and stay. */
const WRITTEN = /^(?:pre|code|kbd|samp|table|li|dl|svg|math)$/;
/** Minimum and maximum length of a line that is removed as a duplicate, such as a date shown twice. */
const TWICE_CHARS = [8, 60] as const;
const MAX_NODES = 24;

/** Matches a vote count of up to three digits. Four digits may be a year, which can be a heading. */
const COUNT = /^[^\p{L}\d]{0,3}\p{L}?\s{0,2}\d{1,3}(?:[.,]\d{1,3})?k?$/u;

export function dropVoteCountHeadings(root: HtmlElement): void {
  const headings = root.getElementsByTagName('h1');
  if (headings.length < 2) return;
  const counts = headings.filter(({ textContent }) => COUNT.test(oneLine(textContent)));
  if (counts.length < headings.length) for (const heading of counts) removeNode(heading);
}

export function dropBoilerplate(root: HtmlElement): void {
  const walk: LeftoverWalk = { root, last: '' };
  for (let node = nextNode(root, root); node; ) {
    if (node.nodeType === 3 && node.data.includes('[')) node.data = withoutShortcodes(node.data);
    const gone = node.nodeType === 3 ? isForScripts(node.data, root) : isLeftover(node, walk);
    const next = nextNode(
      node,
      root,
      !gone &&
        (node.nodeType === 3 || !WRITTEN.test(node.tag) || (node.tag === 'li' && node.chars >= POST_CHARS)),
    );
    if (gone) removeNode(node);
    node = next;
  }
}

const POST_CHARS = 300;

const SHORTCODE = String.raw`\[\/?[a-z][\w-]{1,40}(?:\s[^[\]]{0,1500})?\]`;
/** Matches a text of shortcodes alone, and several at its beginning or end. One there may be what a text is about. */
const SHORTCODES = new RegExp(
  String.raw`^\s{0,20}(?:${SHORTCODE}\s{0,20}){1,40}$|^\s{0,20}(?:${SHORTCODE}\s{0,20}){2,40}|(?:${SHORTCODE}\s{0,20}){2,40}$`,
  'gi',
);
/** Matches shortcodes that close, or that have attributes in quotes. Brackets of writers have neither. */
const SURE = /\[\/|\[[\w-]{1,41}\s(?:[^[\]]{0,200}\s)?[\w-]{1,40}\s?=\s?["'“”″«]/;

/** Removes the shortcodes of page builders, such as `[vc_row]`, around a text. */
function withoutShortcodes(text: string): string {
  return text.replace(SHORTCODES, (codes) => (SURE.test(codes) ? ' ' : codes));
}

interface LeftoverWalk {
  readonly root: HtmlElement;
  last: string;
}

function isLeftover(node: HtmlElement, walk: LeftoverWalk): boolean {
  if (node.tag === 'code' && EMBEDDED.test(node.textContent)) return true;
  if (ALIKE.test(node.tag) && isTwin(node)) return true;
  if (WRITTEN.test(node.tag)) walk.last = '';
  else if (node.tag === 'a') return isSkip(node) || isInitial(node, walk.root);
  else if (BLOCK_TAGS.has(node.tag) && isLeaf(node)) {
    const line = lineOf(node);
    if (line !== '' && line === walk.last && /\d/.test(line)) return true;
    walk.last = line || walk.last;
  }
  return false;
}

const ALIKE = /^(?:div|figure|article)$/;
const MAX_TWIN_CHARS = 200;

/** True for a box with a picture or a link that says what the one before it says. */
function isTwin(node: HtmlElement): boolean {
  const before = shownSibling(node, 'previousSibling');
  if (before?.nodeType !== 1 || before.tag !== node.tag) return false;
  if (Math.max(node.chars, before.chars) > MAX_TWIN_CHARS) return false;
  const said = saidBy(node);
  return said !== undefined && said === saidBy(before);
}

/** Returns the words, texts of pictures and addresses, if there are pictures or links. */
function saidBy(box: HtmlElement): string | undefined {
  const nodes = [...descendants(box)];
  if (nodes.length > MAX_NODES) return undefined;
  const said = nodes.flatMap((node) =>
    node.nodeType === 3 ? node.data.trim() : [node.attributes.alt ?? '', node.attributes.href ?? ''],
  );
  const isMarked = nodes.some((node) => node.nodeType === 1 && (node.attributes.alt || node.attributes.href));
  return isMarked && /\p{L}{3}/u.test(said.join(' ')) ? said.join(' ') : undefined;
}

function isForScripts(text: string, root: HtmlElement): boolean {
  if (UNFILLED.test(text) || NAMED.test(text)) return true;
  if (text.length < MIN_DATA_CHARS || text.length >= root.chars * MOST_SHARE) return false;
  return DATA.test(text) && typeof parseJsonOrNothing(text) === 'object';
}

function isSkip(link: HtmlElement): boolean {
  const { href = '' } = link.attributes;
  return href.startsWith('#') && /^\s*(?:skip|jump) (?:to|past|over)\s/i.test(link.textContent);
}

function isLeaf(element: HtmlElement): boolean {
  let nodes = 0;
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES) return false;
    if (node.nodeType === 1 && (BLOCK_TAGS.has(node.tag) || node.tag === 'img')) return false;
  }
  return nodes > 0;
}

const BEGIN_CHARS = 200;

function lineOf(element: HtmlElement): string {
  const text = element.textContent;
  // If the beginning of a long block is already too long for a line, the rest need not be read.
  if (text.length > BEGIN_CHARS && oneLine(text.slice(0, BEGIN_CHARS)).length > TWICE_CHARS[1]) return ' ';
  const line = oneLine(text);
  return line.length >= TWICE_CHARS[0] && line.length <= TWICE_CHARS[1] ? line : line && ' ';
}

function isInitial(link: HtmlElement, root: HtmlElement): boolean {
  const { href } = link.attributes;
  if (href === undefined || href === '') return false;
  const letter = link.textContent.trim();
  if (!/^\p{L}{1,2}$/u.test(letter)) return false;
  let at = nextNode(link, root, false);
  for (let nodes = 0; at && nodes < MAX_NODES; nodes++) {
    if (at.nodeType === 1 && at.tag === 'a' && at.attributes.href === href) {
      const name = at.textContent.trim().toLowerCase();
      return name.length > 2 && name.startsWith(letter.toLowerCase().charAt(0));
    }
    at = nextNode(at, root);
  }
  return false;
}
