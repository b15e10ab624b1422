import { elementsIn, type HtmlElement, type HtmlNode, HtmlText, nextNode } from '../parsing/node.ts';
import { isSpoken } from './drop-invisible.ts';

const CELL = /^(?:td|th|li|dd)$/;
const CONTENT = /^(?:a|img|input|button|select|textarea|video|audio|iframe|object|pre|table|ul|ol)$/;
const ICON_NAME = /(?:^|[\s_-])(?:icons?|glyphicon|fa[bsrl]?|bi|material-symbols\w*|mdi)(?=[\s_-]|$)/i;
/** Matches titles that programs for drawing write into their pictures. */
const DRAWN = /^(?:layer|group|path|shape|fill|icon|artboard|asset|rectangle|untitled)[\s_-]{0,3}\d{0,6}$/i;
const LIGATURE = /^[a-z_]{2,40}$/;
const MAX_TEXT_CHARS = 60;
const MAX_NODES = 60;

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
