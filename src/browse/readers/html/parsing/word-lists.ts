import {
  createElement,
  descendants,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  moveChildren,
  removeNode,
} from './node.ts';
import { shownSibling } from './relations.ts';

interface Item {
  readonly paragraph: HtmlElement;
  readonly level: number;
  readonly mark: string;
}

interface OpenList {
  readonly level: number;
  readonly list: HtmlElement;
}

const CLASS = /MsoList/;
const LEVEL = /mso-list:[^;]{0,40}\blevel([1-9])/i;
const IGNORED = /mso-list:\s{0,9}ignore/i;
const MARGIN = /margin(?:-left)?:[^;]{0,60}?([\d.]{1,9})(pt|in|cm|px)\s{0,9}(?:;|$)/i;
const POINTS: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 28.3, px: 0.75 };
const LEVEL_POINTS = 36;
/** List marks that Markdown can show: numbers, and bullets of Word's fonts. Marks such as `iv)` stay text. */
const SIGNS = String.raw`[·•●○◦▪■□§Øüvqo–-]|\d{1,3}[.)]`;
const MARK = new RegExp(String.raw`^\s{0,9}(${SIGNS})\s{0,20}\u00a0\s{0,200}`, 'i');
const WHOLE_MARK = new RegExp(`^(?:${SIGNS}|[^\\p{L}\\p{N}])$`, 'iu');
const NUMBER = /(\d{1,3})[.)]$/;

/** Matches class names by which editors say the level of an item, counted from 0, or of a whole list. */
const NAMED_LEVEL = /(?:^|\s)(?:lst-kix_\S{1,60}|ql-indent)-(\d)(?=\s|$)/;

/** Nests the items of lists that stand after each other and whose levels only class names say. */
function nestItems(root: HtmlElement): void {
  const open: HtmlElement[] = [];
  const left = new Map<HtmlElement, number>();
  for (const item of root.getElementsByTagName('li')) {
    const { parentNode: list, attributes } = item;
    if (!list) continue;
    const before = open[0]?.parentNode;
    if (list !== before && shownSibling(list, 'previousSibling') !== before) open.length = 0;
    const level = NAMED_LEVEL.exec(`${attributes.class} ${list.attributes.class}`)?.[1] ?? 0;
    open.length = Math.min(open.length, Number(level));
    const outer = open.at(-1);
    open.push(item);
    if (!outer) continue;
    const { lastChild: last } = outer;
    const inner = last?.nodeType === 1 && last.tag === list.tag ? last : createElement(list.tag, item.depth);
    if (inner !== last) outer.appendChild(inner);
    removeNode(item);
    inner.appendChild(item);
    left.set(list, (left.get(list) ?? list.children.length + 1) - 1);
    const { previousSibling: blank } = list;
    if (left.get(list) !== 0) continue;
    removeNode(list);
    // Without the white space before it, the next list is a sibling of the first at once.
    if (blank?.nodeType === 3 && blank.data.trim() === '') removeNode(blank);
  }
}

export function buildOfficeLists(root: HtmlElement, html: string): void {
  if (/lst-kix_|ql-indent/.test(html)) nestItems(root);
  if (!CLASS.test(html) && !html.includes('mso-list')) return;
  const items = [...elementsIn(root)].flatMap((element) => itemOf(element) ?? []);
  const open: OpenList[] = [];
  for (const one of items) {
    const { paragraph, mark } = one;
    if (!isBehind(paragraph, open[0]?.list)) open.length = 0;
    const number = NUMBER.exec(mark)?.[1];
    const item = createElement('li', paragraph.depth);
    if (number !== undefined) item.attributes.value = number;
    const list = listFor(one, number === undefined ? 'ul' : 'ol', open);
    moveChildren(paragraph, item);
    list.appendChild(item);
    removeNode(paragraph);
  }
}

function listFor({ paragraph, level }: Item, tag: string, open: OpenList[]): HtmlElement {
  while (open.length > 1 && (open.at(-1)?.level ?? 0) > level) open.pop();
  const isOther = (one: OpenList | undefined) => one && one.level >= level && one.list.tag !== tag;
  if (isOther(open.at(-1))) open.pop();
  const last = open.at(-1);
  if (last && last.level >= level) return last.list;
  const list = createElement(tag, paragraph.depth);
  const outer = last?.list.lastChild;
  if (outer?.nodeType === 1) outer.appendChild(list);
  else paragraph.parentNode?.insertBefore(list, paragraph);
  open.push({ level, list });
  return list;
}

function itemOf(paragraph: HtmlElement): Item | undefined {
  const { tag, attributes } = paragraph;
  const level = LEVEL.exec(attributes.style ?? '')?.[1];
  if ((tag !== 'p' && tag !== 'div') || (level === undefined && !CLASS.test(attributes.class ?? '')))
    return undefined;
  const ignored = [...elementsIn(paragraph)].find(({ attributes }) => IGNORED.test(attributes.style ?? ''));
  const [whole = '', sign = ''] = ignored ? [] : (MARK.exec(paragraph.textContent) ?? []);
  const mark = ignored ? ignored.textContent.trim() : sign;
  if (!WHOLE_MARK.test(mark)) return undefined;
  if (ignored) removeNode(ignored);
  else dropStart(paragraph, whole.length);
  const [, margin = '', unit = ''] = MARGIN.exec(attributes.style ?? '') ?? [];
  const points = Number(margin) * (POINTS[unit.toLowerCase()] ?? 1);
  return { paragraph, mark, level: Number(level) || Math.max(1, Math.round(points / LEVEL_POINTS)) };
}

function dropStart(paragraph: HtmlElement, count: number): void {
  let left = count;
  for (const node of [...descendants(paragraph)]) {
    if (left <= 0) return;
    if (node.nodeType !== 3) continue;
    const { length } = node.data;
    if (length > left) node.data = node.data.slice(left);
    else removeNode(node);
    left -= length;
  }
}

/** True if only white space is between list and paragraph. Removes it, so that it is checked only once. */
function isBehind({ previousSibling }: HtmlElement, list: HtmlElement | undefined): boolean {
  const blanks: HtmlNode[] = [];
  let node = previousSibling;
  for (; node?.nodeType === 3 && node.data.trim() === ''; node = node.previousSibling) blanks.push(node);
  if (!node || node !== list) return false;
  for (const blank of blanks) removeNode(blank);
  return true;
}
