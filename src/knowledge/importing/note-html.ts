import { DomHandler, DomUtils, Parser, type ParserOptions } from 'htmlparser2';
import { AppError, badRequestError, tooLargeError } from '../../errors.ts';
import { createUniqueNames } from './unique-names.ts';

type AnyNode = DomHandler['root']['children'][number];
type NoteElement = Extract<AnyNode, { readonly attribs: unknown }>;
const MAX_DEPTH = 100;
/** Maximum characters of a page, because parsing runs in the main thread and delays other calls. */
const MAX_CHARS = 4_000_000;
const MAX_INDENTS = 12;
/** Names of facts in a page's head, as programs for notes write them. */
const HEAD_FACTS =
  /^(?:author|created|updated|modified|date|description|keywords|tags|source(?:-?url)?|subject)$/i;

/** Converts an HTML page from a notes program to Markdown. Throws AppError `too_large` or `bad_request`. */
export function readNoteHtml(html: string) {
  const root = parse(html);
  const isOf = (name: string, word: string) => (node: AnyNode) =>
    isElement(node) && node.name === name && hasClass(node, word);
  const heading = DomUtils.findOne(isOf('h1', 'page-title'), root.children);
  const table = DomUtils.findOne(isOf('table', 'properties'), root.children);
  const icon = DomUtils.findOne(isOf('div', 'page-header-icon'), root.children);
  const [named] = DomUtils.getElementsByTagName('title', root, true, 1);
  const words = [icon, heading].map((node) => (node ? inlineOf([node]) : '')).filter(Boolean);
  const metas = DomUtils.getElementsByTagName('meta', root).flatMap(
    ({ attribs: { content = '', ...of } }) => {
      const name = of.itemprop ?? of.name ?? '';
      return HEAD_FACTS.test(name) && content.trim() !== '' ? [[name, content.trim()]] : [];
    },
  );
  const properties: Record<string, string> = {
    ...Object.fromEntries(metas),
    ...(table && propertiesOf(table)),
  };
  for (const node of [heading, table, icon, named]) if (node) DomUtils.removeElement(node);
  const content = joinBlocks(blocksOf(root.children, 0));
  const lines = Object.entries(properties).map(([name, value]) => `${name}: ${value}`);
  const parts = [words.length > 0 && `# ${words.join(' ')}`, lines.join('\n'), content];
  return {
    title: (named && DomUtils.textContent(named).trim()) || words.at(-1) || '',
    properties,
    markdown: parts.filter(Boolean).join('\n\n'),
    isEmpty: content === '' && lines.length === 0,
  };
}

/** Throws AppError `bad_request` for deeply nested elements: the cost of parsing grows with the depth. */
class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > MAX_DEPTH) throw badRequestError(`has elements nested over ${MAX_DEPTH} deep`);
    super.onopentag(name, attributes);
  }
}

const HTML_START =
  /^\s*<(?:[!?][a-z]|(?:en-note|html|head|body|main|header|article|section|div|p|span|[uo]l|dl|h[1-6r]|br|b|i|em|strong|a|img|figure|blockquote|center|font|details|table|pre|code)[\s/>])/i;
const HTML_END =
  /<\/(?:html|div|p|span|[uo]l|li|h[1-6]|b|i|u|em|strong|mark|sub|sup|a|blockquote|table|pre)\s{0,9}>|[^\s"'`(]<br\s{0,9}\/?>/i;

/** Returns true for a text that begins and ends with markup. */
export const isHtmlText = (text: string): boolean => HTML_START.test(text) && text.trimEnd().endsWith('>');

/** Returns true if a text of an unknown program is HTML and neither Markdown nor a text about HTML. */
function looksLikeHtml(text: string): boolean {
  if (!HTML_END.test(text)) return false;
  return isHtmlText(text) || !/[`\n]/.test(text);
}

/** Converts a text that looks like HTML. Returns any other text, and HTML that cannot be read, as it is. */
export function readTextOrHtml(text: string): string {
  try {
    return (looksLikeHtml(text) && readHtmlFragment(text)) || text;
  } catch (error) {
    if (error instanceof AppError) return text;
    throw error;
  }
}

/** Converts HTML without a head, or Evernote's ENML, to Markdown. Throws as `readNoteHtml` does. */
export function readHtmlFragment(html: string): string {
  return joinBlocks(blocksOf(parse(html, { recognizeSelfClosing: true }).children, 0));
}

function parse(html: string, options: ParserOptions = {}): DomHandler['root'] {
  if (html.length > MAX_CHARS) {
    throw tooLargeError(`has ${html.length} characters: ${MAX_CHARS} are read at most`);
  }
  const handler = new BoundedHandler();
  new Parser(handler, options).end(html);
  return handler.root;
}

function propertiesOf(table: NoteElement): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  const nameProperty = createUniqueNames((name, number) => `${name} (${number})`);
  for (const row of DomUtils.getElementsByTagName('tr', table)) {
    const [name = '', ...values] = cellsOf(row);
    const value = values.filter(Boolean).join(', ');
    if (value !== '') found[nameProperty(name)] = value;
  }
  return found;
}

interface NoteBlock {
  readonly text: string;
  readonly list?: string;
}

function joinBlocks(blocks: readonly NoteBlock[]): string {
  let text = '';
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1];
    if (before) text += before.list !== undefined && before.list === block.list ? '\n' : '\n\n';
    text += block.text;
  }
  return text;
}

function blocksOf(nodes: readonly AnyNode[], indents: number): NoteBlock[] {
  const blocks: NoteBlock[] = [];
  let run: AnyNode[] = [];
  const flush = () => {
    const text = inlineOf(run);
    if (text !== '') blocks.push({ text });
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !isBlock(node)) {
      run.push(node);
      continue;
    }
    flush();
    for (const block of blockOf(node, indents)) blocks.push(block);
  }
  flush();
  return blocks;
}

const BLOCKS = new Set(
  'html head body article header section div p h1 h2 h3 h4 h5 h6 ul ol li details summary blockquote figure figcaption pre hr table nav dl dt dd main aside footer'.split(
    ' ',
  ),
);
const INVISIBLE = new Set('style script svg template link meta en-crypt'.split(' '));
const MEDIA = new Set(['iframe', 'video', 'audio', 'embed', 'source']);
const blockMarks = new WeakMap<NoteElement, boolean>();

function isBlock(node: NoteElement): boolean {
  const known = blockMarks.get(node);
  if (known !== undefined) return known;
  const inLine = /\b(?:checkbox|status-dot)\b/.test(node.attribs.class ?? '');
  const is =
    !inLine &&
    (BLOCKS.has(node.name) ||
      (!isEquation(node) && node.children.some((child) => isElement(child) && isBlock(child))));
  blockMarks.set(node, is);
  return is;
}

function blockOf(node: NoteElement, indents: number): NoteBlock[] {
  const { name, children } = node;
  const level = headingLevelOf(node);
  if (level > 0) return textBlock(inlineOf(children).replaceAll('\n', ' '), `${'#'.repeat(level)} `);
  if (name === 'hr') return [{ text: '---' }];
  if (name === 'pre' || /-en-codeblock:\s*true/.test(node.attribs.style ?? ''))
    return [{ text: fenceCode(rawText(node), languageOf(node)) }];
  if (name === 'table') return tableBlocks(node);
  if (isEquation(node)) return [{ text: formulaOf(node) }];
  if (name === 'ul' || name === 'ol') return itemsOf(node, indents);
  const isQuote = indents < MAX_INDENTS && (name === 'blockquote' || hasClass(node, 'callout'));
  const inner = blocksOf(children, isQuote ? indents + 1 : indents);
  if (isQuote) return inner.length === 0 ? [] : [{ text: quoteLines(joinBlocks(inner)) }];
  const { href } = node.attribs;
  const isShown = name !== 'a' || !href || inner.some(({ text }) => text.includes(href));
  return isShown ? inner : [...inner, { text: `<${href}>` }];
}

const SUMMARY_SIZES = ['1.875em', '1.5em', '1.25em'];

/** Returns the level of `<h1>` to `<h6>`, or of a `<summary>` with the font size of a heading, or 0. */
function headingLevelOf({ name, attribs: { style = '' } }: NoteElement): number {
  if (name !== 'summary') return Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
  return SUMMARY_SIZES.findIndex((size) => style.includes(`font-size:${size}`)) + 1;
}

function tableBlocks(table: NoteElement): NoteBlock[] {
  const captions = DomUtils.getElementsByTagName('caption', table).flatMap(({ children }) =>
    textBlock(inlineOf(children), ''),
  );
  return [
    ...captions,
    ...textBlock(formatMarkdownTable(DomUtils.getElementsByTagName('tr', table).map(cellsOf)), ''),
  ];
}

function rawText(node: AnyNode): string {
  if (DomUtils.isText(node)) return node.data;
  if (!isElement(node)) return '';
  if (node.name === 'br') return '\n';
  const text = node.children.map(rawText).join('');
  return /^(?:div|p)$/.test(node.name) && !text.endsWith('\n') ? `${text}\n` : text;
}

const textBlock = (text: string, mark: string): NoteBlock[] => (text === '' ? [] : [{ text: mark + text }]);

function itemsOf(list: NoteElement, indents: number): NoteBlock[] {
  let number = Number(list.attribs.start ?? 1) || 1;
  return list.children.flatMap((item) => {
    const nodes = isElement(item) && item.name === 'li' ? item.children : [item];
    const blocks = blocksOf(nodes, indents + 1);
    if (blocks.length === 0) return [];
    const box = isElement(item) ? boxOf(item) : '';
    const isList = isElement(item) && /^[uo]l$/.test(item.name);
    // A list directly inside a list, without `li`, continues the item before it, so it gets no mark.
    const mark = isList ? '  ' : list.name === 'ol' ? `${number++}. ${box}` : `- ${box}`;
    const text = joinBlocks(blocks);
    const indented =
      indents < MAX_INDENTS ? text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`) : text;
    return [{ text: mark + indented, list: list.name }];
  });
}

/** Returns `[x] ` or `[ ] ` for a check box of HTML, Notion or Evernote, and '' for other elements. */
function boxOf(node: NoteElement): string {
  const { checked, type, style = '' } = node.attribs;
  const [, state] = /--en-checked:\s*(true|false)/.exec(style) ?? [];
  const isBox = node.name === 'en-todo' || (node.name === 'input' && type === 'checkbox');
  if (!isBox && state === undefined && !hasClass(node, 'checkbox')) return '';
  const is =
    state === 'true' || hasClass(node, 'checkbox-on') || (checked !== undefined && checked !== 'false');
  return is ? '[x] ' : '[ ] ';
}

const MARKS: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
};

function inlineOf(nodes: readonly AnyNode[]): string {
  return piecesOf(nodes)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

function piecesOf(nodes: readonly AnyNode[]): string {
  const pieces: string[] = [];
  let before: AnyNode | undefined;
  for (const node of nodes) {
    const piece = pieceOf(node);
    if (piece === '') continue;
    if (before && isValue(before) && isValue(node)) pieces.push(', ');
    const isSpaced = pieces.at(-1)?.endsWith(' ') && piece.startsWith(' ');
    pieces.push(isSpaced ? piece.slice(1) : piece);
    before = node;
  }
  return pieces.join('');
}

function isValue(node: AnyNode): boolean {
  if (!isElement(node)) return false;
  if (/\b(?:selected-value|status-value|user)\b/.test(node.attribs.class ?? '')) return true;
  const inCell = node.parent !== null && isElement(node.parent) && node.parent.name === 'td';
  const [only, ...more] = node.children.filter(isElement);
  return inCell && (node.name === 'a' || (only?.name === 'a' && more.length === 0));
}

function pieceOf(node: AnyNode): string {
  if (DomUtils.isText(node)) return node.data.replace(/[ \t\r\n]+/g, ' ');
  if (!isElement(node) || INVISIBLE.has(node.name) || hasClass(node, 'user-icon')) return '';
  if (isEquation(node)) return formulaOf(node);
  const { name, children } = node;
  const box = name === 'li' ? '' : boxOf(node);
  if (box !== '') return box + piecesOf(children);
  if (name === 'br') return '\n';
  if (name === 'img') return pictureOf(node);
  const { src = '' } = node.attribs;
  if (MEDIA.has(name) && src !== '') return `<${src}> ${piecesOf(children)}`;
  if (name === 'code') return inlineCode(DomUtils.textContent(node));
  return markedOf(node, piecesOf(children));
}

function markedOf(node: NoteElement, inner: string): string {
  const { name, attribs } = node;
  const words = inner.trim();
  if (words === '') return inner;
  const mark = Object.hasOwn(MARKS, name) ? MARKS[name] : undefined;
  if (mark !== undefined) {
    return `${inner.startsWith(' ') ? ' ' : ''}${mark}${words}${mark}${inner.endsWith(' ') ? ' ' : ''}`;
  }
  if (name === 'a') return linkOf(words, attribs.href ?? '');
  return BLOCKS.has(name) || hasClass(node, 'icon') ? `${inner} ` : inner;
}

function pictureOf(node: NoteElement): string {
  const { src = '', alt = '' } = node.attribs;
  return src === '' || src.startsWith('data:') || hasClass(node, 'icon') ? alt : `![${alt}](${src})`;
}

function linkOf(text: string, href: string): string {
  return href === '' || text === href || text === `![](${href})` ? text : `[${text}](${href})`;
}

function isEquation(node: NoteElement): boolean {
  return (
    hasClass(node, 'equation') || hasClass(node, 'notion-text-equation-token') || hasClass(node, 'katex')
  );
}

function formulaOf(node: NoteElement): string {
  const [tex] = DomUtils.getElementsByTagName('annotation', node, true, 1);
  const mark = node.name === 'figure' ? '$$' : '$';
  return tex ? `${mark}${DomUtils.textContent(tex).trim()}${mark}` : DomUtils.innerText(node).trim();
}

/** Returns the cells of a row as single lines. A check box becomes Yes or No, as in Notion's Markdown export. */
function cellsOf(row: NoteElement): string[] {
  return row.children
    .filter((cell) => isElement(cell) && /^t[hd]$/.test(cell.name))
    .map((cell) => inlineOf([cell]).replace(/\s+/g, ' '))
    .map((text) => (text === '[x]' ? 'Yes' : text === '[ ]' ? 'No' : text));
}

function languageOf(pre: NoteElement): string {
  const code = DomUtils.findOne(({ name }) => name === 'code', pre.children);
  return /(?:^|\s)language-(\S+)/.exec(code?.attribs.class ?? '')?.[1]?.toLowerCase() ?? '';
}

function hasClass({ attribs }: NoteElement, name: string): boolean {
  return (attribs.class ?? '').split(/\s+/).includes(name);
}

const isElement = (node: AnyNode): node is NoteElement => DomUtils.isTag(node);

/** Formats code as a fenced block. The fence is longer than any sequence of backticks in the code. */
export function fenceCode(code: string, language: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}

function inlineCode(code: string): string {
  if (code.trim() === '') return code;
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

const quoteLines = (text: string): string => text.replace(/^/gm, '> ').replace(/^> $/gm, '>');

export function formatMarkdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (rows.every((row) => row.every((cell) => cell === ''))) return '';
  const [head = '', ...body] = rows.map(
    (row) =>
      `| ${Array.from({ length: width }, (_, at) => (row[at] ?? '').replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return [head, `|${' --- |'.repeat(width)}`, ...body].join('\n');
}
