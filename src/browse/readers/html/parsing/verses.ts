import { breakLines, MAX_BREAKS } from './line-breaks.ts';
import { descendants, elementsIn, HtmlElement, type HtmlText, moveChildren, retag } from './node.ts';
import { shownSibling } from './relations.ts';
import { BLOCK_TAGS } from './tags.ts';

const POEM =
  /(?:^|[\s_-])(?:poems?|poetry|verses?|stanzas?|strophe|lyrics?|lg|line-?group|stih\w{0,2}|gedicht|poema|poème|poesia|wiersz|strofa|zwrotka)(?=[\s_-]|$)/i;
const ANY =
  /poem|poet|poème|poesia|vers|stanza|strophe|lyric|gedicht|stih|wiersz|strofa|zwrotka|lg["'\s]|line-?group/i;
/** Names of spans that a style sheet shows below each other. */
const LINE_NAME = /(?:^|[\s_-])(?:l|v|line|verse|vers|verso)(?=[\s\d_-]|$)/i;
const DATE = /(?:^|[\s_-])(?:date|datum|year)(?=[\s_-]|$)/i;
/** Attribute of line breaks that Markdown must show. Other breaks may become blanks. */
export const VERSE_END = 'data-verse-end';
const LINE = /^(?:p|div|span)$/;
const HOLDER = /^(?:div|section|blockquote|article|p|figure)$/;
const MAX_LINE_CHARS = 100;
const MAX_DATE_CHARS = 60;

/** Joins the lines of a stanza that are paragraphs or boxes of their own. The date below a poem is its text. */
export function joinVerses(root: HtmlElement, html: string): void {
  if (!ANY.test(html)) return;
  const poems = [...elementsIn(root)].filter(({ attributes }) =>
    POEM.test((attributes.class ?? '').slice(0, 200)),
  );
  for (const poem of poems) {
    const block =
      poem.tag === 'pre' && poem.getElementsByTagName('code').length === 0 ? breakPre(poem) : poem;
    if (HOLDER.test(block.tag) && isLines(block)) joinLines(block);
    keepDate(block);
    for (const line of block.getElementsByTagName('br')) line.attributes[VERSE_END] = '';
  }
}

function isLines(poem: HtmlElement): boolean {
  const lines = poem.children;
  if (poem.childNodes.some((node) => node.nodeType === 3 && node.data.trim() !== '')) return false;
  return lines.filter(({ textContent }) => textContent.trim() !== '').length > 1 && lines.every(isLine);
}

/** True for a poem's line. A line of spans is one only if all have a class, which shows them below each other. */
function isLine(line: HtmlElement): boolean {
  const { tag, attributes, textContent } = line;
  if (!LINE.test(tag) || textContent.trim().length > MAX_LINE_CHARS) return false;
  if (tag === 'span' && !LINE_NAME.test(attributes.class ?? '')) return false;
  if (line.children.filter((child) => LINE_NAME.test(child.attributes.class ?? '')).length > 1) return false;
  const isBlank = textContent.trim() === '';
  return [...elementsIn(line)].every((node) => !BLOCK_TAGS.has(node.tag) && (isBlank || node.tag !== 'br'));
}

/** Puts successive lines into one paragraph. A line without text ends a stanza. */
function joinLines(poem: HtmlElement): void {
  let stanza: HtmlElement | undefined;
  for (const line of poem.children) {
    if (line.textContent.trim() === '' || DATE.test(line.attributes.class ?? '')) {
      stanza = undefined;
      continue;
    }
    if (stanza) {
      stanza.appendChild(new HtmlElement('br', {}, stanza.depth + 1));
      moveChildren(line, stanza);
      poem.removeChild(line);
    } else stanza = line;
  }
}

function keepDate(poem: HtmlElement): void {
  const after = shownSibling(poem, 'nextSibling');
  for (const node of [...poem.children, after])
    if (
      node?.nodeType === 1 &&
      DATE.test(node.attributes.class ?? '') &&
      node.textContent.length <= MAX_DATE_CHARS
    )
      delete node.attributes.class;
}

function breakPre(pre: HtmlElement): HtmlElement {
  const paragraph = retag(pre, 'p');
  const texts = [...descendants(paragraph)].filter((node): node is HtmlText => node.nodeType === 3);
  let left = MAX_BREAKS;
  for (const text of texts) left -= breakLines(text, left);
  return paragraph;
}
