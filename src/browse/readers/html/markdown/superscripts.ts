import type { HtmlElement } from '../parsing/node.ts';

const POWER = /^(?:[+−–-]?\d{1,3}|[+−–-]?[a-z]|\d?[+−–-])$/;
const SUM = /^[+−–-]?\(?[\da-z]{1,3}(?:[+−–*/-][\da-z]{1,3}){1,3}\)?$|^\d{1,2}[a-z]$/;
/** Matches a price at the end of a text. Shops write the cents after it in superscript. */
const PRICE = /[$€£¥]\s?[\d.,]{1,12}$/;
const ENDING = /^[aeor]$/;

export function writeSuperscript(content: string, element: HtmlElement): string {
  const text = element.textContent.trim();
  const before = lastBefore(element);
  const isCents = /^\d\d$/.test(text) && /\d/.test(before) && PRICE.test(textBefore(element));
  return isCents ? `.${text}` : convertToSuperscript(content, before, text);
}

export function convertToSuperscript(content: string, before: string, text = content.trim()): string {
  if (!/[\p{L}\p{N})\]]$/u.test(before)) return content;
  if (ENDING.test(text) && !/[a-z)\]]$/.test(before)) return content;
  if (POWER.test(text)) return `^${content.trim()}`;
  return SUM.test(text) ? `^(${content.trim().replace(/^\(|\)$/g, '')})` : content;
}

function textBefore({ previousSibling }: HtmlElement): string {
  let text = '';
  let steps = 0;
  for (
    let node = previousSibling;
    node && text.length < 20 && steps < 8;
    node = node.previousSibling, steps++
  )
    text = `${node.textContent}${text}`;
  return text.slice(-20);
}

/** Writes subscript text with `_`, as in `x_i`, but writes digits after a letter without `_`, as in `H2O`. */
export function writeSubscript(content: string, element: HtmlElement): string {
  const text = element.textContent.trim();
  const before = lastBefore(element);
  if (!/^[\p{L}\p{N},+−-]{1,12}$/u.test(text) || !/[\p{L}\p{N})\]]/u.test(before)) return content;
  const number = /^\d+$/.test(text);
  return number && !/\d/.test(before) ? content : `_${content.trim()}`;
}

function lastBefore({ previousSibling: before }: HtmlElement): string {
  if (!before || (before.nodeType === 1 && /^su[bp]$/.test(before.tag))) return '';
  return before.nodeType === 3 ? before.data.slice(-1) : before.textContent.slice(-1);
}
