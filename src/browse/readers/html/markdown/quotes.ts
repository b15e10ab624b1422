import { createElement, type HtmlElement } from '../parsing/node.ts';

const SAID = 'x-said';
const SHOWN_WORDS = 12;
const CUT_WORDS = 20;
const MAX_HEAD_CHARS = 80;

export function rememberQuotedText(quote: HtmlElement, text: string): void {
  if (/[\p{L}\p{N}]/u.test(text)) quote.attributes[SAID] ??= firstWords(text);
}

export function restoreQuotedWords(root: HtmlElement): void {
  for (const quote of root.getElementsByTagName('blockquote')) {
    const { [SAID]: words } = quote.attributes;
    if (words === undefined) continue;
    delete quote.attributes[SAID];
    const left = quote.textContent.trim();
    if (left.length > MAX_HEAD_CHARS || left.includes(words.slice(0, MAX_HEAD_CHARS))) continue;
    const line = createElement('p', quote.depth + 1, words);
    if (/[:：]$/.test(words)) quote.prependChild(line);
    else quote.appendChild(line);
  }
}

function firstWords(text: string): string {
  const words = text.slice(0, MAX_READ_CHARS).trim().split(/\s+/);
  return words.length > CUT_WORDS ? `${words.slice(0, SHOWN_WORDS).join(' ')} …` : words.join(' ');
}

const MAX_READ_CHARS = 2000;
