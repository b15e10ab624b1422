import type { NumberingReader } from './docx-numbers.ts';
import { escapeXmlText, insertAll, type XmlInsert } from './docx-xml.ts';

/** Unicode noncharacters, which occur in no text. They mark numbers and checkboxes in unfinished Markdown. */
const [LABEL, LABEL_END, BRACKET, TICKED, EMPTY] = ['\ufdd0', '\ufdd1', '\ufdd2', '\ufdd3', '\ufdd4'];

const PARAGRAPHS =
  /<(\/?)w:(p|pPr|pStyle|numPr|ilvl|numId|pPrChange|del|moveFrom|t|sym|pict|object|drawing|fldChar)(?: [^<>]*)?>/g;

interface OpenParagraph {
  readonly properties: { style?: string; numId?: string; level?: string };
  inProperties: boolean;
  /** True while the parser is inside the properties that a tracked change replaced. */
  inOld: boolean;
  isDeleted: boolean;
  hasContent: boolean;
  /** Indexes in the XML: where the paragraph's properties begin, and where the number is inserted. */
  start: number;
  place: number;
  label: string | undefined;
}

export function withNumbers(xml: string, numbering: NumberingReader): string {
  const counter = new ParagraphCounter(numbering);
  for (const { 0: tag, 1: close, 2: name = '', index } of xml.matchAll(PARAGRAPHS)) {
    if (close) counter.closeTag(name, index + tag.length);
    else counter.openTag(name, tag, index + tag.length);
  }
  return insertAll(xml, counter.inserts);
}

class ParagraphCounter {
  readonly inserts: XmlInsert[] = [];
  readonly #numbering: NumberingReader;
  /** Open paragraphs, the current one last. Paragraphs of a text box are inside another paragraph. */
  readonly #open: OpenParagraph[] = [];

  constructor(numbering: NumberingReader) {
    this.#numbering = numbering;
  }

  openTag(name: string, tag: string, end: number): void {
    const paragraph = this.#open.at(-1);
    if (name === 'p') this.#open.push(openParagraph(end));
    else if (name === 'pPrChange' && paragraph) paragraph.inOld = true;
    else if (name === 'pPr' && paragraph && !paragraph.inOld) {
      paragraph.inProperties = true;
      paragraph.start = end;
    } else if (paragraph) readProperty(paragraph, name, tag);
  }

  closeTag(name: string, end: number): void {
    const paragraph = this.#open.at(-1);
    if (!paragraph) return;
    if (name === 'p') {
      this.#open.pop();
      this.inserts.push(...labelOf(paragraph));
      const outer = this.#open.at(-1);
      if (outer) outer.hasContent ||= paragraph.hasContent;
    } else if (name === 'pPrChange') paragraph.inOld = false;
    else if (name === 'pPr' && !paragraph.inOld) {
      paragraph.inProperties = false;
      paragraph.place = end;
      this.inserts.push(...countParagraph(paragraph, this.#numbering));
    }
  }
}

function labelOf({ label, hasContent, place }: OpenParagraph): XmlInsert[] {
  if (!hasContent || label === undefined) return [];
  const text = `<w:r><w:t xml:space="preserve">${LABEL}${escapeXmlText(label)}${LABEL_END}</w:t></w:r>`;
  return [{ at: place, text }];
}

function openParagraph(place: number): OpenParagraph {
  return {
    properties: {},
    inProperties: false,
    inOld: false,
    isDeleted: false,
    hasContent: false,
    start: place,
    place,
    label: undefined,
  };
}

function readProperty(paragraph: OpenParagraph, name: string, tag: string): void {
  if (!paragraph.inProperties) {
    // A paragraph without any of these elements gets no number. Elements in deleted text count, too.
    paragraph.hasContent ||= /^(?:t|sym|pict|object|drawing|fldChar)$/.test(name);
    return;
  }
  if (paragraph.inOld) return;
  const value = / w:val="([^"]*)"/.exec(tag)?.[1] ?? '';
  if (name === 'pStyle') paragraph.properties.style = value;
  else if (name === 'numId') paragraph.properties.numId = value;
  else if (name === 'ilvl') paragraph.properties.level = value;
  // A paragraph whose end mark is deleted or moved away is not counted.
  else if (name === 'del' || name === 'moveFrom') paragraph.isDeleted = true;
}

/** Counts a paragraph in its list. If the style sets the list, writes it into the paragraph for Mammoth. */
function countParagraph(paragraph: OpenParagraph, numbering: NumberingReader): XmlInsert[] {
  if (paragraph.isDeleted) return [];
  const { numId, level } = paragraph.properties;
  const counted = numbering.countParagraph(paragraph.properties);
  paragraph.label = counted?.label;
  const list = counted?.numId ?? numId;
  if (list === undefined || (numId === list && level !== undefined)) return [];
  const depth = counted?.level ?? 0;
  const text = `<w:numPr><w:ilvl w:val="${depth}"></w:ilvl><w:numId w:val="${escapeXmlText(list)}"></w:numId></w:numPr>`;
  return [{ at: paragraph.start, text }];
}

export const withoutDocxMarks = (text: string): string => text.replace(/[\ufdd0-\ufdef]/g, '');

export interface DocxNode {
  readonly type: string;
  value?: string;
  readonly checked?: boolean;
  numbering?: { readonly level: string; readonly isOrdered: boolean } | null;
  readonly styleId?: string | null;
  children?: DocxNode[];
}

const SIMPLE = /^\d{1,9}[.)]$/;

export function markDocxDocument(node: DocxNode, headingIds: ReadonlySet<string>): DocxNode {
  if (node.type === 'checkbox') return { type: 'text', value: node.checked ? TICKED : EMPTY };
  if (node.children) {
    node.children = node.children.map((child) => markDocxDocument(child, headingIds));
    outdentLists(node.children, headingIds);
  }
  if (node.type === 'paragraph' && node.numbering) {
    const label = labelAt(node);
    if (label === '') node.numbering = null;
    else if (label !== undefined && !SIMPLE.test(label))
      node.numbering = { ...node.numbering, isOrdered: false };
  }
  return node;
}

function outdentLists(nodes: readonly DocxNode[], headingIds: ReadonlySet<string>): void {
  const open: number[] = [];
  for (const node of nodes) {
    if (!node.numbering || headingIds.has(node.styleId ?? '')) {
      open.length = 0;
      continue;
    }
    const level = Number(node.numbering.level);
    while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop();
    node.numbering = { ...node.numbering, level: String(open.length) };
    open.push(level);
  }
}

function labelAt(node: DocxNode): string | undefined {
  let first: DocxNode | undefined = node;
  while (first?.children) first = first.children[0];
  const value = first?.value ?? '';
  return value.startsWith(LABEL) ? value.slice(1, value.indexOf(LABEL_END)) : undefined;
}

const ITEM = new RegExp(`<li>${LABEL}(\\d{1,9})([.)])${LABEL_END}`, 'g');

export function withItemNumbers(html: string): string {
  return html
    .replace(ITEM, (_all, number, sign) => `<li value="${number}">${sign === ')' ? BRACKET : ''}`)
    .replace(/<dt id="(comment-[^"<>]*)">[^<>]*<\/dt><dd>/g, '<dd id="$1">');
}

const HEADING_NUMBER = new RegExp(`^(#{1,6} )${LABEL}((?:\\w{1,9}\\.){1,9}\\w{1,9})\\.${LABEL_END}`, 'gm');
const LABELLED = new RegExp(`${LABEL}([^${LABEL}${LABEL_END}\n]{0,1000})${LABEL_END} ?`, 'g');
const BRACKETED = new RegExp(`\\. ${BRACKET}`, 'g');
const BOX = new RegExp(`([${TICKED}${EMPTY}])(?=([^\\s|.,;:)\\]]?))`, 'g');

/** Replaces the marks by text: `2.1` before a heading, `a)` before an item's text, `[x]` for a ticked box. */
export function replaceLabelMarks(markdown: string): string {
  return markdown
    .replace(HEADING_NUMBER, '$1$2 ')
    .replace(LABELLED, (_all, label: string) => (label ? `${label} ` : ''))
    .replace(BRACKETED, ') ')
    .replace(BOX, (_all, box: string, next: string) => `[${box === TICKED ? 'x' : ' '}]${next && ' '}`);
}
