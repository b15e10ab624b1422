import { isAnswer } from '../main-content/boilerplate-lines.ts';
import { isControl } from '../main-content/page-controls.ts';
import { elementsIn, type HtmlElement, isWithin, type PagePart } from '../parsing/node.ts';
import { isClearlyBoilerplate, partWord, readElementNames } from './page-parts.ts';

/** Minimum share of the page's text in the boxes of one name, if they are content in spite of the name. */
export const MUCH_SHARE = 0.4;
/** A box with a smaller share of text beside its links is a menu, whatever others of its name are. */
const OWN_SHARE = 0.2;
/** A box with much of the text is content if all other prose has fewer characters than this. */
export const BESIDE_CHARS = 220;
/** Boxes of one name beyond this number are entries of a list, and their names say what they are. */
const MAX_BOXES = 12;
const MENU = /^(?:nav|menus?)$/;
const MENU_LINK_SHARE = 0.1;

/** Returns the names that suggest boilerplate but whose boxes together hold much of what this page says. */
export function findMisnamedBoxes(root: HtmlElement): ReadonlySet<string> {
  const groups = new Map<string, HtmlElement[]>();
  for (const box of elementsIn(root)) {
    if (box.unlinkedChars === 0 || partWord(box) === undefined) continue;
    const boxes = groups.get(nameOf(box));
    const last = boxes?.at(-1);
    if (!boxes) groups.set(nameOf(box), [box]);
    else if (!last || !isWithin(box, last)) boxes.push(box);
  }
  return new Set([...groups.keys()].filter((name) => isMuch(groups.get(name) ?? [], root)));
}

function isMuch(boxes: readonly HtmlElement[], root: HtmlElement): boolean {
  const sum = (of: 'unlinkedChars' | 'chars' | 'linkChars' | 'paragraphs') =>
    boxes.reduce((all, box) => all + box[of], 0);
  if (sum('unlinkedChars') < root.unlinkedChars * MUCH_SHARE || boxes.some(isAskingFrame)) return false;
  const told = sum('paragraphs');
  const beside = root.paragraphs - told;
  if (beside <= told && beside < BESIDE_CHARS && boxes.length <= MAX_BOXES) return true;
  return (
    sum('linkChars') <= sum('chars') * MENU_LINK_SHARE && boxes.every((box) => MENU.test(partWord(box) ?? ''))
  );
}

/** Returns the names of an element without digits, because pages number what is alike, as in `ad-1`. */
const nameOf = (element: HtmlElement): string => readElementNames(element).replace(/\d+/g, '');

/** True for a box with a misleading name, or for a part of such a box that has the same word and says something. */
export function isMisnamed(node: HtmlElement, part: PagePart, misnamed: ReadonlySet<string>): boolean {
  if (misnamed.size === 0 || part === '' || part === 'caption' || node.unlinkedChars < node.chars * OWN_SHARE)
    return false;
  const word = partWord(node);
  if (word === undefined) return false;
  for (let at: HtmlElement | null = node; at && (at === node || at.part === ''); at = at.parentNode)
    if (partWord(at) === word && misnamed.has(nameOf(at))) return true;
  return false;
}

/** True for a dialog, a request for consent and the like, with a control that answers. */
export const isAskingFrame = (box: HtmlElement): boolean => isClearlyBoilerplate(box) && asksSomething(box);

export function asksSomething(box: HtmlElement): boolean {
  const isAsking = (one: HtmlElement) => one.asks || (isControl(one) && isAnswer(one.textContent));
  return [box, ...elementsIn(box)].some(isAsking);
}
