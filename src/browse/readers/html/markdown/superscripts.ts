import { type HtmlElement, retag } from '../parsing/node.ts';

const POWER = /^(?:[+−–-]?\d{1,3}|[+−–-]?[a-z]|\d?[+−–-])$/;
const SUM = /^[+−–-]?\(?[\da-z]{1,3}(?:[+−–*/-][\da-z]{1,3}){1,3}\)?$|^\d{1,2}[a-z]$/;
/** Matches several marks, as of an author's affiliations: `1,2` or `a, *` or `1†`. */
const MARKS =
  /^(?:\d{1,3}|[a-z]|[*†‡§¶#]{1,3})(?:(?:\s?[,;]\s?(?:\d{1,3}|[a-z]|[*†‡§¶#]{1,3})){1,12}|(?<=\d)[*†‡§¶#]{1,2})$/;
/** Matches a price at the end of a text. Shops write the cents after it in superscript. */
const PRICE = /[$€£¥]\s?[\d.,]{1,12}$/;
/** Matches a currency behind a price, and a number before it that is not a power of ten. */
const CURRENCY = /^\s?(?:\p{Sc}|(?:kr|zł|zl|kč|ft|lei|лв|руб|грн|chf|eur|usd|pln|sek|nok|dkk)(?!\p{L}))/iu;
const AMOUNT = /(?<![×·*^]\s?)(?<![\d.,])\d{1,3}(?:[\s.,]?\d{3}){0,3}$/;
const CENTS = /^\d\d(?=\s?\p{Sc}?$)/u;
const CENTS_NAME = /(?:^|[\s_-])(?:cents?|centavos|centimes|decimals?)(?=[\s_-]|$)/i;
/** A smaller number above 10 is an exponent, even before a currency. */
const MIN_CENTS_OF_TEN = 30;
const ENDING = /^[aeor]$/;

export function writeSuperscript(content: string, element: HtmlElement): string {
  const text = element.textContent.replaceAll('\\', '').trim();
  const before = lastBefore(element);
  if (isNumerator(element)) return /\d$/.test(before) ? ` ${text}` : text;
  const sign = CENTS.test(text) && /\d/.test(before) ? centsSign(element, text) : undefined;
  return sign === undefined ? convertToSuperscript(content, before, text) : `${sign}${text}`;
}

/** True for the upper number of a fraction such as `<sup>1</sup>⁄<sub>2</sub>`. */
export function isNumerator({ tag, nextSibling: slash, textContent }: HtmlElement): boolean {
  if (tag !== 'sup' || !slash || !/^\d{1,3}$/.test(textContent.trim())) return false;
  const below = slash.nextSibling;
  return /^\s?[/⁄∕]\s?$/.test(slash.textContent) && below?.nodeType === 1 && below.tag === 'sub';
}

/** Returns the sign between a price and its cents, or undefined if the number before is not a price. */
function centsSign(element: HtmlElement, text: string): string | undefined {
  const price = textBefore(element);
  const isBefore = PRICE.test(price);
  const { nextSibling: next } = element;
  if (
    !isBefore &&
    !(AMOUNT.test(price) && CURRENCY.test(`${text.slice(2)}${next?.textContent.slice(0, 8) ?? ''}`))
  )
    return undefined;
  if (!isBefore && /(?:^|\D)10$/.test(price) && Number.parseInt(text, 10) < MIN_CENTS_OF_TEN)
    return undefined;
  if (/\.\d{3}$/.test(price)) return ',';
  return isBefore || /,\d{3}$/.test(price) ? '.' : ',';
}

/**
 * Makes superscripts of cents that only a class names, as in `<span>62</span><span class="cents">50</span>`,
 * and one superscript of marks with a comma between them.
 */
export function normalizeSuperscripts(root: HtmlElement): void {
  for (const node of root.getElementsByTagName('sup')) {
    const { nextSibling: next } = node;
    if (next?.nodeType !== 1 || next.tag !== 'sup' || !isListed(node, next)) continue;
    for (const child of node.childNodes.reverse()) next.prependChild(child);
    node.parentNode?.removeChild(node);
  }
  for (const node of root.getElementsByTagName('span')) {
    if (CENTS_NAME.test(node.attributes.class ?? '') && CENTS.test(node.textContent.trim()))
      retag(node, 'sup');
  }
}

function isListed(mark: HtmlElement, next: HtmlElement): boolean {
  return /[,;]\s?$/.test(mark.textContent.slice(-2)) || /^\s?[,;]/.test(next.textContent.slice(0, 2));
}

export function convertToSuperscript(content: string, before: string, text = content.trim()): string {
  if (!/[\p{L}\p{N})\]]$/u.test(before)) return content;
  if (ENDING.test(text) && !/[a-z)\]]$/.test(before)) return content;
  if (POWER.test(text)) return `^${content.trim()}`;
  if (MARKS.test(text)) return `^(${content.replace(/\s/g, '')})`;
  return SUM.test(text) ? `^(${content.trim().replace(/^\(|\)$/g, '')})` : content;
}

function textBefore({ previousSibling }: HtmlElement): string {
  let [text, steps] = ['', 0];
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
