import TurndownService from 'turndown';
import { FORMULA_TAG } from '../formulas/formula.ts';
import { linkOverlayHeadings } from '../main-content/overlay-links.ts';
import { nestComments } from '../main-content/threads.ts';
import { FOOTNOTE_TAG, REFERENCE_TAG } from '../notes/notes.ts';
import { type AddressResolver, escapeAddress } from '../parsing/addresses.ts';
import { EMBED_TAG } from '../parsing/embeds.ts';
import { elementsIn, HtmlElement, type HtmlNode, moveChildren, wrapChildren } from '../parsing/node.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { VERSE_END } from '../parsing/verses.ts';
import { explainAbbreviations } from './abbreviations.ts';
import { normalizeCallouts } from './callouts.ts';
import { normalizeCodeBlocks, writeCode } from './code.ts';
import { markOfItem } from './list-numbers.ts';
import { dropRepeatedPictures, moveCaptionsIntoPictures, writePicture } from './pictures.ts';
import { simplifyForMarkdown } from './simplify.ts';
import { joinSpecRows } from './spec-rows.ts';
import { markStruck } from './struck.ts';
import { normalizeSuperscripts, writeSubscript, writeSuperscript } from './superscripts.ts';
import { rowsOf, writeTable } from './tables.ts';

type MarkdownWriter = (content: string, element: HtmlElement) => string;

export function writeMarkdown(root: HtmlElement, addresses: AddressResolver): string {
  normalizeCodeBlocks(root);
  normalizeCallouts(root);
  explainAbbreviations(root);
  nestComments(root);
  joinSpecRows(root);
  markStruck(root);
  normalizeSuperscripts(root);
  moveCaptionsIntoPictures(root);
  unpackLinks(root);
  linkOverlayHeadings(root);
  dropRepeatedPictures(root);
  const turndown = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    br: '',
  });
  // `simplifyForMarkdown` has already escaped the texts.
  turndown.escape = (text) => text;
  const writers = createWriters(addresses, wordedLinks(root));
  turndown.addRule('page', {
    filter: (node) => writers[(node as unknown as HtmlElement).tag] !== undefined,
    replacement: (content, node) => {
      const element = node as unknown as HtmlElement;
      return writers[element.tag]?.(content, element) ?? content;
    },
  });
  return tidy(turndown.turndown(simplifyForMarkdown(root) as never));
}

const PICTURE = String.raw`!\[[^\]]*\](?:\([^)]*\))?`;
const PICTURES = new RegExp(`^(?:${PICTURE} ?|\\[${PICTURE}\\]\\([^)]*\\) ?)+$`);
const ONE_PICTURE = new RegExp(`^${PICTURE}$`);
const UNTOLD =
  /^(?:https?:\/\/[^/?#]{0,253})?\/?$|\/(?:pin\/create|sharer?|intent\/(?:tweet|post)|bookmark|submit)\b/;

function createWriters(
  addresses: AddressResolver,
  worded: ReadonlySet<string>,
): Readonly<Record<string, MarkdownWriter>> {
  const cells = new Map<HtmlElement, string>();
  const cell: MarkdownWriter = (content, element) => {
    cells.set(element, content);
    return `\n\n${content}\n\n`;
  };
  const heading: MarkdownWriter = (content, element) => {
    const text = content.replace(/\*\*/g, '').replace(/\s+/g, ' ').trim();
    const sign = PICTURES.test(text) ? '' : `${'#'.repeat(Number(element.tag[1]))} `;
    return text ? `\n\n${sign}${text}\n\n` : '';
  };
  const block: MarkdownWriter = (content) => `\n\n${content}\n\n`;
  const named = new WeakSet<HtmlElement>();
  return {
    ...Object.fromEntries([...HEADING_TAGS].map((tag) => [tag, heading])),
    a: (content, element) => {
      const text = content.replace(/\s+/g, ' ').trim();
      const { href } = element.attributes;
      // A link to a place on the same page becomes plain text. A link whose text is a sign such as `¶` is removed.
      if (href === undefined || href.startsWith('#'))
        return /^(?:¶|§|#|\^|↑|↩\ufe0e?|🔗|\*|\[?edit\]?)?$/u.test(text) ? '' : content;
      const address = addresses.link(href);
      if (!address || !text) return content;
      if (ONE_PICTURE.test(text) && (worded.has(href) || isUntold(element, href))) return content;
      return `[${writeLinkText(text)}](${escapeAddress(address)})`;
    },
    br: (_content, element) => {
      if (!element.nextSibling) return '';
      return element.attributes[VERSE_END] === undefined || countAround(element, 'td', 'th') > 0
        ? '\n'
        : '\\\n';
    },
    dd: (content, element) => {
      const { previousSibling: before } = element;
      if (before?.nodeType !== 1 || (before.tag !== 'dt' && !named.has(before)))
        return block(content, element);
      named.add(element);
      const text = content.trim();
      const nested = element.parentNode?.tag === 'dd';
      // Headings must start at the margin. A nested definition is not indented: it would become code.
      if (text.startsWith('#') || (nested && /^(?:-|\d{1,9}\.) /.test(text))) return block(content, element);
      return `\n: ${nested ? text : text.replace(/\n/g, '\n  ')}\n`;
    },
    del: writeStruck,
    em: (content, element) => writeInlineMark('*', content, element),
    strong: (content, element) => writeInlineMark('**', content, element),
    div: block,
    p: (content) => `\n\n${content.replace(/ {2,}/g, ' ').replace(/^ /gm, '')}\n\n`,
    dt: (content) => `\n\n**${content.trim().replaceAll('**', '')}**\n`,
    img: (content, element) => writePicture(element, addresses, content),
    code: (_content, element) => inlineCode(element.textContent),
    li: writeItem,
    ol: list,
    ul: list,
    pre: (_content, element) => `\n\n${writeCode(element.source ?? element)}\n\n`,
    q: (content, element) => (countAround(element, 'q') % 2 > 0 ? `‘${content}’` : `“${content}”`),
    summary: (content) => (content.trim() ? `\n\n**${content.trim().replaceAll('**', '')}**\n\n` : ''),
    sub: writeSubscript,
    sup: writeSuperscript,
    table: (_content, element) => `\n\n${writeTable(rowsOf(element), (one) => cells.get(one) ?? '')}\n\n`,
    td: cell,
    th: cell,
    [FOOTNOTE_TAG]: writeNote,
    [REFERENCE_TAG]: (_content, element) => `[^${element.attributes.label}]`,
    [FORMULA_TAG]: (_content, element) => {
      const tex = element.textContent;
      return element.attributes.display === 'block' && countAround(element, 'td', 'th') === 0
        ? `\n\n$$\n${tex}\n$$\n\n`
        : `$${tex}$`;
    },
  };
}

/** True for a picture's link to the picture's file, a home page or a sharing page: it adds no information. */
function isUntold({ attributes, firstChild: picture }: HtmlElement, href: string): boolean {
  if (attributes[EMBED_TAG] !== undefined || picture?.nodeType !== 1) return false;
  const { src = '', 'data-src': lazy = src } = picture.attributes;
  return UNTOLD.test(href) || (PICTURE_FILE.test(href) && stemOf(href) === stemOf(lazy));
}

const PICTURE_FILE = /\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i;

/** Returns a picture's file name without its size, for example `mill` for `/a/mill-300x200.jpg?w=9`. */
function stemOf(address: string): string {
  const [file = ''] = address.split(/[?#]/, 1);
  return file
    .slice(file.lastIndexOf('/') + 1)
    .replace(/(?:[-_]\d{1,5}x\d{1,5}|[-_][a-z]{5,6})?\.[a-z]{3,4}$/i, '');
}

function wordedLinks(root: HtmlElement): ReadonlySet<string> {
  const worded = root.getElementsByTagName('a').filter(({ textContent }) => textContent.trim() !== '');
  return new Set(worded.flatMap(({ attributes: { href } }) => href ?? []));
}

/** Counts the ancestors of an element that have one of the tags. */
function countAround(element: HtmlElement, ...tags: string[]): number {
  let count = 0;
  for (let at = element.parentNode; at; at = at.parentNode) if (tags.includes(at.tag)) count++;
  return count;
}

const writeNote: MarkdownWriter = (content, element) => {
  const text = content.trim().replace(/^\^\s*/, '');
  return text ? `\n\n[^${element.attributes.label}]: ${text.replace(/\n(?=[^\n])/g, '\n    ')}\n\n` : '';
};

const list: MarkdownWriter = (content, element) => {
  const inner =
    element.parentNode?.tag === 'li' || element.parentNode?.tag === 'ul' || element.parentNode?.tag === 'ol';
  return inner ? `\n${content.replace(/^\n+|(?<!\n)\n+$/g, '')}\n` : `\n\n${content}\n\n`;
};

function writeItem(content: string, element: HtmlElement): string {
  const text = content.trim().replace(/(?<!\n)\n{2,}(?=- |\d{1,9}\. )/g, '\n');
  if (!text) return '';
  const parent = element.parentNode;
  if (parent?.tag !== 'ol' && isOnlyList(element)) return `\n${text}\n`;
  const mark = parent?.tag === 'ol' ? markOfItem(element, parent) : '- ';
  const body = text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.indexOf(' ') + 1)}`);
  return `\n${mark}${body}\n`;
}

/** True for an item without words of its own, whose list takes the place of its bullet. */
function isOnlyList({ childNodes }: HtmlElement): boolean {
  const [only, ...others] = childNodes.filter((node) => node.nodeType === 1 || node.data.trim() !== '');
  return others.length === 0 && only?.nodeType === 1 && /^[uo]l$/.test(only.tag);
}

function inlineCode(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  if (!line.trim()) return line;
  const longest = line.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = '`'.repeat(longest + 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

function unpackLinks(root: HtmlElement): void {
  for (const link of root.getElementsByTagName('a')) {
    const target = linkTarget(link);
    const [picture] = link.children;
    const isAlone = link.children.length === 1 && link.textContent.trim() === '';
    if (picture?.source && isAlone && isUntold(link, link.attributes.href ?? ''))
      link.parentNode?.replaceChild(picture, link);
    if (!target) continue;
    wrapChildren(target, 'a', link.attributes);
    const outside = new HtmlElement('div', {}, link.depth);
    link.parentNode?.replaceChild(outside, link);
    moveChildren(link, outside);
  }
}

function linkTarget(link: HtmlElement): HtmlElement | undefined {
  const blocks = [...elementsIn(link)].filter((node) => BLOCK_TAGS.has(node.tag) && node.textContent.trim());
  let at = 0;
  while (at + 1 < blocks.length && blocks[at + 1]?.parentNode === blocks[at]) at++;
  return blocks.find(({ tag }) => HEADING_TAGS.has(tag)) ?? blocks[at];
}

function tidy(markdown: string): string {
  const lines: string[] = [];
  let fence = '';
  let blank = true;
  for (const raw of markdown.split('\n')) {
    const mark = /^[\s>-]*(`{3,})/.exec(raw)?.[1] ?? '';
    if (fence) {
      lines.push(raw);
      if (mark.length >= fence.length) fence = '';
      continue;
    }
    const line = raw.replaceAll('\u00a0', ' ').trimEnd();
    if (line !== '' || !blank) lines.push(line);
    blank = line === '';
    fence = mark;
  }
  return lines.join('\n').trim();
}

const SIGN = /[\p{P}\p{S}\s]/u;
const WORD = /[\p{L}\p{N}]/u;

function writeInlineMark(mark: string, content: string, element: HtmlElement): string {
  if (isPartOfNumber(content, element)) return content;
  let [start, end] = [0, content.length];
  const { previousSibling: before, nextSibling: after, firstChild: first, lastChild: last } = element;
  if (isTight(first, 0) && isWord(before, -1)) while (start < end && SIGN.test(content[start] ?? '')) start++;
  if (isTight(last, -1) && isWord(after, 0)) while (end > start && SIGN.test(content[end - 1] ?? '')) end--;
  if (start === end) return content;
  return `${content.slice(0, start)}${mark}${content.slice(start, end)}${mark}${content.slice(end)}`;
}

/** Strikes text out. Its signs must stay struck, so a space and not a move keeps them from the word beside. */
function writeStruck(content: string, { previousSibling: before, nextSibling: after }: HtmlElement): string {
  if (!content.trim()) return '';
  const first = SIGN.test(content.charAt(0)) && isWord(before, -1) ? ' ' : '';
  return `${first}~~${content}~~${SIGN.test(content.slice(-1)) && isWord(after, 0) ? ' ' : ''}`;
}

function isPartOfNumber(content: string, { previousSibling: before, nextSibling: after }: HtmlElement) {
  if (!/^\d[\d.,]{0,12}$/.test(content)) return false;
  return (
    (before?.nodeType === 3 && /[$€£¥\d]$/.test(before.data)) ||
    (after?.nodeType === 3 && /^(?:[.,]?\d|[$€£¥])/.test(after.data))
  );
}

function isTight(node: HtmlNode | null, at: 0 | -1): boolean {
  return node?.nodeType === 3 && /\S/.test(node.data.at(at) ?? '');
}

/** True for a formatted element, or if text begins (`at` = 0) or ends (`at` = -1) with a letter or digit. */
function isWord(node: HtmlNode | null, at: 0 | -1): boolean {
  if (node?.nodeType === 3) return WORD.test(node.data.at(at) ?? '');
  return node !== null && /^(?:strong|em|del)$/.test(node.tag);
}

function writeLinkText(text: string): string {
  let depth = 0;
  for (const [sign] of text.matchAll(/(?<!\\)[[\]]/g)) {
    depth += sign === '[' ? 1 : -1;
    if (depth < 0) break;
  }
  return depth === 0 || text.includes('![') ? text : text.replace(/(?<!\\)[[\]]/g, '\\$&');
}
