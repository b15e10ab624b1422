import { writeCodeFence } from '../../markdown.ts';
import { shortText } from '../notes/note-marks.ts';
import { descendants, elementsIn, type HtmlElement, removeNode, retag } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';
import { takeCodeLabel } from './code-label.ts';
import { findCodeLanguage, isCodeLabel, knownCodeLanguage } from './code-language.ts';

const NUMBERS =
  /(?:^|\s)(?:gutter|line-?numbers?(?:-rows)?|linenos?|lineno|blob-num|rouge-gutter|hljs-ln-numbers?|ln-num|cm-gutters?|cm-gutterElement|CodeMirror-(?:linenumber|gutter-wrapper)|ace_gutter(?:-cell)?|lntd?|lnos?|ln|linenumber|react-syntax-highlighter-line-number|code-line-number)(?=\s|$)/i;
/** Matches the style of text that users cannot select. Numbers with this style are line numbers, not code. */
const UNMARKED = /user-select\s{0,5}:\s{0,5}none/;
const LINE =
  /(?:^|\s)(?:line|code-?line|view-line|cm-line|token-line|ec-line|CodeMirror-line|hljs-ln-line|code__line|(?:gatsby-)?highlight-(?:code-)?line)(?=\s|$)/i;
const BLOCK_NAME = /(?:^|\s)(?:block|code-?block|codeblock|highlight)(?=\s|$)/i;
export const EDITOR = /(?:^|\s)(?:cm-content|view-lines|CodeMirror-code|ace_text-layer)(?=\s|$)/;
const CODE_CELL = /(?:^|\s)(?:blob-code|hljs-ln-code|js-file-line|code-line|line-code)(?=[\s_-]|$)/i;
const MAX_TABLE_NODES = 20;

/** Writes a code block. Its fence has more backticks than any sequence inside the code. */
export function writeCode(pre: HtmlElement): string {
  const code = codeText(pre)
    .replaceAll('\u00a0', ' ')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
  const language = pre.attributes['data-language'] ?? findCodeLanguage(pre);
  const isColoured = TERMINAL.test(language) && code.includes('<font color="');
  return writeCodeFence(isColoured ? code.replace(COLOUR, '') : code, language);
}

const TERMINAL = /^(?:console|shell(?:-?session)?|bash|sh|zsh|terminal|text)?$/i;
/** Colour tags in recorded terminal output. A script of the page would turn these tags into colours. */
const COLOUR =
  /<(?:font color="[^"<>]{1,40}"|span style="[^"<>]{1,200}"|u style="[^"<>]{1,200}"|b)>|<\/(?:font|span|u|b)>/g;

export function normalizeCodeBlocks(root: HtmlElement): void {
  dropLineNumbers(root);
  const blocks: HtmlElement[] = [];
  for (const node of elementsIn(root)) {
    if (node.tag === 'pre') blocks.push(node);
    else if (isBareBlock(node) || isCodeTable(node)) blocks.push(node);
  }
  for (const found of blocks) {
    if (isInBlock(found)) continue;
    const block = found.tag === 'pre' ? found : asBlock(found);
    const language = findCodeLanguage(block);
    const label = takeLabel(block) || takeEditor(block) || takeCodeLabel(block, language);
    block.attributes['data-language'] = language || label;
  }
}

function dropLineNumbers(root: HtmlElement): void {
  const numbers = [...elementsIn(root)].filter(
    ({ attributes: { class: names = '', style = '' } }) =>
      NUMBERS.test(names) || (style !== '' && UNMARKED.test(style)),
  );
  for (const element of numbers) if (/^[\d\s]*$/.test(element.textContent)) removeNode(element);
}

function isBareBlock(node: HtmlElement): boolean {
  const { tag, attributes } = node;
  if (
    tag !== 'code' &&
    (tag !== 'div' || (attributes['data-lang'] ?? attributes['data-language']) === undefined)
  )
    return false;
  if (tag === 'code' && !BLOCK_NAME.test(attributes.class ?? '') && !isLoneLines(node)) return false;
  for (const one of descendants(node)) {
    if (
      one.nodeType === 1 &&
      (one.tag === 'pre' || (tag === 'div' && (one.tag === 'code' || BLOCK_TAGS.has(one.tag))))
    )
      return false;
  }
  return node.firstChild !== null;
}

function isCodeTable(table: HtmlElement): boolean {
  if (table.tag !== 'table') return false;
  let nodes = 0;
  for (const node of descendants(table)) {
    if (++nodes > MAX_TABLE_NODES) return false;
    if (node.nodeType === 1 && node.tag === 'td') {
      if (CODE_CELL.test(node.attributes.class ?? '')) return true;
      if (node.textContent.trim() !== '') return false;
    }
  }
  return false;
}

function isLoneLines(code: HtmlElement): boolean {
  const { parentNode: parent, previousSibling: before, nextSibling: after } = code;
  if (!parent || !/^(?:div|figure|td|section|article)$/.test(parent.tag)) return false;
  const blank = (node: typeof before) =>
    node === null || (node.nodeType === 3 ? node.data.trim() === '' : BLOCK_TAGS.has(node.tag));
  return blank(before) && blank(after) && code.textContent.trim().includes('\n');
}

function isInBlock(element: HtmlElement): boolean {
  for (let at = element.parentNode; at; at = at.parentNode) if (at.tag === 'pre') return true;
  return false;
}

export const asBlock = (element: HtmlElement): HtmlElement => retag(element, 'pre');

function takeLabel(block: HtmlElement): string {
  const code = block.children.length === 1 ? block.children[0] : undefined;
  for (const holder of [block, code]) {
    const first = holder?.children[0];
    if (!first || first.tag === 'code' || !isCodeLabel(first)) continue;
    const text = shortText(first);
    if (text === undefined) continue;
    removeNode(first);
    return knownCodeLanguage(text);
  }
  const before = shownSibling(block, 'previousSibling');
  const text = before?.nodeType === 1 && isCodeLabel(before) ? shortText(before) : undefined;
  const language = knownCodeLanguage((text ?? '').replace(/copy(?: code)?$/i, ''));
  if (before && language) removeNode(before);
  return language;
}

function takeEditor(block: HtmlElement): string {
  let editor: HtmlElement | undefined;
  let around = '';
  for (const node of descendants(block)) {
    if (node.nodeType === 1 && EDITOR.test(node.attributes.class ?? '')) {
      editor = node;
      break;
    }
    if (node.nodeType === 3 && around.length < 40) around += `${node.data.trim()} `;
  }
  if (!editor) return '';
  removeNode(editor);
  for (const child of block.childNodes) removeNode(child);
  block.appendChild(editor);
  return around.split(' ').map(knownCodeLanguage).find(Boolean) ?? '';
}

export function codeText(element: HtmlElement): string {
  const pieces: string[] = [];
  const add = (piece: string) => {
    if (piece !== '') pieces.push(piece);
  };
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) add(node.data);
    else if (node.tag === 'br') add('\n');
    else {
      const inner = codeText(node);
      const line = isLine(node);
      const own = line || BLOCK_TAGS.has(node.tag);
      if (own && pieces.at(-1)?.endsWith('\n') === false) add('\n');
      add(inner);
      if (own && !endsLine(node, inner, line)) add('\n');
    }
  }
  return pieces.join('');
}

function isLine({ tag, attributes, previousSibling: before, nextSibling: after }: HtmlElement): boolean {
  const { class: names = '', style = '' } = attributes;
  // Some editors write each line as a `<code>` of its own, with nothing between them.
  if (tag === 'code' && [before, after].some((one) => one?.nodeType === 1 && one.tag === 'code')) return true;
  return LINE.test(names) || attributes['data-line'] !== undefined || SHOWN_AS_LINE.test(style);
}

const SHOWN_AS_LINE = /(?:^|[;\s])display\s{0,9}:\s{0,9}(?:block|flex|grid)/i;

function endsLine({ nextSibling: next }: HtmlElement, inner: string, line: boolean): boolean {
  if (inner.endsWith('\n') || (inner === '' && !line)) return true;
  if (!line || next === null) return false;
  return next.nodeType === 3 ? /^[^\S\n]*\n/.test(next.data) : next.tag === 'br';
}
