import { mapWordsToKeys } from '../../../../lib/text/word-table.ts';
import { FORMULA_TAG } from '../formulas/formula.ts';
import { FOOTNOTE_TAG, REFERENCE_TAG } from '../notes/notes.ts';
import { descendants, elementsIn, HtmlElement, type HtmlNode, HtmlText } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { collapseWhiteSpace } from '../parsing/white-space.ts';
import { CALLOUT_SIGN_TAG } from './callouts.ts';
import { escapeInlineMarkup, escapeLineStart } from './escape.ts';
import { numberOf } from './list-numbers.ts';
import { countHeads, type HtmlRow, isLayout, linesOf, rowsOf } from './tables.ts';

const MAX_DEPTH = 12;

const MARKS = mapWordsToKeys({
  a: 'a',
  strong: 'b strong',
  em: 'i em cite dfn',
  code: 'code kbd samp tt',
  del: 'del s strike',
  sub: 'sub',
  sup: 'sup',
  q: 'q',
});

interface NestedBlock {
  readonly block: HtmlElement;
  readonly depth: number;
}

/** Returns a flat copy with only what Markdown can express, because Turndown is slow on deep trees. */
export function simplifyForMarkdown(root: HtmlElement): HtmlElement {
  const result = new HtmlElement('div');
  new Copier(root).fill(root, { block: result, depth: 0 });
  return result;
}

class Copier {
  readonly #blocky = new Set<HtmlElement>();
  readonly #broken = new Set<HtmlElement>();
  #paragraph: HtmlElement | undefined;
  /** Open formatting elements, outermost first. Each line of Markdown inside must repeat their formatting. */
  readonly #open: HtmlElement[] = [];
  /** Names of the open formatting marks, each with a space after it. In a table cell, `IN_CELL` is first. */
  #around = '';
  /** Number or bullet of a list item in a table cell. The next line begins with this sign. */
  #itemSign = '';

  constructor(root: HtmlElement) {
    findInlineBoxes(root, this.#blocky, this.#broken);
  }

  fill(element: HtmlElement, place: NestedBlock): void {
    for (let node = element.firstChild; node; node = node.nextSibling) this.#add(node, place);
  }

  #line({ block }: NestedBlock): HtmlElement {
    if (this.#paragraph?.parentNode !== block) {
      this.#paragraph = new HtmlElement('p');
      block.appendChild(this.#paragraph);
      if (this.#itemSign) this.#paragraph.appendChild(new HtmlText(this.#itemSign));
      this.#itemSign = '';
    }
    let line = this.#paragraph;
    for (const node of this.#open) {
      const { lastChild: last } = line;
      const isOpen = last?.nodeType === 1 && last.source === node;
      const made = isOpen ? last : new HtmlElement(MARKS.get(node.tag) ?? 'em', node.attributes);
      made.source = node;
      if (!isOpen) line.appendChild(made);
      line = made;
    }
    return line;
  }

  #endsWithBreak(): boolean {
    let last = this.#paragraph?.lastChild;
    for (const node of this.#open) if (last?.nodeType === 1 && last.source === node) last = last.lastChild;
    while (last?.nodeType === 3 && last.data.trim() === '') last = last.previousSibling;
    return isBreak(last);
  }

  #add(node: HtmlNode, place: NestedBlock): void {
    if (node.nodeType === 3) {
      this.#addText(node.data, place);
      return;
    }
    const { tag } = node;
    const displayed =
      tag === FORMULA_TAG && node.attributes.display === 'block' && !this.#around.includes(IN_CELL);
    // Pages without `<p>` separate paragraphs by two line breaks, even in bold text.
    if (tag === 'br' && this.#endsWithBreak()) {
      this.#paragraph = undefined;
      return;
    }
    const isBlock = BLOCK_TAGS.has(tag) || tag === FOOTNOTE_TAG || this.#blocky.has(node) || displayed;
    if (!isBlock && !this.#broken.has(node)) {
      if (this.#paragraph?.parentNode === place.block || !isBlank(node)) {
        addMarked(node, this.#line(place), this.#around);
        const last = this.#paragraph?.lastChild;
        if (tag !== 'br' && isBreak(last) && isBreak(last?.previousSibling)) this.#paragraph = undefined;
      }
      return;
    }
    if (isBlock) this.#paragraph = undefined;
    this.#addOpen(node, place);
    if (isBlock) this.#paragraph = undefined;
  }

  #addOpen(node: HtmlElement, place: NestedBlock): void {
    const around = this.#around;
    const mark = markAround(node);
    const isNew = mark !== undefined && !around.includes(`${mark} `);
    if (isNew) this.#around += `${mark} `;
    if (isNew) this.#open.push(node);
    this.#addBlock(node, place);
    if (isNew) this.#open.pop();
    this.#around = around;
  }

  #addText(data: string, place: NestedBlock): void {
    const text = collapseWhiteSpace(data);
    if (text === '' || (text === ' ' && !this.#paragraph)) return;
    addText(text, this.#line(place), this.#around);
  }

  #addBlock(node: HtmlElement, { block, depth }: NestedBlock): void {
    const { tag } = node;
    const nests = depth < MAX_DEPTH;
    if (tag === 'hr') block.appendChild(new HtmlElement('hr'));
    else if (tag === 'pre' && this.#around.includes(IN_CELL)) addCode(node, block);
    else if (tag === 'pre' || tag === FORMULA_TAG) block.appendChild(keep(node));
    else if (HEADING_TAGS.has(tag) || tag === 'summary' || tag === 'dt') addHeading(node, block);
    else if (tag === 'table') this.#addTable(node, { block, depth });
    else if (nests && LISTS.has(tag) && block.tag === 'li' && !block.firstChild && isSingle(node))
      this.fill(node, { block, depth });
    else if (nests && LISTS.has(tag)) this.#addList(node, { block, depth: depth + 1 });
    else if (tag === 'li' && this.#around.includes(IN_CELL)) {
      this.#itemSign = signOf(node);
      this.fill(node, { block, depth });
      this.#itemSign = '';
    } else if (nests && QUOTES.has(tag)) this.#addFilled(node, tag, { block, depth: depth + 1 });
    else if (tag === FOOTNOTE_TAG) this.#addFilled(node, FOOTNOTE_TAG, { block, depth });
    else this.fill(node, { block, depth });
  }

  #addFilled(node: HtmlElement, tag: string, { block, depth }: NestedBlock): void {
    const made = new HtmlElement(tag, node.attributes);
    made.source = node;
    block.appendChild(made);
    this.fill(node, { block: made, depth });
    if (!made.firstChild) block.removeChild(made);
  }

  #addList(node: HtmlElement, { block, depth }: NestedBlock): void {
    const list = new HtmlElement(node.tag === 'ol' ? 'ol' : 'ul', node.attributes);
    block.appendChild(list);
    let item: HtmlElement | undefined;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      this.#paragraph = undefined;
      if (child.nodeType === 1 && child.tag === 'li') {
        this.#addFilled(child, 'li', { block: list, depth });
        item = list.lastChild?.nodeType === 1 ? list.lastChild : undefined;
      } else if (child.nodeType === 1 || child.data.trim() !== '') {
        item ??= appendItem(list);
        this.#add(child, { block: item, depth });
      }
    }
    this.#paragraph = undefined;
    if (!list.firstChild) block.removeChild(list);
  }

  #addTable(node: HtmlElement, place: NestedBlock): void {
    const rows = rowsOf(node);
    if (this.#around.includes(IN_CELL)) {
      addRows(rows, place.block);
      return;
    }
    if (isLayout(node, rows)) {
      this.fill(node, place);
      return;
    }
    const table = new HtmlElement('table');
    const around = this.#around;
    for (const child of node.children) if (child.tag === 'caption') this.fill(child, place);
    place.block.appendChild(table);
    const heads = countHeads(rows);
    for (const [at, { cells, head }] of rows.entries()) {
      const row = new HtmlElement(at < heads ? 'thead' : 'tbody');
      const line = new HtmlElement('tr');
      table.appendChild(row);
      row.appendChild(line);
      for (const cell of cells) {
        const made = new HtmlElement(head && at >= heads ? 'td' : cell.tag, cell.attributes);
        line.appendChild(made);
        this.#paragraph = undefined;
        this.#around = IN_CELL + around;
        this.fill(cell, { block: made, depth: MAX_DEPTH });
        this.#around = around;
      }
    }
  }
}

function addCode(node: HtmlElement, block: HtmlElement): void {
  const paragraph = new HtmlElement('p');
  for (const line of linesOf(node)) {
    if (paragraph.firstChild) paragraph.appendChild(new HtmlElement('br'));
    const code = new HtmlElement('code');
    code.appendChild(new HtmlText(line));
    if (line.trim()) paragraph.appendChild(code);
  }
  block.appendChild(paragraph);
}

function addRows(rows: readonly HtmlRow[], block: HtmlElement): void {
  for (const { cells } of rows) {
    const line = new HtmlElement('p');
    for (const cell of cells) {
      if (isBlank(cell)) continue;
      if (line.firstChild) line.appendChild(new HtmlText(' · '));
      addInline(cell, line, '');
    }
    if (line.firstChild) block.appendChild(line);
  }
}

/** Formatting of a longer block is ignored, because its end tag is probably missing. */
const MAX_MARKED_CHARS = 4000;
const UNMARKED = /font-(?:weight|style)\s{0,9}:\s{0,9}(?:normal|400)/i;

function markAround(node: HtmlElement): string | undefined {
  const mark = MARKS.get(node.tag) ?? '';
  if (mark === 'a' || mark === 'del') return mark;
  const isMark = MERGED.has(mark) && node.tag !== 'cite' && !UNMARKED.test(node.attributes.style ?? '');
  return isMark && !isLong(node) ? mark : undefined;
}

function isLong(node: HtmlElement): boolean {
  let chars = 0;
  for (const one of descendants(node)) {
    chars += one.nodeType === 3 ? one.data.length : 1;
    if (chars > MAX_MARKED_CHARS) return true;
  }
  return false;
}

function signOf(item: HtmlElement): string {
  const { parentNode: list } = item;
  if (list?.tag === 'ol') return `${numberOf(item, list)}. `;
  return list && LISTS.has(list.tag) && !isSingle(list) ? '- ' : '';
}

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'menu', 'dir']);
const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'dd']);

function isSingle(list: HtmlElement): boolean {
  let shown = 0;
  for (const child of list.children) {
    if (!isBlank(child)) shown++;
    if (shown > 1) return false;
  }
  return true;
}

function addHeading(node: HtmlElement, block: HtmlElement): void {
  const heading = new HtmlElement(node.tag, node.attributes);
  addInline(node, heading, 'strong ');
  if (heading.firstChild) block.appendChild(heading);
}

function appendItem(list: HtmlElement): HtmlElement {
  const item = new HtmlElement('li');
  list.appendChild(item);
  return item;
}

function addInline(node: HtmlElement, parent: HtmlElement, around: string): void {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3) {
      const text = collapseWhiteSpace(child.data);
      if (text) addText(text, parent, around);
    } else addMarked(child, parent, around);
  }
}

function addText(text: string, parent: HtmlElement, around: string): void {
  const { lastChild: last } = parent;
  const first = last === null ? around === '' : last.nodeType === 1 && last.tag === 'br';
  const inline = around.includes('code ') ? text : escapeInlineMarkup(text);
  const ends = last?.nodeType === 3 && last.data.endsWith(']') && inline.startsWith('(');
  const own = first ? escapeLineStart(inline.trimStart()) : ends ? `\\${inline}` : inline;
  const glued = endsWithPicture(last) && /^[\p{L}\p{N}]/u.test(own);
  if (own !== '') parent.appendChild(new HtmlText(glued ? ` ${own}` : own));
}

function endsWithPicture(node: HtmlNode | null): boolean {
  let at = node;
  while (at?.nodeType === 1 && at.tag !== 'img') at = at.lastChild;
  return at?.nodeType === 1;
}

/** In `around`, marks the text of a table cell. The text does not begin a line, so `#` is not escaped. */
const IN_CELL = 'cell ';
const MERGED: ReadonlySet<string> = new Set(['strong', 'em', 'del']);

function addMarked(node: HtmlElement, parent: HtmlElement, around: string): void {
  const { tag } = node;
  if (tag === CALLOUT_SIGN_TAG) parent.appendChild(new HtmlText(node.textContent));
  if (tag === 'rp' || tag === CALLOUT_SIGN_TAG) return;
  if (tag === 'rt') addReading(node, parent, around);
  else if (tag === 'br' && around.includes('code ')) parent.appendChild(new HtmlText(' '));
  else if (tag === 'br' || tag === 'img') {
    const made = new HtmlElement(tag, node.attributes);
    parent.appendChild(made);
    // Adds a caption that has links. `IN_CELL` applies, because the caption does not begin a line.
    if (node.source) addInline(node.source, made, `${around}${IN_CELL}`);
  } else if (tag === FORMULA_TAG || tag === REFERENCE_TAG || tag === 'pre') parent.appendChild(keep(node));
  else {
    const mark = MARKS.get(tag);
    if (mark !== undefined && !around.includes(`${mark} `)) addMark(node, mark, parent, around);
    else {
      addInline(node, parent, around);
      if (isDisplayed(node)) parent.appendChild(new HtmlText(' '));
    }
  }
}

function addMark(node: HtmlElement, mark: string, parent: HtmlElement, around: string): void {
  const last = markBefore(parent, mark);
  const made =
    last?.nodeType === 1 && last.tag === mark && MERGED.has(mark)
      ? last
      : new HtmlElement(mark, node.attributes);
  made.source ??= node;
  // Passes `quoted` instead of `q`, so that a quotation inside this one also gets quotation marks.
  addInline(node, made, `${around}${mark === 'q' ? 'quoted' : mark} `);
  if (mark !== 'code') moveOut(made, parent);
  else if (made.firstChild) {
    if (last?.nodeType === 1 && last.tag === 'code') parent.appendChild(new HtmlText(' '));
    parent.appendChild(made);
  }
}

/** Returns the node before a new `mark`. In `**a** **b**`, moves the space into the first mark: `**a b**`. */
function markBefore(parent: HtmlElement, mark: string): HtmlNode | null {
  const { lastChild: last } = parent;
  if (last?.nodeType !== 3 || last.data !== ' ' || !MERGED.has(mark)) return last;
  const { previousSibling: before } = last;
  if (before?.nodeType !== 1 || before.tag !== mark) return last;
  parent.removeChild(last);
  before.appendChild(last);
  return before;
}

function isBreak(node: HtmlNode | null | undefined): boolean {
  return node?.nodeType === 1 && node.tag === 'br';
}

function moveOut(mark: HtmlElement, parent: HtmlElement): void {
  const move = (node: HtmlNode | null) => {
    if (!node) return;
    mark.removeChild(node);
    parent.appendChild(node);
  };
  while (isBreak(mark.firstChild)) move(mark.firstChild);
  let breaks = 0;
  while (isBreak(mark.lastChild) && mark.lastChild) {
    mark.removeChild(mark.lastChild);
    breaks++;
  }
  if (MERGED.has(mark.tag) && mark.children.length === 0 && !/[\p{L}\p{N}]/u.test(mark.textContent)) {
    const { lastChild: last } = parent;
    const [first] = mark.childNodes;
    if (first?.nodeType === 3 && (last === null || isBreak(last))) first.data = escapeLineStart(first.data);
    for (const child of mark.childNodes) move(child);
  } else if (mark.firstChild && !mark.parentNode) parent.appendChild(mark);
  for (; breaks > 0; breaks--) parent.appendChild(new HtmlElement('br'));
}

function addReading(node: HtmlElement, parent: HtmlElement, around: string): void {
  if (isBlank(node)) return;
  parent.appendChild(new HtmlText('('));
  addInline(node, parent, around);
  parent.appendChild(new HtmlText(')'));
}

function keep(node: HtmlElement): HtmlElement {
  const copy = new HtmlElement(node.tag, node.attributes);
  copy.source = node;
  copy.appendChild(new HtmlText(node.tag === FORMULA_TAG ? node.textContent : node.tag));
  return copy;
}

const SHOWN: ReadonlySet<string> = new Set(['img', FORMULA_TAG, REFERENCE_TAG]);

function isBlank(element: HtmlElement): boolean {
  if (SHOWN.has(element.tag)) return false;
  for (const node of descendants(element)) {
    if (node.nodeType === 3 ? node.data.trim() !== '' : SHOWN.has(node.tag)) return false;
  }
  return true;
}

const DISPLAYED = /(?:^|;)\s{0,9}display\s{0,9}:\s{0,9}(?:block|flex|grid|table|list-item|flow-root)\b/i;
/** Elements that are never split into paragraphs, even if they contain line breaks or blocks. */
const WHOLE = /^(?:code|kbd|samp|tt|sub|sup|q|ruby|button|label|pre|x-.{1,40})$/;

/** True for a block element, and for a `span` that its own style displays as a block. */
function isDisplayed(node: HtmlElement): boolean {
  const { tag, attributes, parentNode: parent } = node;
  // Forums show the name above a quote on a line of its own.
  if (tag === 'cite' && (parent?.tag === 'blockquote' || parent?.parentNode?.tag === 'blockquote'))
    return node.nextSibling !== null && shownSibling(node, 'previousSibling') === null;
  return BLOCK_TAGS.has(tag) || (tag === 'span' && DISPLAYED.test(attributes.style ?? ''));
}

function isMarkdownBlock({ tag, attributes }: HtmlElement): boolean {
  const isFormula = tag === FORMULA_TAG && attributes.display === 'block';
  return BLOCK_TAGS.has(tag) || tag === FOOTNOTE_TAG || isFormula;
}

/** Finds inline elements that contain blocks (`blocky`) or paragraphs split by two line breaks (`broken`). */
function findInlineBoxes(root: HtmlElement, blocky: Set<HtmlElement>, broken: Set<HtmlElement>): void {
  const whole = new Set<HtmlElement>();
  for (const node of elementsIn(root)) {
    const boxes = node.tag === 'br' ? broken : blocky;
    if (isMarkdownBlock(node)) for (const one of boxesAround(node, root, boxes)) boxes.add(one);
    else if (isDivider(node) && !(node.parentNode && whole.has(node.parentNode)))
      addDividedBoxes(node, root, boxes, whole);
  }
}

/** True for an element that is displayed as a block, and for the first of two successive line breaks. */
function isDivider(node: HtmlElement): boolean {
  return isDisplayed(node) || (node.tag === 'br' && isBreak(shownSibling(node, 'nextSibling')));
}

/** Adds to `boxes` the elements that `node` splits, and to `whole` the elements that must not be split. */
function addDividedBoxes(
  node: HtmlElement,
  root: HtmlElement,
  boxes: Set<HtmlElement>,
  whole: Set<HtmlElement>,
): void {
  const isShown = node.tag !== 'br';
  const around = [...(isShown ? [node] : []), ...boxesAround(node, root, boxes)];
  const within = around.slice(0, around.findLastIndex(({ tag }) => WHOLE.test(tag)) + 1);
  for (const one of within) whole.add(one);
  if (within.length > 0 || (isShown && around.some(({ tag }) => tag === 'a'))) return;
  for (const one of around) boxes.add(one);
}

function boxesAround(node: HtmlNode, root: HtmlElement, known: ReadonlySet<HtmlElement>): HtmlElement[] {
  const around: HtmlElement[] = [];
  let at = node.parentNode;
  for (; at && at !== root && !known.has(at) && !BLOCK_TAGS.has(at.tag); at = at.parentNode) around.push(at);
  return around;
}
