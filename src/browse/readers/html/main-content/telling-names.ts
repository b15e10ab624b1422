import { elementsIn, type HtmlElement, type PagePart } from '../parsing/node.ts';
import { isClearlyBoilerplate, partWord, readElementNames } from '../visibility/page-parts.ts';
import { isControl } from './page-controls.ts';

/** Minimum share of the page's text in the boxes of one name, if they are content in spite of the name. */
export const MUCH_SHARE = 0.4;
/** A box with much of the text is content if all other prose has fewer characters than this. */
export const BESIDE_CHARS = 220;
/** A box with a smaller share of such text is a menu, whatever others of its name are. */
const OWN_SHARE = 0.2;
const MENU = /^(?:nav|menus?)-?$/;
const MENU_LINK_SHARE = 0.1;

/** Names that suggest boilerplate but on this page are those of its content. */
export type TellingNames = ReadonlySet<string>;

interface NamedBoxes {
  readonly word: string;
  told: number;
  chars: number;
  linkChars: number;
  paragraphs: number;
  doubtful: boolean;
}

/** Finds the names whose boxes together hold much of the page's text. `countText()` must have counted it. */
export function findTellingNames(root: HtmlElement): TellingNames {
  const groups = new Map<string, NamedBoxes>();
  collect(root, groups, new Set());
  const telling = [...groups].filter(([, boxes]) => isMuch(boxes, root));
  return new Set(telling.map(([name]) => name));
}

function collect(element: HtmlElement, groups: Map<string, NamedBoxes>, open: ReadonlySet<string>): void {
  for (const node of element.children) {
    if (node.told === 0) continue;
    const word = partWord(node);
    const name = word === undefined ? '' : nameOf(node);
    if (word !== undefined && !open.has(name)) {
      let boxes = groups.get(name);
      if (!boxes) {
        boxes = { word, told: 0, chars: 0, linkChars: 0, paragraphs: 0, doubtful: false };
        groups.set(name, boxes);
      }
      boxes.told += node.told;
      boxes.chars += node.chars;
      boxes.linkChars += node.linkChars;
      boxes.paragraphs += node.paragraphs;
      boxes.doubtful ||= isClearlyBoilerplate(node) && asksSomething(node);
    }
    collect(node, groups, name === '' ? open : new Set([...open, name]));
  }
}

function isMuch(
  { word, told, chars, linkChars, paragraphs, doubtful }: NamedBoxes,
  root: HtmlElement,
): boolean {
  if (told < root.told * MUCH_SHARE || doubtful) return false;
  return (
    root.paragraphs - paragraphs < BESIDE_CHARS || (MENU.test(word) && linkChars <= chars * MENU_LINK_SHARE)
  );
}

/** Returns the names of an element without digits, because pages number what is alike, as in `ad-1`. */
function nameOf(element: HtmlElement): string {
  return readElementNames(element).replace(/\d+/g, '');
}

/** True for a box with a telling name, or for a part of such a box that has the same word and says something. */
export function tells(node: HtmlElement, part: PagePart, telling: TellingNames): boolean {
  if (telling.size === 0 || part === '' || part === 'caption' || node.told < node.chars * OWN_SHARE)
    return false;
  const word = partWord(node);
  if (word === undefined) return false;
  if (telling.has(nameOf(node))) return true;
  for (let at = node.parentNode; at && at.part === ''; at = at.parentNode)
    if (partWord(at) === word && telling.has(nameOf(at))) return true;
  return false;
}

/** True for a box with fields or buttons, as a dialog has them. */
export function asksSomething(box: HtmlElement): boolean {
  return box.controls > 0 || [...elementsIn(box)].some(isControl);
}
