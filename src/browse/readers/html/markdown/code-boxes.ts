import {
  descendants,
  elementsIn,
  HtmlElement,
  type HtmlNode,
  nextNode,
  removeNode,
} from '../parsing/node.ts';
import { isAlone } from '../parsing/relations.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';
import { asBlock, codeText, EDITOR } from './code.ts';

const ANY = /white-?space[^;"'>]{0,20}(?:pre|break-spaces)|view-lines|cm-content|CodeMirror-code|ace_text/i;
const KEEPS_SPACES =
  /(?:^|[;\s])white-space(?:-collapse)?\s{0,9}:\s{0,9}(?:pre(?!-line)|break-spaces|preserve)|(?:^|\s)whitespace-(?:pre(?!-line)|break-spaces)/i;
const WRAPS = /white-?space[^;]{0,20}(?:pre-wrap|break-spaces|preserve)/i;
const FIXED_WIDTH =
  /font(?:-family)?\s{0,9}:[^;]{0,200}(?:mono|consolas|courier|menlo|monaco|inconsolata|lucida console|(?:source|fira|cascadia) code)|(?:^|\s)font-mono(?=\s|$)/i;
const BOX = /^(?:div|section|p|span|code|font)$/;
const LINE = /^(?:p|div)$/;
const UNREAD = /^(?:pre|script|style|textarea|title|svg|math)$/;
const NO_CODE = /^(?:pre|table|img|ul|ol|blockquote|h[1-6])$/;
/** Lines that wrap are code if they have a sign of code, and fewer than this share of them end as a sentence. */
const PROSE_SHARE = 0.3;
const CODE_SIGN = /[{}()=<>;$#]|^\s{2,9}\S/m;

/** Makes code blocks of boxes in a fixed-width font that keep their spaces, as editors copy them into pages. */
export function placeCodeBoxes(root: HtmlElement, html: string): void {
  if (!ANY.test(html)) return;
  const plain = new Set<HtmlElement>();
  for (let node: HtmlNode | null = nextNode(root, root); node; ) {
    const block: HtmlElement | undefined = node.nodeType === 1 ? blockAt(node, plain) : undefined;
    const inside: boolean = !block && (node.nodeType === 3 || !UNREAD.test(node.tag));
    node = nextNode(block ?? node, root, inside);
  }
}

/** Returns the code block that takes the place of an element and of the lines after it. Notes lines in `plain`. */
function blockAt(element: HtmlElement, plain: Set<HtmlElement>): HtmlElement | undefined {
  if (EDITOR.test(element.attributes.class ?? '') || isBox(element)) return asBlock(element);
  if (plain.has(element) || !isCodeLine(element)) return undefined;
  const lines = linesFrom(element);
  if (!isCode(lines.map(codeText), true)) {
    for (const line of lines) plain.add(line);
    return undefined;
  }
  const block = new HtmlElement('pre', {}, element.depth);
  element.parentNode?.insertBefore(block, element);
  for (const line of lines) {
    removeNode(line);
    block.appendChild(line);
  }
  return block;
}

function isBox(element: HtmlElement): boolean {
  const { tag } = element;
  const style = styleOf(element);
  if (!BOX.test(tag) || !KEEPS_SPACES.test(style) || (tag !== 'code' && !FIXED_WIDTH.test(style)))
    return false;
  if (!BLOCK_TAGS.has(tag) && !isAlone(element)) return false;
  for (const node of elementsIn(element)) if (NO_CODE.test(node.tag)) return false;
  return isCode(codeText(element).split('\n'), tag !== 'code' && WRAPS.test(style));
}

function isCode(lines: readonly string[], wraps: boolean): boolean {
  const shown = lines.filter((line) => line.trim() !== '');
  if (shown.length < 2 || !wraps) return shown.length > 1;
  const sentences = shown.filter((line) => /\p{L}[.!?…]\s{0,9}$/u.test(line)).length;
  return sentences < shown.length * PROSE_SHARE && CODE_SIGN.test(shown.join('\n'));
}

/** True for a paragraph whose words are all in a fixed-width font and keep their spaces. */
function isCodeLine(line: HtmlElement): boolean {
  if (!LINE.test(line.tag)) return false;
  let hasWords = false;
  for (const node of descendants(line)) {
    if (node.nodeType === 1 && (BLOCK_TAGS.has(node.tag) || node.tag === 'img')) return false;
    if (node.nodeType === 1 || node.data.trim() === '') continue;
    let style = '';
    for (let at = node.parentNode; at && at !== line.parentNode; at = at.parentNode)
      style += ` ; ${styleOf(at)}`;
    if (!KEEPS_SPACES.test(style) || !FIXED_WIDTH.test(style)) return false;
    hasWords = true;
  }
  return hasWords;
}

/** Returns a line of code and the lines after it, also empty ones between lines of code. */
function linesFrom(first: HtmlElement): HtmlElement[] {
  const lines = [first];
  let last = 1;
  for (let node = first.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === 3) {
      if (node.data.trim() !== '') break;
      continue;
    }
    const isCodeHere = isCodeLine(node);
    if (!isCodeHere && (node.textContent.trim() !== '' || !/^(?:p|div|br)$/.test(node.tag))) break;
    lines.push(node);
    if (isCodeHere) last = lines.length;
  }
  return lines.slice(0, last);
}

function styleOf({ attributes: { style = '', class: names = '' } }: HtmlElement): string {
  return `${style} ${names}`;
}
