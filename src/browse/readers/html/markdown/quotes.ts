import { createElement, type HtmlElement } from '../parsing/node.ts';

/** Attribute for the first words of an omitted quote, number of these words shown, and maximum words of a quote shown whole. */
const SAID = 'x-said';
const SHOWN_WORDS = 12;
const CUT_WORDS = 20;
const MAX_HEAD_CHARS = 80;

export function rememberQuotedText(quote: HtmlElement, text: string): void {
  if (/[\p{L}\p{N}]/u.test(text)) quote.attributes[SAID] ??= firstWords(text);
}

/** If only `ada wrote:` remains of a quote, appends the first quoted words, to show which text the author answers. */
export function restoreQuotedWords(root: HtmlElement): void {
  for (const quote of root.getElementsByTagName('blockquote')) {
    const { [SAID]: words } = quote.attributes;
    if (words === undefined) continue;
    delete quote.attributes[SAID];
    const left = quote.textContent.trim();
    if (left.length > MAX_HEAD_CHARS || left.includes(words.slice(0, MAX_HEAD_CHARS))) continue;
    quote.appendChild(createElement('p', quote.depth + 1, words));
  }
}

function firstWords(text: string): string {
  const words = text.slice(0, MAX_READ_CHARS).trim().split(/\s+/);
  return words.length > CUT_WORDS ? `${words.slice(0, SHOWN_WORDS).join(' ')} …` : words.join(' ');
}

const MAX_READ_CHARS = 2000;
