import { elementsIn, HtmlElement, type HtmlNode, HtmlText, nextNode, textsOf } from '../parsing/node.ts';
import { isSpoken } from './drop-invisible.ts';

const CELL = /^(?:td|th|li|dd)$/;
const CONTENT = /^(?:a|img|input|button|select|textarea|video|audio|iframe|object|pre|table|ul|ol)$/;
const ICON_NAME = /(?:^|[\s_-])(?:icons?|glyphicon|fa[bsrl]?|bi|material-symbols\w*|mdi)(?=[\s_-]|$)/i;
/** Matches titles that programs for drawing write into their pictures. */
const DRAWN = /^(?:layer|group|path|shape|fill|icon|artboard|asset|rectangle|untitled)[\s_-]{0,3}\d{0,6}$/i;
const LIGATURE = /^[a-z_]{2,40}$/;
const MAX_TEXT_CHARS = 60;
const MAX_NODES = 60;

const MIN_LABELS = 3;
const MAX_LABELS = 40;

/** Makes a drawing in the page a picture with what the drawing says. Icons, and drawings in links, stay out. */
export function placeDrawings(root: HtmlElement): void {
  for (const svg of root.getElementsByTagName('svg')) {
    const { 'aria-label': label, role, 'aria-hidden': skipped } = svg.attributes;
    if (skipped === 'true' || /^(?:presentation|none)$/.test(role ?? '')) continue;
    const around = new Set<string>();
    for (let at = svg.parentNode; at; at = at.parentNode) around.add(at.tag);
    if (['a', 'button', 'nav', 'svg'].some((tag) => around.has(tag))) continue;
    const said = [label ?? textsIn(svg, 'title')[0], textsIn(svg, 'desc')[0]].filter(isWord);
    const labels = new Set([...textsIn(svg, 'text'), ...textsIn(svg, 'foreignobject')].filter(isWord));
    if (said.length < 2 && labels.size < (around.has('figure') ? 1 - said.length : MIN_LABELS)) continue;
    const alt = said.length > 1 ? said : [...said, [...labels].slice(0, MAX_LABELS).join(' · ')];
    svg.parentNode?.replaceChild(
      new HtmlElement('img', { ...svg.attributes, alt: alt.filter(isWord).join(': ') }, svg.depth),
      svg,
    );
  }
}

const isWord = (text: string | undefined): text is string =>
  /\p{L}/u.test(text ?? '') && !DRAWN.test(text ?? '');
const textsIn = (svg: HtmlElement, tag: string): readonly string[] =>
  svg.getElementsByTagName(tag).map((one) => textsOf(one).join(' ').replace(/\s+/g, ' ').trim());

/** Writes the texts of icons that are all that a table cell or a list item shows. Icons that are links stay out. */
export function placeIconTexts(root: HtmlElement): void {
  for (const cell of elementsIn(root)) {
    if (!CELL.test(cell.tag) || !cell.parentNode || cell.parentNode.firstChild === cell.parentNode.lastChild)
      continue;
    const icons = iconsIn(cell);
    const spoken = icons.filter(([icon]) => isSpoken(icon));
    for (const [icon, text] of spoken.length > 0 ? spoken : icons)
      icon.parentNode?.replaceChild(new HtmlText(`${text} `), icon);
  }
}

/** Returns icons with their texts. Returns none for a cell that shows anything else. */
function iconsIn(cell: HtmlElement): readonly (readonly [icon: HtmlElement, text: string])[] {
  const icons: [HtmlElement, string][] = [];
  let nodes = 0;
  for (let node = nextNode(cell, cell); node; ) {
    if (++nodes > MAX_NODES || isContent(node)) return [];
    const text = node.nodeType === 3 ? undefined : textOf(node);
    if (node.nodeType === 1 && text) icons.push([node, text]);
    const isShown = node.nodeType === 3 || node.attributes['aria-hidden'] !== 'true';
    node = nextNode(node, cell, text === undefined && isShown);
  }
  return icons;
}

function isContent(node: HtmlNode): boolean {
  if (node.nodeType === 3) return node.data.trim() !== '';
  return CONTENT.test(node.tag) && (node.tag !== 'img' || node.attributes.alt !== '');
}

/** Returns the text of an icon, '' for an icon without one, or undefined if the element is not an icon. */
function textOf(element: HtmlElement): string | undefined {
  const words = (isSpoken(element) ? element.textContent : labelOf(element))?.replace(/\s+/g, ' ').trim();
  if (words === undefined) return undefined;
  return words.length <= MAX_TEXT_CHARS && /[\p{L}\p{N}]/u.test(words) && !DRAWN.test(words) ? words : '';
}

function labelOf(element: HtmlElement): string | undefined {
  const { tag, attributes } = element;
  const { class: names = '', 'aria-label': label, title } = attributes;
  if (tag === 'svg') return label ?? element.getElementsByTagName('title')[0]?.textContent ?? title ?? '';
  const said = label ?? title;
  if (said === undefined || !/^(?:i|span|em|b|div|abbr)$/.test(tag)) return undefined;
  const shown = element.textContent.trim();
  // Some icon fonts draw the icon of a word, for example of `check_circle`.
  const isIcon = shown === '' ? element.children.length === 0 : LIGATURE.test(shown) && ICON_NAME.test(names);
  return isIcon ? said : undefined;
}
