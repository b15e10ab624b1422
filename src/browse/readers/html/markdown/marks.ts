import type { HtmlElement, HtmlNode } from '../parsing/node.ts';

const SIGN = /[\p{P}\p{S}\s]/u;
const WORD = /[\p{L}\p{N}]/u;

export function writeInlineMark(mark: string, content: string, element: HtmlElement): string {
  if (isPartOfNumber(content, element)) return content;
  let [start, end] = [0, content.length];
  const { previousSibling: before, nextSibling: after, firstChild: first, lastChild: last } = element;
  if (isTight(first, 0) && isWord(before, -1)) while (start < end && SIGN.test(content[start] ?? '')) start++;
  if (isTight(last, -1) && isWord(after, 0)) while (end > start && SIGN.test(content[end - 1] ?? '')) end--;
  if (start === end) return content;
  return `${content.slice(0, start)}${mark}${content.slice(start, end)}${mark}${content.slice(end)}`;
}

function isPartOfNumber(content: string, { previousSibling: before, nextSibling: after }: HtmlElement) {
  if (!/^\d[\d.,]{0,12}$/.test(content)) return false;
  return (
    (before?.nodeType === 3 && /[$€£¥\d]$/.test(before.data)) ||
    (after?.nodeType === 3 && /^(?:[.,]?\d|[$€£¥])/.test(after.data))
  );
}

function isTight(node: HtmlNode | null, at: 0 | -1): boolean {
  return node?.nodeType === 3 && /\S/.test(node.data.at(at) ?? '');
}

/** True for marked text, or text with a word character beside the mark. */
function isWord(node: HtmlNode | null, at: 0 | -1): boolean {
  if (node?.nodeType === 3) return WORD.test(node.data.at(at) ?? '');
  return node !== null && /^(?:strong|em|del)$/.test(node.tag);
}

export function writeLinkText(text: string): string {
  let depth = 0;
  for (const [sign] of text.matchAll(/(?<!\\)[[\]]/g)) {
    depth += sign === '[' ? 1 : -1;
    if (depth < 0) break;
  }
  return depth === 0 || text.includes('![') ? text : text.replace(/(?<!\\)[[\]]/g, '\\$&');
}
