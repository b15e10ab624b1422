import { lettersOf } from '../../../../lib/text/letters.ts';
import { elementsIn, HtmlElement, type HtmlNode, HtmlText, removeNode, retag, wrapChildren } from './node.ts';
import { shownSibling } from './relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from './tags.ts';

const TABLE_ROLE = /^(?:table|(?:tree)?grid)$/;
const PART_TAGS: ReadonlyMap<string, string> = new Map([
  ['rowgroup', 'tbody'],
  ['row', 'tr'],
  ['columnheader', 'th'],
  ['rowheader', 'th'],
  ['cell', 'td'],
  ['gridcell', 'td'],
]);
const HOLDER = /^(?:div|span|p|section|a|[a-z]{1,20}-[a-z-]{1,40})$/;
const MAX_HEADING_CHARS = 200;
const MAX_LABEL_CHARS = 2000;
const MAX_LINES = 100;

/** Gives elements the tags that their roles name, and pictures and letters the texts that only attributes say. */
export function applyRoles(root: HtmlElement, html: string): void {
  if (/role\s{0,3}=|aria-label\s{0,3}=/i.test(html))
    for (const node of [...elementsIn(root)]) applyRole(node);
  for (const picture of root.getElementsByTagName('picture')) giveSource(picture);
  // Old forums put each quote into a cell of a table.
  for (const cell of root.getElementsByTagName('td'))
    if (cell.attributes.class === 'quote') wrapChildren(cell, 'blockquote');
}

function applyRole(node: HtmlElement): void {
  const { role, 'aria-label': label = '', style = '' } = node.attributes;
  const tag = role === undefined || !HOLDER.test(node.tag) ? undefined : tagOf(node, role);
  if (tag !== undefined) retag(node, tag);
  else if (role === 'img' && label !== '' && node.firstChild === null && style.includes('url('))
    node.parentNode?.replaceChild(
      new HtmlElement('img', { alt: label, src: backgroundIn(style) }, node.depth),
      node,
    );
  else if (label !== '' && label.length <= MAX_LABEL_CHARS && isSpelled(node, label)) {
    for (const child of node.firstChild ? node.childNodes : linesAfter(node)) removeNode(child);
    node.appendChild(new HtmlText(label));
  }
}

function tagOf(node: HtmlElement, role: string): string | undefined {
  const { tag, attributes, textContent } = node;
  if (role === 'heading') {
    const level = Number(attributes['aria-level'] ?? 2);
    const isAlone =
      BLOCK_TAGS.has(tag) || (!shownSibling(node, 'previousSibling') && !shownSibling(node, 'nextSibling'));
    const isPlain = textContent.length <= MAX_HEADING_CHARS && ![...elementsIn(node)].some(isBlock);
    return isAlone && isPlain && level >= 1 && level <= 6 ? `h${Math.floor(level)}` : undefined;
  }
  if (role === 'list') return isPlainList(node) ? 'ul' : undefined;
  if (role === 'listitem') return node.parentNode?.tag === 'ul' ? 'li' : undefined;
  if (!TABLE_ROLE.test(role)) return undefined;
  const parts = [...elementsIn(node)].filter(({ attributes }) => PART_TAGS.has(attributes.role ?? ''));
  if (parts.length < 2 || !parts.every((part) => isPlaced(part, node))) return undefined;
  for (const part of parts) retag(part, PART_TAGS.get(part.attributes.role ?? '') ?? part.tag);
  return 'table';
}

/** True if a row stands in a table or a group of its rows, and a cell in a row, with nothing between them. */
function isPlaced({ tag, attributes: { role }, parentNode: parent }: HtmlElement, table: HtmlElement) {
  if (!HOLDER.test(tag)) return false;
  if (role === 'rowgroup' || (role === 'row' && parent === table)) return parent === table;
  return parent?.attributes.role === (role === 'row' ? 'rowgroup' : 'row');
}

const isBlock = ({ tag }: HtmlElement): boolean => BLOCK_TAGS.has(tag);

/** True for a list of lines. Lists of boxes, such as cards, are more than that. */
function isPlainList(list: HtmlElement): boolean {
  const items = list.children;
  return (
    items.length > 1 &&
    items.every((item) => item.attributes.role === 'listitem' && ![...elementsIn(item)].some(isBlock))
  );
}

function backgroundIn(style: string): string {
  return /url\(\s{0,9}["']?([^"')]{1,2000})/i.exec(style)?.[1] ?? '';
}

/** True if letters of a text are elements, for an animation, and a label says the text for screen readers. */
function isSpelled(node: HtmlElement, label: string): boolean {
  if (!HEADING_TAGS.has(node.tag) && !HOLDER.test(node.tag)) return false;
  const parts = node.firstChild ? node.childNodes : linesAfter(node);
  if (!parts.some(isSkipped)) return false;
  return lettersOf(parts.map(({ textContent }) => textContent).join('')) === lettersOf(label);
}

const isSkipped = (node: HtmlNode) => node.nodeType === 1 && node.attributes['aria-hidden'] === 'true';

/** Returns the lines of a paragraph that stand after it, since boxes end a paragraph. */
function linesAfter(paragraph: HtmlElement): readonly HtmlNode[] {
  const lines: HtmlNode[] = [];
  let at = shownSibling(paragraph, 'nextSibling');
  for (; at && isSkipped(at) && lines.length < MAX_LINES; at = shownSibling(at, 'nextSibling'))
    lines.push(at);
  return lines;
}

/** Gives the picture in a `<picture>` the address of a source, if its own is only a placeholder. */
function giveSource(picture: HtmlElement): void {
  const [image] = picture.getElementsByTagName('img');
  if (
    !image ||
    !/^(?:data:|$)/.test(image.attributes.src ?? '') ||
    image.attributes['data-src'] !== undefined
  )
    return;
  const sources = picture
    .getElementsByTagName('source')
    .map(({ attributes }) => attributes.srcset ?? attributes['data-srcset']);
  image.attributes['data-srcset'] ??= sources.find(Boolean) ?? '';
}
