import type { HtmlElement } from '../parsing/node.ts';

/** A power: a number, a letter, a few of them with signs, a charge. */
const POWER = /^(?:[+−–-]?\d{1,3}|[+−–-]?[a-z]|\d?[+−–-])$/;
const SUM = /^[+−–-]?\(?[\da-z]{1,3}(?:[+−–*/-][\da-z]{1,3}){1,3}\)?$|^\d{1,2}[a-z]$/;
/** A price as far as its cents, which shops raise. */
const PRICE = /[$€£¥]\s?[\d.,]{1,12}$/;
/** Letters that are raised behind a number as the end of its word: 21e, 2o, M. le. */
const ENDING = /^[aeor]$/;

/** Raised text: a power has its sign, without which it would be another number. */
export function writeRaised(content: string, element: HtmlElement): string {
  const text = element.textContent.trim();
  const before = lastBefore(element);
  if (!/[\p{L}\p{N})\]]/u.test(before)) return content;
  if (/^\d\d$/.test(text) && PRICE.test(textBefore(element))) return `.${text}`;
  if (ENDING.test(text) && !/[a-z)\]]/.test(before)) return content;
  if (POWER.test(text)) return `^${content.trim()}`;
  return SUM.test(text) ? `^(${content.trim().replace(/^\(|\)$/g, '')})` : content;
}

/** What stands right before an element in its line, as far as a price goes. */
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

/** Lowered text: a number in a chemical formula stands for itself, what would be read as part of its word has a sign. */
export function writeLowered(content: string, element: HtmlElement): string {
  const text = element.textContent.trim();
  const before = lastBefore(element);
  if (!/^[\p{L}\p{N},+−-]{1,12}$/u.test(text) || !/[\p{L}\p{N})\]]/u.test(before)) return content;
  const number = /^\d+$/.test(text);
  return number && !/\d/.test(before) ? content : `_${content.trim()}`;
}

/** The character right before an element. */
function lastBefore({ previousSibling: before }: HtmlElement): string {
  if (!before || (before.nodeType === 1 && /^su[bp]$/.test(before.tag))) return '';
  return before.nodeType === 3 ? before.data.slice(-1) : before.textContent.slice(-1);
}
